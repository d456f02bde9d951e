/**
 * Implements `npm run test:fuzz -- --time`: searches for inputs that exceed the CPU budget of a
 * fuzz target or cause an unexpected error.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { systemClock } from '../../../src/base/clock.ts';
import { errorMessage } from '../../../src/base/errors.ts';
import { randomFrom } from '../tree.ts';
import { leastCost, minimised, slowestInput } from './slow-search.ts';
import { runOf, type FuzzInput, type FuzzTarget, type Run } from './target.ts';

export interface TimeJudgeOptions {
  readonly seed: number;
  /**
   * Duration of the search in minutes, for all targets together. Minimising the inputs takes
   * additional time.
   */
  readonly minutes: number;
  /** Path of the folder in which inputs that exceed a budget are saved. */
  readonly folder: string;
}

const MAX_MINIMISING_MS = 30_000;
const SHOWN_CHARACTERS = 60;
/**
 * Factor by which a minimised input must still exceed the budget, so that it also exceeds the
 * budget on a faster machine.
 */
const MARGIN = 2;

/**
 * Returns the number of targets for which an input exceeds the budget or causes an unexpected
 * error.
 */
export async function judgeTimes(
  targets: readonly FuzzTarget[],
  options: TimeJudgeOptions,
): Promise<number> {
  let findings = 0;
  for (const target of targets) {
    const isOver = endingAfter((options.minutes * 60_000) / targets.length);
    findings += (await isGood(target, options, isOver)) ? 0 : 1;
  }
  return findings;
}

async function isGood(
  target: FuzzTarget,
  { seed, folder }: TimeJudgeOptions,
  isOver: () => boolean,
): Promise<boolean> {
  const judged = new JudgedTarget(target);
  const { run } = judged;
  const slowest = await slowestInput(target, { seed, random: randomFrom(seed), run, isOver });
  const isSlow = slowest.costMs > target.budgetMs;
  print(
    `${isSlow ? 'FAIL' : 'ok  '} ${judged.returned(slowest)}, ${judged.runs} runs, ${shown(slowest.input)}`,
  );
  if (isSlow) {
    const twice = MARGIN * target.budgetMs;
    const aboveMs = slowest.costMs > twice ? twice : target.budgetMs;
    const within = endingAfter(MAX_MINIMISING_MS);
    const input = await minimised(slowest.input, aboveMs, { run, isOver: within });
    save(join(folder, `${fileNameOf(target)}-${seed}.json`), { target: target.name, seed, input });
  }
  if (judged.failing === undefined) return !isSlow;
  print(`FAIL ${target.name}: ${judged.error}`);
  const within = endingAfter(MAX_MINIMISING_MS);
  const input = await minimised(judged.failing, 0, { run: judged.runFailing, isOver: within });
  save(join(folder, `${fileNameOf(target)}-error-${seed}.json`), {
    target: target.name,
    seed,
    input,
  });
  return false;
}

interface Saved {
  readonly target: string;
  readonly seed: number;
  readonly input: FuzzInput;
}

function fileNameOf({ name }: FuzzTarget): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '-');
}

function save(file: string, saved: Saved): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(saved, undefined, 2)}\n`);
  print(`     minimised to ${shown(saved.input)}, saved as ${file}`);
}

/**
 * Runs a saved input again. Returns false if it exceeds the budget of its target or causes an
 * unexpected error.
 */
export async function replay(targets: readonly FuzzTarget[], file: string): Promise<boolean> {
  const { target: name, input } = JSON.parse(readFileSync(file, 'utf8')) as Saved;
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`run ${file}: unknown target ${name}`);
  const judged = new JudgedTarget(target);
  const run = () => judged.run(input);
  const found = await leastCost(run, { bound: 0, first: await run() });
  const isWithin = found.costMs <= target.budgetMs && judged.failing === undefined;
  print(`${isWithin ? 'ok  ' : 'FAIL'} ${judged.returned(found)} ${judged.error}`);
  return isWithin;
}

const FAILED: Run = { costMs: 0, outcome: 'error' };

/**
 * Counts the runs of a target, and records the first input that causes an error other than a
 * refusal.
 */
class JudgedTarget {
  runs = 0;
  failing: FuzzInput | undefined;
  /** Shortened message of the error that the recorded input causes. */
  error = '';
  readonly #target: FuzzTarget;

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  /**
   * Runs the target. An input that causes an unexpected error has the cost 0, so that the search
   * ignores it.
   */
  readonly run = async (input: FuzzInput): Promise<Run> => {
    this.runs += 1;
    try {
      return await runOf(this.#target, input);
    } catch (error) {
      this.failing ??= input;
      this.error ||= JSON.stringify(errorMessage(error).slice(0, 2 * SHOWN_CHARACTERS));
      return FAILED;
    }
  };

  /**
   * Runs the target to minimise an input that causes an unexpected error. Such an input has the
   * cost 1, and any other input 0.
   */
  readonly runFailing = async (input: FuzzInput): Promise<Run> => {
    const found = await this.run(input);
    return { ...found, costMs: found === FAILED ? 1 : 0 };
  };

  returned({ costMs, outcome }: Run): string {
    const { name, budgetMs } = this.#target;
    return `${name}: ${costMs.toFixed(1)} ms of ${budgetMs} (${outcome})`;
  }
}

function endingAfter(ms: number): () => boolean {
  const endsAt = systemClock.monotonic() + ms;
  return () => systemClock.monotonic() >= endsAt;
}

function shown(input: FuzzInput): string {
  return Object.entries(input)
    .map(([name, text]) => {
      const start = JSON.stringify(text.slice(0, SHOWN_CHARACTERS).toWellFormed());
      return `${name} (${text.length}) ${start}${text.length > SHOWN_CHARACTERS ? '…' : ''}`;
    })
    .join(', ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
