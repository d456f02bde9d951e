/**
 * A computation on input from outside. Fuzz tests check that it accepts or refuses every input, and `npm run test:fuzz
 * -- --time` searches for inputs that exceed its CPU budget.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';

import * as fc from 'fast-check';

import { errorCode } from '../../../src/base/errors.ts';
import { acceptRefusal, unlessRefusedLater, type Law } from './law.ts';
import { mutated } from './mutated.ts';

/**
 * CPU budget for policy evaluation and unauthenticated requests: longest time in milliseconds without a return to the
 * event loop.
 */
export const REQUEST_BUDGET_MS = 10;
/** CPU budget in milliseconds for a document of the maximum size. */
export const DOCUMENT_BUDGET_MS = 50;

/** Texts of one input, by field name. */
export type FuzzInput = Readonly<Record<string, string>>;

interface FuzzField {
  readonly valid: fc.Arbitrary<string>;
  /** Pieces of the field's grammar, for edits. */
  readonly tokens?: readonly string[];
  /** Documented maximum length in characters. */
  readonly maxLength: number;
}

export interface FuzzTarget {
  /** Unique name, which is part of the file name of a saved input. */
  readonly name: string;
  readonly budgetMs: number;
  readonly fields: Readonly<Record<string, FuzzField>>;
  /**
   * Prepares the input without measuring and returns the work to measure. Both may refuse the input with a protocol
   * error.
   */
  readonly prepare: (input: FuzzInput) => FuzzWork | Promise<FuzzWork>;
  /** Throws if the result of the work is wrong. */
  readonly check?: (result: unknown, input: FuzzInput) => void;
  /** Kind of cost to measure. Default: `stretch`. */
  readonly cost?: Cost;
  /** Number of runs in the normal tests. */
  readonly runs?: number;
}

export type FuzzWork = () => unknown;

/**
 * `stretch`: the longest CPU time of the main thread between two turns of its event loop. `process`: total CPU time of
 * all threads.
 */
type Cost = 'process' | 'stretch';

const DEFAULT_RUNS = 300;

/** Returns the fuzz test of a target: it accepts or refuses every input, and its result is correct. */
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
        // Ignore a timeout here: only `npm run test:fuzz -- --time` checks the time.
        if (!isTimeout(error)) throw error;
        return undefined;
      });
      if (accepted !== undefined) check?.(accepted.result, input);
    }),
  };
}

/** Wall time in milliseconds after which a computation is interrupted. Its CPU time until then is its cost. */
const GUARD_MS = 2_000;

export interface Run {
  /** Cost in CPU milliseconds. */
  readonly costMs: number;
  /** `accepted`, or the error code of the refusal. */
  readonly outcome: string;
}

/** Runs the target once. A refusal is a normal result; any other error is thrown. */
export async function runOf({ prepare, cost }: FuzzTarget, input: FuzzInput): Promise<Run> {
  const watch = new Stopwatch();
  let work: FuzzWork;
  try {
    work = await guarded(() => prepare(received(input)));
  } catch (error) {
    watch.lap();
    // The cost of the preparation counts only if it was interrupted.
    return { costMs: isTimeout(error) ? watch.longestMs : 0, outcome: outcomeOf(error) };
  }
  return cost === 'process' ? runOfProcess(work) : runInStretches(work);
}

/**
 * Returns the input as it arrives in a message: each text in one piece. Reading a character of a text that was joined of
 * several pieces takes twice as long.
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
  // Measure without the overhead of `guarded`.
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
 * Returns the CPU time of this thread in milliseconds. On Linux, reading the process time first makes the value of a
 * running thread exact; otherwise it advances by ticks.
 */
function threadCpu(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const ACCEPTED = 'accepted';

/** Returns the outcome of a refusal or an interruption. Rethrows any other error. */
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

/** Checks the code, because the error is an `Error` of another context. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
