/**
 * A fuzz target: a computation on untrusted input. Fuzz tests check that it accepts or refuses
 * every input. `npm run test:fuzz -- --time` searches for inputs that exceed its CPU budget.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';

import * as fc from 'fast-check';

import { errorCode } from '../../../src/base/errors.ts';
import { acceptRefusal, unlessRefusedLater, type Law } from './law.ts';
import { mutated } from './mutated.ts';

/**
 * CPU budget in milliseconds for a policy evaluation or an unauthenticated request. It limits the
 * longest time without a return to the event loop.
 */
export const REQUEST_BUDGET_MS = 10;
/** CPU budget in milliseconds for an XML or JSON body of the maximum size. */
export const DOCUMENT_BUDGET_MS = 50;

/** Texts of an input, by field name. */
export type FuzzInput = Readonly<Record<string, string>>;

interface FuzzField {
  readonly valid: fc.Arbitrary<string>;
  /** Typical pieces of the field's grammar. The fuzz tests insert them. */
  readonly tokens?: readonly string[];
  /** Documented maximum length of the field in characters. */
  readonly maxLength: number;
}

export interface FuzzTarget {
  /** Unique name of the target. It is part of the file names of saved inputs. */
  readonly name: string;
  readonly budgetMs: number;
  readonly fields: Readonly<Record<string, FuzzField>>;
  /**
   * Prepares the input, which is not measured, and returns the work to measure. Both may refuse the
   * input with a protocol error.
   */
  readonly prepare: (input: FuzzInput) => FuzzWork | Promise<FuzzWork>;
  /** Throws an error if the result of the work is wrong. */
  readonly check?: (result: unknown, input: FuzzInput) => void;
  /** Kind of CPU time to measure. The default is `stretch`. */
  readonly cost?: Cost;
  /** Number of random inputs in the normal test run. */
  readonly runs?: number;
}

export type FuzzWork = () => unknown;

/**
 * Kinds of CPU time. `stretch` is the longest CPU time of the main thread between two turns of its
 * event loop. `process` is the total CPU time of all threads.
 */
type Cost = 'process' | 'stretch';

const DEFAULT_RUNS = 300;

/**
 * Returns the fuzz test of a target. The target must accept or refuse every input, and its result
 * must be correct.
 */
export function lawOf({ name, fields, prepare, check, runs = DEFAULT_RUNS }: FuzzTarget): Law {
  const inputs: fc.Arbitrary<FuzzInput> = fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([field, { valid, tokens, maxLength }]) => [
        field,
        mutated(valid, tokens).map((text) => text.slice(0, maxLength)),
      ]),
    ),
  );
  return {
    claim: `${name}: every input is refused or gives a correct result`,
    runs,
    property: fc.asyncProperty(inputs, async (input) => {
      const accepted = await unlessRefusedLater(async () => {
        const work = await guarded(() => prepare(received(input)));
        return { result: await guarded(work) };
      }).catch((error: unknown) => {
        // A timeout is ignored, because only `npm run test:fuzz -- --time` checks the time.
        if (!isTimeout(error)) throw error;
        return undefined;
      });
      if (accepted !== undefined) check?.(accepted.result, input);
    }),
  };
}

/**
 * Wall-clock time in milliseconds after which a computation is interrupted. The CPU time until then
 * is its cost.
 */
const GUARD_MS = 2_000;

export interface Run {
  /** Cost of the run in milliseconds of CPU time. */
  readonly costMs: number;
  /** Outcome of the run: `accepted`, or the code of the protocol error. */
  readonly outcome: string;
}

/**
 * Runs the target once. Returns normally if the target refuses the input, and throws any other
 * error.
 */
export async function runOf({ prepare, cost }: FuzzTarget, input: FuzzInput): Promise<Run> {
  const watch = new Stopwatch();
  let work: FuzzWork;
  try {
    work = await guarded(() => prepare(received(input)));
  } catch (error) {
    watch.lap();
    // The cost of the preparation counts only if the preparation was interrupted.
    return { costMs: isTimeout(error) ? watch.longestMs : 0, outcome: outcomeOf(error) };
  }
  return cost === 'process' ? runOfProcess(work) : runInStretches(work);
}

/**
 * Returns the input with each text stored contiguously, as it arrives in a message. JavaScript
 * reads a text that was joined from several pieces half as fast.
 */
function received(input: FuzzInput): FuzzInput {
  return JSON.parse(JSON.stringify(input)) as FuzzInput;
}

async function runOfProcess(work: FuzzWork): Promise<Run> {
  const before = process.cpuUsage();
  const outcome = await Promise.resolve(work()).then(() => ACCEPTED, outcomeOf);
  const { user, system } = process.cpuUsage(before);
  return { costMs: (user + system) / 1000, outcome };
}

async function runInStretches(work: FuzzWork): Promise<Run> {
  const watch = new Stopwatch();
  const ended = new AbortController();
  const ticking = (async () => {
    while (!ended.signal.aborted) {
      await nextTurn();
      watch.lap();
    }
  })();
  // The measured function skips `guarded`, because its overhead would be part of the measurement.
  const measured = () => {
    watch.begin();
    try {
      return work();
    } finally {
      watch.lap();
    }
  };
  try {
    await guarded(measured);
    return { outcome: ACCEPTED, costMs: watch.longestMs };
  } catch (error) {
    return { outcome: outcomeOf(error), costMs: watch.longestMs };
  } finally {
    ended.abort();
    await ticking;
  }
}

/** Measures the longest of several periods of CPU time of this thread. */
class Stopwatch {
  longestMs = 0;
  #begun = threadCpu();

  begin(): void {
    this.#begun = threadCpu();
  }

  lap(): void {
    const now = threadCpu();
    this.longestMs = Math.max(this.longestMs, now - this.#begun);
    this.#begun = now;
  }
}

/**
 * Returns the CPU time of this thread in milliseconds. On Linux, the value is exact only if the CPU
 * time of the process is read first. Otherwise it advances only with the timer interrupt.
 */
function threadCpu(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const ACCEPTED = 'accepted';

/** Returns the outcome of a refused or interrupted run. Rethrows any other error. */
function outcomeOf(error: unknown): string {
  if (isTimeout(error)) return 'interrupted';
  acceptRefusal(error);
  return errorCode(error) ?? 'refused';
}

/** Runs `work` and interrupts its synchronous part after the timeout, even inside a regular expression. */
function guarded<T>(work: () => T): T {
  return GUARD.runInContext(Object.assign(GUARDED, { work }), { timeout: GUARD_MS }) as T;
}

const GUARD = new Script('work()');
const GUARDED = createContext();

/**
 * The check uses the error code, because the error belongs to another JavaScript context and is not
 * `instanceof Error`.
 */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
