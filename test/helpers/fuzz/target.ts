/**
 * One computation that input from outside reaches. It is declared once: the fuzz laws check that it accepts or refuses
 * every input, and `npm run test:fuzz -- --time` searches for inputs that exceed its CPU budget.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';

import * as fc from 'fast-check';

import { errorCode } from '../../../src/base/errors.ts';
import { acceptRefusal, unlessRefusedLater, type Law } from './law.ts';
import { mutated } from './mutated.ts';

/** Policy work and unauthenticated requests: the longest time on one thread without a break. */
export const REQUEST_BUDGET_MS = 10;
/** A document at its documented limit. */
export const DOCUMENT_BUDGET_MS = 50;

/** The texts of one input, by the names of the target's fields. */
export type FuzzInput = Readonly<Record<string, string>>;

interface FuzzField {
  readonly valid: fc.Arbitrary<string>;
  /** Pieces of the field's grammar. */
  readonly tokens?: readonly string[];
  /** The documented limit, in characters. */
  readonly maxLength: number;
}

export interface FuzzTarget {
  /** Unique; part of the name of a saved input. */
  readonly name: string;
  readonly budgetMs: number;
  readonly fields: Readonly<Record<string, FuzzField>>;
  /** Does what is not measured, and returns the work that is. Both refuse an input with a protocol error. */
  readonly prepare: (input: FuzzInput) => FuzzWork | Promise<FuzzWork>;
  /** Throws if the result of the work is wrong. */
  readonly check?: (result: unknown, input: FuzzInput) => void;
  /** Default: `stretch`. */
  readonly cost?: Cost;
  /** How many times the tests try it. */
  readonly runs?: number;
}

export type FuzzWork = () => unknown;

/** `stretch`: the longest stretch of the main thread between two turns of its event loop. `process`: all threads, in total. */
type Cost = 'process' | 'stretch';

const DEFAULT_RUNS = 300;

/** The target refuses or accepts every input, and its result is right. */
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
    claim: `${name}: any input is accepted or refused`,
    runs,
    property: fc.asyncProperty(inputs, async (input) => {
      const accepted = await unlessRefusedLater(async () => {
        const work = await guarded(() => prepare(input));
        return { result: await guarded(work) };
      }).catch((error: unknown) => {
        // How long it takes is the other judge's subject.
        if (!isTimeout(error)) throw error;
        return undefined;
      });
      if (accepted !== undefined) check?.(accepted.result, input);
    }),
  };
}

/** An endless computation ends here, and has the CPU time that it used by then. Wall time. */
const GUARD_MS = 2_000;

export interface Run {
  /** CPU milliseconds. */
  readonly costMs: number;
  /** `accepted`, or the code of the refusal. */
  readonly outcome: string;
}

/** Runs the target once. A refusal is a normal result; every other error is thrown. */
export async function runOf({ prepare, cost }: FuzzTarget, input: FuzzInput): Promise<Run> {
  const watch = new Stopwatch();
  let work: FuzzWork;
  try {
    work = await guarded(() => prepare(input));
  } catch (error) {
    watch.lap();
    // Only if it did not end by itself, that which is not measured counts.
    return { costMs: isTimeout(error) ? watch.longestMs : 0, outcome: outcomeOf(error) };
  }
  return cost === 'process' ? runOfProcess(work) : runInStretches(work);
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
  // Without the time of the guard itself.
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

/** The longest of some stretches of CPU time of this thread. */
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

/** Milliseconds. Linux counts the running thread by its ticks of milliseconds, until the time of the process is read. */
function threadCpu(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const ACCEPTED = 'accepted';

/** Rethrows every error but a refusal. */
function outcomeOf(error: unknown): string {
  if (isTimeout(error)) return 'interrupted';
  acceptRefusal(error);
  return errorCode(error) ?? 'refused';
}

/** Interrupts the synchronous part of `work`, also within a regular expression. */
function guarded<T>(work: () => T): T {
  return GUARD.runInContext(Object.assign(GUARDED, { work }), { timeout: GUARD_MS }) as T;
}

const GUARD = new Script('work()');
const GUARDED = createContext();

/** It is an `Error` of the other context. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
