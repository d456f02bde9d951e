/**
 * Provides the problems that a job's status lists and counts. An acknowledged problem is counted separately until its
 * acknowledgement expires.
 */

import type { Clock } from '../../base/clock.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from './state-file.ts';
import type { ProblemCounts, Tracker } from '../model/tracker.ts';
import type { Problem } from '../model/types.ts';

/** Maximum number of problems that a status lists. The counts include all problems. */
export const PROBLEMS_SHOWN = 100;

/** Maximum number of acknowledged problems in a job. */
const MOST_ACKNOWLEDGED = 1_000;

export interface Acknowledgement {
  readonly note: string;
  /** When the acknowledgement expires, in milliseconds since 1970. */
  readonly until: number;
}

export interface ReportedProblem extends Problem {
  readonly acknowledged?: Acknowledgement;
}

export interface ProblemControl {
  /**
   * Acknowledges a path's current problem until a given time. A different problem with the path is reported again.
   * Replaces an earlier acknowledgement. Returns false if the path has no problem. Throws MirrorError
   * `TooManyAcknowledged` if the job already has 1,000 acknowledgements.
   */
  acknowledge(path: string, acknowledgement: Acknowledgement): boolean;
  /** Removes a path's acknowledgement. Returns false if the path has none. */
  withdraw(path: string): boolean;
  /** Returns the message of a path's current problem; undefined if the path has no problem. */
  messageOf(path: string): string | undefined;
}

/** Name of the value in the job's state that stores the acknowledgements. */
const ACKNOWLEDGED = 'acknowledged';

interface Stored extends Acknowledgement {
  readonly path: string;
  readonly code: Problem['code'];
}

interface ProblemReportOptions {
  readonly state: StateFile;
  readonly tracker: Tracker;
  /** Returns the problems with damaged versions, up to the number that a status lists. */
  readonly damage: { problems(): readonly Problem[] };
  readonly clock: Clock;
}

export class ProblemReport implements ProblemControl {
  readonly #options: ProblemReportOptions;
  /** The acknowledgements by path. */
  readonly #stored: Map<string, Stored>;

  constructor(options: ProblemReportOptions) {
    this.#options = options;
    const text = options.state.meta(ACKNOWLEDGED) ?? '[]';
    this.#stored = new Map((JSON.parse(text) as Stored[]).map((each) => [each.path, each]));
  }

  acknowledge(path: string, acknowledgement: Acknowledgement): boolean {
    const problem = this.#find(path);
    if (!problem) return false;
    this.#dropOld();
    if (this.#stored.size >= MOST_ACKNOWLEDGED && !this.#stored.has(path))
      throw new MirrorError(
        'TooManyAcknowledged',
        `cannot acknowledge the problem of ${path}: a job has at most ${MOST_ACKNOWLEDGED} acknowledged problems`,
        {
          hint: 'withdraw other acknowledgements with --withdraw, or exclude these paths from the job',
        },
      );
    this.#stored.set(path, { path, code: problem.code, ...acknowledgement });
    this.#save();
    return true;
  }

  withdraw(path: string): boolean {
    if (!this.#stored.delete(path)) return false;
    this.#save();
    return true;
  }

  messageOf(path: string): string | undefined {
    return this.#options.tracker.problemOf(path) ?? this.#find(path)?.message;
  }

  shown(): readonly ReportedProblem[] {
    const shown: ReportedProblem[] = [];
    for (const problem of this.#all()) {
      if (shown.length === PROBLEMS_SHOWN) break;
      const acknowledged = this.#of(problem);
      shown.push(acknowledged ? { ...problem, acknowledged } : problem);
    }
    return shown;
  }

  counts(): ProblemCounts {
    const { state, tracker } = this.#options;
    const damaged = state.damaged.counts().problems;
    const acknowledgedDamage = damaged === 0 ? 0 : this.#acknowledgedDamage();
    const counted = { problems: damaged - acknowledgedDamage, skipped: 0, acknowledged: 0 };
    for (const problem of tracker.allProblems()) {
      if (isSkipped(problem)) counted.skipped++;
      else counted[this.#of(problem) ? 'acknowledged' : 'problems']++;
    }
    const { problems, skipped } = counted;
    const acknowledged = counted.acknowledged + acknowledgedDamage;
    return { problems, ...(skipped > 0 && { skipped }), ...(acknowledged > 0 && { acknowledged }) };
  }

  #acknowledgedDamage(): number {
    return this.#options.damage.problems().filter((problem) => this.#of(problem)).length;
  }

  *#all(): Generator<Problem> {
    yield* this.#options.damage.problems();
    for (const problem of this.#options.tracker.allProblems())
      if (!isSkipped(problem)) yield problem;
  }

  #find(path: string): Problem | undefined {
    for (const problem of this.#all()) if (problem.path === path) return problem;
    return undefined;
  }

  #of({ path, code }: Problem): Acknowledgement | undefined {
    const stored = this.#stored.get(path);
    if (stored?.code !== code || stored.until <= this.#options.clock.now()) return undefined;
    return { note: stored.note, until: stored.until };
  }

  /**
   * Removes acknowledgements that have expired or whose problem has ended. If a problem returns later, it needs a new
   * acknowledgement.
   */
  #dropOld(): void {
    const present = new Set([...this.#all()].map(({ path }) => path));
    const now = this.#options.clock.now();
    for (const { path, until } of this.#stored.values())
      if (until <= now || !present.has(path)) this.#stored.delete(path);
  }

  #save(): void {
    this.#options.state.setMeta(ACKNOWLEDGED, JSON.stringify([...this.#stored.values()]));
    this.#options.tracker.changed();
  }
}

/** Returns whether a problem is about an entry without content to back up: a socket, pipe or device. */
function isSkipped({ code }: Problem): boolean {
  return code === 'unsupported-type';
}
