/** Combines a job's run conditions, bandwidth limit, priority and free-space limit. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Excluder } from '../local/exclude.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Destination } from '../objects/destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { scanTree } from '../local/scan.ts';
import { RunConditions, ROUND_DONE } from './run-conditions.ts';
import type { Machine } from './machine.ts';
import { PacedStore } from './paced-store.ts';
import type { FreeSpace } from './free-space.ts';
import { limitAt } from './timetable.ts';
import { TokenBucket } from './token-bucket.ts';
import { type JobTurns, TargetTurns } from './job-priority.ts';

export interface JobLimitsOptions {
  readonly job: MirrorJob;
  readonly store: MirrorStore;
  readonly clock: Clock;
  /** Reports power and network state; absent if they are unknown. */
  readonly machine?: Machine;
  /**
   * Checks the free space on the destination's disk. Absent if that disk is unknown; the job then has no free-space
   * limit.
   */
  readonly freeSpace?: FreeSpace;
  /** Priorities that all jobs of this target share. Absent if no other job uses the target. */
  readonly turns?: TargetTurns;
}

export interface LimitsStatus {
  /** Current bandwidth limit; absent if the bandwidth is unlimited. */
  readonly bytesPerSecond?: number;
  /** When a job with a schedule runs next, in milliseconds since 1970. */
  readonly nextRunAt?: number;
}

export class JobLimits {
  readonly conditions: RunConditions;
  /** The store from the options, with the job's bandwidth limit applied to its transfers. */
  readonly store: MirrorStore;
  readonly turns: JobTurns;
  readonly #options: JobLimitsOptions;
  readonly #hadRound: () => boolean;

  /** Calls `onChange` when the job may start to run, when it must stop, and when the reason for stopping changes. */
  constructor(options: JobLimitsOptions, state: StateFile, onChange: () => void) {
    const { job, store, clock, machine, freeSpace, turns = new TargetTurns(clock) } = options;
    this.#options = options;
    this.#hadRound = () => state.meta(ROUND_DONE) !== undefined;
    this.turns = turns.of(job.priority);
    this.conditions = new RunConditions({
      job,
      clock,
      state,
      machine,
      freeSpace,
      onChange,
    });
    this.store = job.bandwidth
      ? new PacedStore(store, new TokenBucket(clock, () => this.#limit()))
      : store;
  }

  /** Returns the destination, extended by a free-space check for each file. */
  withFreeSpaceCheck(destination: Destination): Destination {
    const { freeSpace } = this.#options;
    return freeSpace
      ? { ...destination, checkFreeSpace: (bytes) => freeSpace.check(bytes) }
      : destination;
  }

  /**
   * Checks whether the folder fits on the disk if the job has not finished a round yet. A run that the user requested
   * skips this check.
   */
  async beforeSession(
    work: { readonly excluder: Excluder; readonly destination: Destination },
    signal: AbortSignal,
  ): Promise<void> {
    const { job, freeSpace } = this.#options;
    if (!freeSpace || this.#hadRound() || this.conditions.isOverridden) return;
    await checkFirstRound({ ...work, root: job.root, freeSpace }, signal);
    this.conditions.check();
  }

  status(): LimitsStatus | undefined {
    const bytesPerSecond = this.#limit();
    const nextRunAt = this.conditions.nextRunAt();
    if (bytesPerSecond === undefined && nextRunAt === undefined) return undefined;
    return defined({ bytesPerSecond, nextRunAt });
  }

  warnings(): readonly string[] {
    return this.conditions.warnings();
  }

  #limit(): number | undefined {
    const { job, clock } = this.#options;
    return job.bandwidth && limitAt(job.bandwidth, clock.now());
  }
}

interface FirstRound {
  readonly root: string;
  readonly excluder: Excluder;
  readonly destination: Destination;
  readonly freeSpace: FreeSpace;
}

/**
 * Checks before a job's first round whether the folder fits on the destination's disk. If not, `freeSpace` reports the
 * lack of space from then on. A destination that already contains objects is not checked, because part of the folder
 * may already be stored.
 */
async function checkFirstRound(
  { root, excluder, destination, freeSpace }: FirstRound,
  signal: AbortSignal,
): Promise<void> {
  if (await holdsObjects(destination, signal)) return;
  let bytes = 0;
  for await (const { entries } of scanTree(root, '', excluder, { signal })) {
    for (const { kind, sizeBytes } of entries) if (kind === 'file') bytes += sizeBytes;
  }
  freeSpace.checkFolder(bytes);
}

/**
 * Returns whether the destination contains any objects. Ignores the reserved folder, because the ownership marker in it
 * is written before the first round.
 */
async function holdsObjects(
  { store, bucket, prefix }: Destination,
  signal: AbortSignal,
): Promise<boolean> {
  const { objects } = await store.listObjects(
    // In byte order, `0` follows `/`, so this start key skips all keys in the reserved folder.
    { bucket, prefix, maxKeys: 1, startAfter: `${prefix}.holdfast0` },
    { signal },
  );
  return objects.length > 0;
}
