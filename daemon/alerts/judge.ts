/** Determines the alerts of a job from its status, without side effects. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/durations.ts';
import type { AlertsConfig } from '../../src/config/alerts.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { countText } from '../../src/text/amounts.ts';

export type AlertKind = 'stopped' | 'held' | 'lag' | 'freshness' | 'locks' | 'damaged' | 'unproven';

export interface Alert {
  readonly kind: AlertKind;
  /** The reason as a single line without control characters. */
  readonly reason: string;
}

export interface Moment {
  readonly now: number;
  /** When the daemon started. It is used as the time of an event whose time is unknown. */
  readonly startedAt: number;
}

/** The states in which a job cannot continue. */
const STOPPED: ReadonlySet<JobStatus['state']> = new Set([
  'failed',
  'root missing',
  'clock',
  'no room',
]);
/**
 * A lock that ends within this number of days triggers an alert. Locks are renewed much earlier, so the renewal has
 * failed.
 */
const LAPSE_DAYS = 1;

export function alertsOf(
  status: JobStatus,
  { lagMinutes, freshnessHours, provenDays }: AlertsConfig,
  { now, startedAt }: Moment,
): readonly Alert[] {
  const { state, reason, lagMs, counts, locks, proof } = status;
  const alerts: Alert[] = [];
  const say = (kind: AlertKind, text: string) => alerts.push({ kind, reason: oneLine(text) });
  if (STOPPED.has(state)) say('stopped', `${state}: ${reason ?? 'the job cannot continue'}`);
  const held = heldText(status);
  if (held !== undefined) say('held', held);
  if (lagMs > lagMinutes * MINUTE_MS)
    say('lag', `${counts.pending} pending changes, the oldest for ${ageText(lagMs)}`);
  const scannedAt = status.lastFullRoundAt ?? startedAt;
  if (now - scannedAt > freshnessHours * HOUR_MS)
    say('freshness', `no full sync round was completed for ${ageText(now - scannedAt)}`);
  if (locks && locks.failing > 0)
    say('locks', `${countText(locks.failing, 'lock')} cannot be extended`);
  else if (locks?.renewalRight === 'refused')
    say('locks', `locks cannot be extended: ${locks.reason ?? 'the service refuses it'}`);
  else if (locks?.firstLapseDays !== undefined && locks.firstLapseDays < LAPSE_DAYS)
    say('locks', 'the first lock ends within a day');
  if (proof && proof.damaged > 0)
    say(
      'damaged',
      `${countText(proof.damaged, 'damaged version')} in the bucket: holdfast job show ${status.name}`,
    );
  const provenAt = proof?.lastProvenRestorableAt ?? startedAt;
  if (provenDays > 0 && proof && now - provenAt > provenDays * DAY_MS)
    say('unproven', `no restore test has restored files for ${ageText(now - provenAt)}`);
  return alerts;
}

/**
 * Returns the reason for an alert about held changes. A job can hold some changes and continue to apply other changes.
 */
function heldText({ name, state, reason, brake, counts }: JobStatus): string | undefined {
  const held = counts.held - (counts.heldConflicts ?? 0);
  if (brake?.alarmSince !== undefined && brake.reason !== undefined) return brake.reason;
  const review = `are held for review: holdfast job review ${name}`;
  if (state === 'held') return reason ?? `changes ${review}`;
  return held > 0 ? `${held} changes ${review}` : undefined;
}

function ageText(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} minutes`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
