/** What is wrong with a job, as far as somebody should be told who does not look: a pure function of how it stands. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/durations.ts';
import type { AlertsConfig } from '../../src/config/alerts.ts';
import type { JobStatus } from '../../src/control/shapes.ts';

export type AlertKind = 'stopped' | 'held' | 'lag' | 'freshness' | 'locks' | 'damaged' | 'unproven';

export interface Alert {
  readonly kind: AlertKind;
  /** One line. */
  readonly reason: string;
}

export interface Moment {
  readonly now: number;
  /** Since when the daemon runs: what it does not know yet is no older than this. */
  readonly startedAt: number;
}

/** A service that is away for a moment is nobody's business. */
const STOPPED: ReadonlySet<JobStatus['state']> = new Set([
  'failed',
  'root missing',
  'clock',
  'no room',
]);
/** Locks are renewed long before: on its last day one is not. */
const LAPSE_DAYS = 1;

export function alertsOf(
  status: JobStatus,
  { lagMinutes, freshnessHours, provenDays }: AlertsConfig,
  { now, startedAt }: Moment,
): readonly Alert[] {
  const { state, reason, lagMs, counts, locks, proof } = status;
  const alerts: Alert[] = [];
  const say = (kind: AlertKind, text: string) => alerts.push({ kind, reason: oneLine(text) });
  if (STOPPED.has(state)) say('stopped', `${state}: ${reason ?? 'it cannot go on'}`);
  const held = heldText(status);
  if (held !== undefined) say('held', held);
  if (lagMs > lagMinutes * MINUTE_MS)
    say('lag', `${counts.pending} changes wait, the oldest for ${ageText(lagMs)}`);
  const scannedAt = status.lastFullRoundAt ?? startedAt;
  if (now - scannedAt > freshnessHours * HOUR_MS)
    say('freshness', `the whole folder was not scanned for ${ageText(now - scannedAt)}`);
  if (locks && locks.failing > 0) say('locks', `${locks.failing} locks cannot be extended`);
  else if (locks?.renewalRight === 'refused')
    say('locks', `locks may not be extended: ${locks.reason ?? 'the service refuses it'}`);
  else if (locks?.firstLapseDays !== undefined && locks.firstLapseDays < LAPSE_DAYS)
    say('locks', 'the first lock ends within a day');
  if (proof && proof.damaged > 0)
    say(
      'damaged',
      `${proof.damaged} versions in the bucket are damaged: holdfast job show ${status.name}`,
    );
  const provenAt = proof?.lastProvenRestorableAt ?? startedAt;
  if (provenDays > 0 && proof && now - provenAt > provenDays * DAY_MS)
    say('unproven', `no drill has brought files back for ${ageText(now - provenAt)}`);
  return alerts;
}

/** Also while it works beside what is held: that is not over then. */
function heldText({ state, reason, brake, counts }: JobStatus): string | undefined {
  const held = counts.held - (counts.heldConflicts ?? 0);
  if (brake?.alarmSince !== undefined && brake.reason !== undefined) return brake.reason;
  if (state === 'held') return reason ?? 'it waits for you: holdfast job review';
  return held > 0 ? `${held} changes are held: holdfast job review` : undefined;
}

function ageText(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} minutes`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
