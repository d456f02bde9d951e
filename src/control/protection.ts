/**
 * Determines whether a job's files are protected. `status`, `doctor`, the dashboard, the metrics and exit codes share
 * this definition. docs/explanation/mirroring.md explains it to users.
 */

import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { countText } from '../text/amounts.ts';
import { nextCommand } from './job-standing.ts';
import type { JobStatus } from './shapes.ts';

export type Protection = JobStatus['protection'];
export type Placement = JobStatus['placement'];

export interface ProtectionParts {
  readonly job: Omit<JobStatus, 'protection'>;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

/** The maximum age of a change in progress. With an older change, the job is reported as at risk. */
const ON_ITS_WAY_MS = MINUTE_MS;

const STUCK: ReadonlySet<JobStatus['state']> = new Set([
  'failed',
  'root missing',
  'clock',
  'no room',
]);

interface Gap {
  readonly reason: string;
  readonly command: string;
}

export function protectionOf({ job, now }: ProtectionParts): Protection {
  const risk = riskOf(job);
  if (risk) return { is: 'at risk', ...risk };
  const doubt = doubtOf(job, now);
  if (doubt) return { is: 'unknown', ...doubt };
  const reason = mistakesOnly(job);
  return reason === undefined ? { is: 'protected' } : { is: 'kept', reason };
}

/**
 * Returns why the backup does not survive the loss of the disk or the machine. Returns undefined if it does survive.
 */
export function mistakesOnly({ placement }: Pick<JobStatus, 'placement'>): string | undefined {
  if (placement === 'elsewhere') return undefined;
  return placement === 'same disk'
    ? 'the store is on the same disk as the folder'
    : 'the service is on this machine';
}

export function isProtectedOrKept({ protection }: Pick<JobStatus, 'protection'>): boolean {
  return protection.is === 'protected' || protection.is === 'kept';
}

/**
 * Returns the protection as text, such as `kept against mistakes only: the store is on the same disk as the folder`.
 */
export function protectionText({ is, reason, command }: Protection): string {
  const word = is === 'kept' ? 'kept against mistakes only' : is;
  return [word, reason, command].filter((part) => part !== undefined).join(': ');
}

/**
 * Returns the first reason why the job's files are at risk, for example because a current version is not locked as
 * configured.
 */
function riskOf(job: ProtectionParts['job']): Gap | undefined {
  const { name, state, reason, counts, brake, locks, proof } = job;
  const show = `holdfast job show ${name}`;
  if (STUCK.has(state))
    return { reason: reason === undefined ? state : `${state}: ${reason}`, command: show };
  const damaged = proof?.damaged ?? 0;
  if (damaged > 0 && counts.problems > 0)
    return { reason: `${countText(damaged, 'damaged version')} in the bucket`, command: show };
  const counted: readonly (readonly [count: number, text: string, command: string])[] = [
    [counts.held - (counts.heldConflicts ?? 0), 'held for review', nextCommand(job) ?? show],
    [counts.conflicts, 'in conflict', `holdfast conflict list ${name}`],
    [counts.drifted, 'changed in the bucket', `holdfast job queue ${name} --reason drifted`],
    [brake?.rejectedOverwrites ?? 0, 'not sent, as their new content was rejected', show],
    [counts.problems, 'with a problem', show],
    [locks?.unlocked ?? 0, 'not locked as configured', `holdfast lock list ${name}`],
    [locks?.failing ?? 0, 'whose lock cannot be renewed', `holdfast lock list ${name}`],
    [proof?.drillFailures ?? 0, 'failed the last restore test', `holdfast test ${name}`],
  ];
  for (const [count, text, command] of counted)
    if (count > 0) return { reason: `${countText(count, 'file')} ${text}`, command };
  if (state === 'held')
    return { reason: reason ?? 'held for review', command: nextCommand(job) ?? show };
  if (locks?.renewalRight === 'refused')
    return { reason: 'locks cannot be renewed', command: `holdfast lock list ${name}` };
  return lateChanges(job);
}

/**
 * Returns a risk if changes are overdue. A job with a schedule is exempt, because it uploads changes only when it runs.
 */
function lateChanges(job: ProtectionParts['job']): Gap | undefined {
  const { name, state, counts, lagMs, manners } = job;
  if (lagMs <= ON_ITS_WAY_MS || manners?.nextRunAt !== undefined) return undefined;
  const minutes = Math.floor(lagMs / MINUTE_MS);
  const late = `${countText(counts.pending, 'file')} not in the bucket yet, the oldest for ${minutes} min`;
  if (state !== 'paused') return { reason: late, command: `holdfast job queue ${name}` };
  return { reason: `${pausedText(job)}: ${late}`, command: `holdfast job resume ${name}` };
}

function pausedText({ reason }: ProtectionParts['job']): string {
  return ['the job is paused', ...(reason === undefined ? [] : [reason])].join(' ');
}

function doubtOf(job: ProtectionParts['job'], now: number): Gap | undefined {
  const { name, state, lastFullRoundAt, counts, proof } = job;
  if (state === 'paused')
    return {
      reason: `${pausedText(job)} and backs up no changes`,
      command: `holdfast job resume ${name}`,
    };
  if (state === 'stopped') return { reason: 'the job is stopped', command: 'holdfast status' };
  if (lastFullRoundAt === undefined)
    return {
      reason: 'the folder has not been compared with the bucket yet',
      command: `holdfast wait ${name}`,
    };
  return counts.files === 0 ? undefined : untested(name, proof, now);
}

function untested(name: string, proof: JobStatus['proof'], now: number): Gap | undefined {
  const command = `holdfast test ${name}`;
  const provenAt = proof?.lastProvenRestorableAt;
  if (provenAt === undefined) return { reason: 'no restore test has passed yet', command };
  const ageDays = Math.floor((now - provenAt) / DAY_MS);
  if (ageDays <= (proof?.proven?.days ?? 0)) return undefined;
  return { reason: `no restore test has passed for ${ageDays} days`, command };
}
