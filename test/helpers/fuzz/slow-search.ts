/**
 * Searches for the input that uses the most CPU time of a fuzz target, by editing the slowest
 * inputs that it has found.
 */

import * as fc from 'fast-check';

import { grown, pick, repetitions, type Random } from './growth.ts';
import { edits, type Edits } from './mutated.ts';
import type { FuzzInput, FuzzTarget, Run } from './target.ts';

export interface Slowest extends Run {
  readonly input: FuzzInput;
}

export interface SearchOptions {
  readonly seed: number;
  readonly random: Random;
  readonly run: (input: FuzzInput) => Promise<Run>;
  readonly isOver: () => boolean;
}

/**
 * Maximum number of inputs of one kind that are edited further. Inputs with the same outcome and a similar size are of
 * the same kind. Without kinds, slower refused inputs would displace accepted inputs, and long inputs would displace
 * short inputs that become the slowest when they grow.
 */
const POOL = 8;
const FIRST_INPUTS = 40;
/**
 * Number of measurements of an input, of which the lowest counts. Other processes, compilation and
 * garbage collection can only make a measurement higher.
 */
const RUNS = 5;
const EDITS = 500;
/**
 * Number of runs before the first measurement. The first runs are slower, because they include
 * compilation.
 */
const WARM_UPS = 5;
/**
 * Probability that an edited input is measured again, because its first cost may have been too high
 * by chance.
 */
const AGAIN = 0.2;

/**
 * Searches until `isOver` returns true or an input exceeds the CPU budget. Returns the slowest
 * input.
 */
export async function slowestInput(target: FuzzTarget, options: SearchOptions): Promise<Slowest> {
  const { random, isOver, seed } = options;
  const editsOf = editsOfFields(target, seed);
  const pools = new Pools();
  const tryInput = async (input: FuzzInput) => {
    const first = await options.run(input);
    const bound = Math.min(pools.leastOf(kindOf(input, first)), target.budgetMs);
    if (first.costMs <= bound) return;
    const { costMs } = await leastCost(() => options.run(input), { bound, first });
    if (costMs > bound) pools.add({ input, costMs, outcome: first.outcome });
  };
  const isFound = () => pools.slowest.costMs > target.budgetMs;
  const firsts = firstInputs(target, seed);
  for (let round = 0; round < WARM_UPS; round += 1)
    for (const input of firsts) await options.run(input);
  for (const input of firsts) if (!isFound()) await tryInput(input);
  const untried = repetitions(distinct(firsts), target, random);
  while (!isOver() && !isFound()) {
    if (random() < 0.5) {
      const repetition = untried.pop();
      if (repetition) await tryInput(repetition());
    }
    // Half of the edits take text from an initial input. A field that is full of cheap content
    // cannot become slower by growing.
    const other = random() < 0.5 ? pick(firsts, random) : pools.pick(random).input;
    const parent = pools.pick(random);
    if (random() < AGAIN) pools.add({ ...parent, ...(await options.run(parent.input)) });
    await tryInput(editedInput(parent.input, other ?? {}, { target, editsOf, random }));
  }
  return pools.slowest;
}

class Pools {
  readonly #byKind = new Map<string, Slowest[]>();

  /** Adds an input with its cost. If the input is already in the pool, the lower cost counts. */
  add(found: Slowest): void {
    const kind = kindOf(found.input, found);
    const pool = this.#byKind.get(kind) ?? [];
    const known = pool.findIndex((each) => isSame(each.input, found.input));
    const costMs = Math.min(found.costMs, pool[known]?.costMs ?? found.costMs);
    if (known >= 0) pool.splice(known, 1);
    pool.push({ ...found, costMs });
    pool.sort((a, b) => b.costMs - a.costMs);
    pool.splice(POOL);
    this.#byKind.set(kind, pool);
  }

  /** Returns the cost in milliseconds that a new input must exceed to enter the pool. */
  leastOf(kind: string): number {
    const pool = this.#byKind.get(kind) ?? [];
    return pool.length < POOL ? 0 : (pool.at(-1)?.costMs ?? 0);
  }

  get slowest(): Slowest {
    const firsts = [...this.#byKind.values()].flatMap(([first]) => first ?? []);
    return firsts.reduce((a, b) => (a.costMs < b.costMs ? b : a), NOTHING);
  }

  /** Returns an input of a random kind. The slowest inputs are the most likely. */
  pick(random: Random): Slowest {
    const pool = pick([...this.#byKind.values()], random) ?? [];
    return pool[Math.floor(random() ** 2 * pool.length)] ?? NOTHING;
  }
}

/**
 * Returns the kind of an input: its outcome and its size class. Sizes in one class differ by less
 * than a factor of eight.
 */
function kindOf(input: FuzzInput, { outcome }: Run): string {
  const length = Object.values(input).reduce((sum, text) => sum + text.length, 1);
  return `${outcome} ${Math.floor(Math.log2(length) / 3)}`;
}

const NOTHING: Slowest = { input: {}, costMs: 0, outcome: '' };

/**
 * Measures the input several times and returns the lowest cost. Stops as soon as a cost is at most
 * `bound`.
 */
export async function leastCost(
  run: () => Promise<Run>,
  { bound, first }: { readonly bound: number; readonly first: Run },
): Promise<Run> {
  let least = first;
  for (let more = RUNS - 1; more > 0 && least.costMs > bound; more -= 1) {
    const next = await run();
    if (next.costMs < least.costMs) least = next;
  }
  return least;
}

/** Shortens the input as long as its cost stays above `aboveMs`. */
export async function minimised(
  input: FuzzInput,
  aboveMs: number,
  { run, isOver }: Pick<SearchOptions, 'isOver' | 'run'>,
): Promise<FuzzInput> {
  let shortest = input;
  const isSlow = async (candidate: FuzzInput) => {
    const first = await run(candidate);
    return (await leastCost(() => run(candidate), { bound: aboveMs, first })).costMs > aboveMs;
  };
  for (const name of Object.keys(input)) {
    for (let size = input[name]?.length ?? 0; size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < (shortest[name] ?? '').length && !isOver();) {
        const text = shortest[name] ?? '';
        const candidate = { ...shortest, [name]: text.slice(0, at) + text.slice(at + size) };
        if (await isSlow(candidate)) shortest = candidate;
        else at += size;
      }
    }
  }
  return shortest;
}

function firstInputs({ fields }: FuzzTarget, seed: number): readonly FuzzInput[] {
  const valid = Object.entries(fields).map(([name, field]) => [name, field.valid] as const);
  return fc.sample(fc.record(Object.fromEntries(valid)), { seed, numRuns: FIRST_INPUTS });
}

type EditsOf = ReadonlyMap<string, readonly Edits[]>;

/** Returns the edits that the fuzz tests also make. */
function editsOfFields({ fields }: FuzzTarget, seed: number): EditsOf {
  return new Map(
    Object.entries(fields).map(([name, { tokens }]) => [
      name,
      fc.sample(edits(tokens), { seed, numRuns: EDITS }),
    ]),
  );
}

interface Editing {
  readonly target: FuzzTarget;
  readonly editsOf: EditsOf;
  readonly random: Random;
}

/** Makes one to three edits. An edit can replace a field with the same field of the other input. */
function editedInput(parent: FuzzInput, other: FuzzInput, editing: Editing): FuzzInput {
  const { target, editsOf, random } = editing;
  let input = parent;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const name = pick(Object.keys(target.fields), random) ?? '';
    const chance = random();
    if (chance < 0.55) input = grown(input, target, random);
    else if (chance < 0.7) input = { ...input, [name]: other[name] ?? '' };
    else {
      const edit = pick(editsOf.get(name) ?? [], random);
      const text = edit?.(input[name] ?? '') ?? '';
      input = { ...input, [name]: text.slice(0, target.fields[name]?.maxLength) };
    }
  }
  return input;
}

function distinct(inputs: readonly FuzzInput[]): readonly FuzzInput[] {
  return inputs.filter((each, index) => inputs.findIndex((other) => isSame(each, other)) === index);
}

function isSame(a: FuzzInput, b: FuzzInput): boolean {
  return Object.keys(a).every((name) => a[name] === b[name]);
}
