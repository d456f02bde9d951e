/** Describes for users which part of a job's folder is protected, and which is not. */

import { least } from '../base/least.ts';
import { defined } from '../base/defined.ts';
import { isDamagedDatabase } from '../base/errors.ts';
import type { DeletesBefore } from './guard/prior-deletes.ts';
import type { CapabilityStatus } from './capabilities/conditional-writes.ts';
import type { PruningStatus } from '../retention/version-pruning.ts';
import type { LockStatus } from '../retention/lock-status.ts';
import type { VerificationStatus } from '../verification/verification-status.ts';
import type { LimitsStatus } from './limits/job-limits.ts';
import type { ReportedProblem } from './state/problem-report.ts';
import type { Counts } from './model/tracker.ts';
import type { MirrorState, Problem, Standstill } from './model/types.ts';
import type { Coverage } from './local/tree/watch.ts';
import { POLL_MS } from './rounds/missed-events.ts';
import type { HeldStatus } from './rounds/held-review.ts';

export interface MirrorStatus {
  readonly state: MirrorState;
  /** Reason for the state; absent if the state needs no explanation. */
  readonly reason?: string;
  /**
   * Deletes that were mirrored in the ten minutes before the folder was found missing. They may have been the start of
   * the folder's removal. Absent if there were none.
   */
  readonly passed?: DeletesBefore;
  /**
   * True if the job watches the folder and each file matches its current version in the bucket. No change is then
   * pending, held or refused.
   */
  readonly inSync: boolean;
  /** Age in milliseconds of the oldest change that is not yet durable in the bucket. */
  readonly lagMs: number;
  /** When the last round of any kind finished. */
  readonly lastRoundAt?: number;
  readonly lastRound?: string;
  /** When the last full scan of the folder finished, counted since the job was opened. */
  readonly lastFullRoundAt?: number;
  /**
   * When the bucket was last compared with the folder, in milliseconds since 1970. Absent if the store reports each
   * change, because no comparison is needed then.
   */
  readonly comparedAt?: number;
  readonly counts: Counts;
  /** The first 100 problems. */
  readonly problems: readonly ReportedProblem[];
  /** Share of the folder that is watched, such as `watching 100 %`, or the polled share and the reason for polling. */
  readonly watch: string;
  readonly warnings: readonly string[];
  /** State of the mass-change guard; absent if no anomaly was detected and no change was rejected. */
  readonly brake?: HeldStatus;
  readonly manners?: LimitsStatus;
  /** Capabilities of the service, and how the job protects its writes; absent until the service is probed. */
  readonly capabilities?: CapabilityStatus;
  /** Status of the job's locks; absent if the job does not lock versions. */
  readonly locks?: LockStatus;
  readonly proof?: VerificationStatus;
  /** Status of version pruning; absent until the first version is removed. */
  readonly keep?: PruningStatus;
}

export interface StatusParts {
  readonly standstill: Standstill | undefined;
  /** Whether a full round is scanning the folder. */
  readonly isScanning: boolean;
  /** Whether no sync round has finished since the job started or resumed. */
  readonly isFirst: boolean;
  /** Text with the number of held deletes and the reason; undefined if no delete is held. */
  readonly heldDeletes: string | undefined;
  readonly passed?: DeletesBefore | undefined;
  readonly brake?: HeldStatus | undefined;
  /** When the pending changes began, in milliseconds since 1970. Undefined entries are ignored. */
  readonly since: readonly (number | undefined)[];
  readonly now: number;
  readonly counts: Counts;
  readonly problems: readonly ReportedProblem[];
  readonly coverage: Coverage | undefined;
  readonly lastRound: { readonly at: number; readonly text: string } | undefined;
  readonly lastFullRoundAt?: number | undefined;
  readonly comparedAt?: number | undefined;
  readonly warnings: readonly string[];
  readonly manners?: LimitsStatus | undefined;
  readonly capabilities?: CapabilityStatus | undefined;
  readonly locks?: LockStatus | undefined;
  readonly proof?: VerificationStatus | undefined;
  readonly keep?: PruningStatus | undefined;
}

export function describeStatus(parts: StatusParts): MirrorStatus {
  const { counts, problems, coverage, lastRound, warnings } = parts;
  const { state, reason } = stateOf(parts);
  return {
    state,
    ...defined({
      reason,
      passed: parts.passed,
      brake: parts.brake,
      lastRoundAt: lastRound?.at,
      lastRound: lastRound?.text,
      lastFullRoundAt: parts.lastFullRoundAt,
      comparedAt: parts.comparedAt,
      manners: parts.manners,
      capabilities: parts.capabilities,
      locks: parts.locks,
      proof: parts.proof,
      keep: parts.keep,
    }),
    inSync: state === 'watching' && !hasDifferences(parts),
    lagMs: lagOf(parts),
    counts,
    problems,
    watch: describeCoverage(coverage),
    warnings,
  };
}

function lagOf({ since, now }: StatusParts): number {
  const oldest = least(since.map((each) => each ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(oldest) ? Math.max(0, now - oldest) : 0;
}

/** Codes of problems that do not prevent the entry from being mirrored. */
const WITHOUT_DIFFERENCE: ReadonlySet<Problem['code']> = new Set(['inconsistent', 'not-locked']);

/** Returns whether the bucket may differ from the folder, even if the user does not have to act. */
function hasDifferences({ counts, problems, brake, locks }: StatusParts): boolean {
  const { pending, held, drifted } = counts;
  if (pending + held + drifted > 0 || locks?.deferred || brake?.rejectedOverwrites) return true;
  // If more problems exist than are listed, an unlisted problem may be a difference.
  if (counts.problems > problems.length) return true;
  return problems.some(({ code }) => !WITHOUT_DIFFERENCE.has(code));
}

function stateOf(parts: StatusParts): { state: MirrorState; reason?: string } {
  const { standstill, isScanning, isFirst, heldDeletes, brake, counts } = parts;
  if (standstill) return standstill;
  if (brake?.reason !== undefined) return { state: 'held', reason: brake.reason };
  if (counts.pending > 0) return { state: 'mirroring' };
  if (isScanning) return { state: 'scanning' };
  if (isFirst) return { state: 'starting' };
  if (heldDeletes !== undefined) return { state: 'held', reason: heldDeletes };
  return { state: 'watching' };
}

function describeCoverage(coverage: Coverage | undefined): string {
  if (!coverage) return 'not watching';
  const { watched, polled, reason, missed } = coverage;
  if (missed !== undefined)
    return `degraded: the system reported no event for a change of ${missed}; the whole folder is polled every ${POLL_MS / 1_000} s`;
  const all = watched + polled;
  if (polled === 0) return 'watching 100 %';
  // The share is rounded down, so that 100 % means that every folder is watched.
  const percent = Math.floor((watched / all) * 100);
  const why = reason === undefined ? '' : `: ${reason}`;
  return `watching ${percent} %, polling ${100 - percent} %${why}`;
}

const NO_COUNTS: MirrorStatus['counts'] = {
  files: 0,
  bytes: 0,
  pending: 0,
  pendingBytes: 0,
  uploadedVersions: 0,
  uploadedBytes: 0,
  deleted: 0,
  conflicts: 0,
  drifted: 0,
  foreign: 0,
  held: 0,
  problems: 0,
};

/** Returns the status from `describe`. If the job's state is damaged, returns the status `failed` instead. */
export function unlessDamaged(describe: () => MirrorStatus): MirrorStatus {
  try {
    return describe();
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
    return statusWithout('failed', STATE_DAMAGED);
  }
}

export const STATE_DAMAGED = 'the state of this job is damaged and is being rebuilt';

/** Returns a job's status if only the state and its reason are known. */
export function statusWithout(state: 'starting' | 'failed', reason?: string): MirrorStatus {
  return {
    state,
    ...defined({ reason }),
    inSync: false,
    lagMs: 0,
    counts: NO_COUNTS,
    problems: [],
    watch: 'not watching',
    warnings: [],
  };
}
