/** The manners of one job as its mirror uses them: when it may work, through which store, and what is told of it. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Excluder } from '../local/exclude.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../objects/destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { checkFirstRound } from './first-round.ts';
import { RunConditions, ROUND_DONE } from './run-conditions.ts';
import type { Machine } from './machine.ts';
import { PacedStore } from './paced-store.ts';
import type { FreeSpace } from './free-space.ts';
import { limitAt } from './timetable.ts';
import { TokenBucket } from './token-bucket.ts';
import { type JobTurns, TargetTurns } from './turns.ts';

export interface JobLimitsOptions {
  readonly job: MirrorJob;
  readonly store: MirrorStore;
  readonly clock: Clock;
  /** Absent: nothing is told of power and network. */
  readonly machine?: Machine;
  /** Absent: nothing is known of the disk that it goes to. */
  readonly room?: FreeSpace;
  /** Of all jobs with this target; absent: it has it for itself. */
  readonly turns?: TargetTurns;
}

export interface LimitsStatus {
  /** What it may send and receive now; absent without a limit. */
  readonly bytesPerSecond?: number;
  /** Of a job with a schedule; milliseconds since 1970. */
  readonly nextRunAt?: number;
}

export class JobLimits {
  readonly gate: RunConditions;
  /** In place of the one that was given. */
  readonly store: MirrorStore;
  readonly turns: JobTurns;
  readonly #options: JobLimitsOptions;
  readonly #hadRound: () => boolean;

  /** `onGate`: the gate opened, closed, or is closed for another reason. */
  constructor(options: JobLimitsOptions, state: StateFile, onGate: () => void) {
    const { job, store, clock, machine, room, turns = new TargetTurns(clock) } = options;
    this.#options = options;
    this.#hadRound = () => state.meta(ROUND_DONE) !== undefined;
    this.turns = turns.of(job.priority);
    this.gate = new RunConditions({ job, clock, state, machine, room, onChange: onGate });
    this.store = job.bandwidth
      ? new PacedStore(store, new TokenBucket(clock, () => this.#limit()))
      : store;
  }

  /** With the room that there is for its files. */
  placeOf(place: Place): Place {
    const { room } = this.#options;
    return room ? { ...place, checkRoom: (bytes) => room.check(bytes) } : place;
  }

  /** Before a session of a job that has had no round yet, unless somebody asked for it by name. */
  async beforeSession(
    work: { readonly excluder: Excluder; readonly place: Place },
    signal: AbortSignal,
  ): Promise<void> {
    const { job, room } = this.#options;
    if (!room || this.#hadRound() || this.gate.isOverridden) return;
    await checkFirstRound({ ...work, root: job.root, room }, signal);
    this.gate.look();
  }

  status(): LimitsStatus | undefined {
    const bytesPerSecond = this.#limit();
    const nextRunAt = this.gate.nextRunAt();
    if (bytesPerSecond === undefined && nextRunAt === undefined) return undefined;
    return defined({ bytesPerSecond, nextRunAt });
  }

  #limit(): number | undefined {
    const { job, clock } = this.#options;
    return job.bandwidth && limitAt(job.bandwidth, clock.now());
  }
}
