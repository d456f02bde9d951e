/** What differs between two texts, line by line: the shortest way from one to the other (Myers, 1986). Pure. */

export interface DiffLine {
  readonly is: 'same' | 'removed' | 'added';
  readonly text: string;
  /** Counted from 1; absent on the side that does not have it. */
  readonly before?: number;
  readonly after?: number;
}

/** The way is remembered step by step, which takes memory by its square: texts that differ more are shown one after the other. */
const MOST_STEPS = 1_000;

export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const head = commonStart(before, after);
  const tail = commonEnd(before.slice(head), after.slice(head));
  const [old, young] = [
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ];
  const edits = [
    ...before.slice(0, head).map(same),
    ...(shortestEdits(old, young) ?? [...old.map(removed), ...young.map(added)]),
    ...before.slice(before.length - tail).map(same),
  ];
  return numbered(edits);
}

type Edit = Pick<DiffLine, 'is' | 'text'>;

const same = (text: string): Edit => ({ is: 'same', text });
const removed = (text: string): Edit => ({ is: 'removed', text });
const added = (text: string): Edit => ({ is: 'added', text });

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

/** How far down both texts a way has come on each diagonal, that is by how many lines they are shifted. */
class Front {
  readonly #reached: Int32Array;
  readonly #middle: number;

  constructor(steps: number, before?: Front) {
    this.#middle = steps + 1;
    this.#reached = new Int32Array(2 * steps + 3).fill(-1);
    if (before) this.#reached.set(before.#reached, 1);
  }

  on(diagonal: number): number {
    return this.#reached[diagonal + this.#middle] ?? -1;
  }

  reach(diagonal: number, x: number): void {
    this.#reached[diagonal + this.#middle] = x;
  }

  /** Whether the way onto this diagonal is an added line; else it is a removed one. */
  isDown(diagonal: number, steps: number): boolean {
    if (diagonal === -steps) return true;
    return diagonal !== steps && this.on(diagonal - 1) < this.on(diagonal + 1);
  }
}

/** Undefined when it takes more steps than are tried. */
function shortestEdits(a: readonly string[], b: readonly string[]): readonly Edit[] | undefined {
  const fronts: Front[] = [new Front(0)];
  fronts[0]?.reach(1, 0);
  for (let steps = 0; steps <= Math.min(a.length + b.length, MOST_STEPS); steps += 1) {
    const from = fronts[steps];
    if (!from) return undefined;
    const front = new Front(steps + 1, from);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = from.isDown(diagonal, steps) ? from.on(diagonal + 1) : from.on(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      front.reach(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(fronts, a, b);
    }
    fronts.push(front);
  }
  return undefined;
}

function walkBack(
  fronts: readonly Front[],
  a: readonly string[],
  b: readonly string[],
): readonly Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [a.length, b.length];
  for (const [steps, from] of [...fronts.entries()].reverse()) {
    const isDown = from.isDown(x - y, steps);
    const diagonal = isDown ? x - y + 1 : x - y - 1;
    const [x0, y0] = steps === 0 ? [0, 0] : [from.on(diagonal), from.on(diagonal) - diagonal];
    const last = steps === 0 ? 0 : isDown ? x0 : x0 + 1;
    for (; x > last; x -= 1) edits.push(same(a[x - 1] ?? ''));
    if (steps > 0) edits.push(isDown ? added(b[y0] ?? '') : removed(a[x0] ?? ''));
    [x, y] = [x0, y0];
  }
  return edits.reverse();
}

function numbered(edits: readonly Edit[]): readonly DiffLine[] {
  let [before, after] = [0, 0];
  return edits.map(({ is, text }) => {
    if (is !== 'added') before += 1;
    if (is !== 'removed') after += 1;
    return {
      is,
      text,
      ...(is !== 'added' && { before }),
      ...(is !== 'removed' && { after }),
    };
  });
}

/** With `context` lines around each difference; what is left out is a row that says how many lines it stands for. */
export function withContext(
  lines: readonly DiffLine[],
  context: number,
): readonly (DiffLine | { readonly is: 'left out'; readonly count: number })[] {
  const near = new Set<number>();
  lines.forEach(({ is }, index) => {
    if (is === 'same') return;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const shown: (DiffLine | { is: 'left out'; count: number })[] = [];
  let left = 0;
  lines.forEach((line, index) => {
    if (!near.has(index)) {
      left += 1;
      return;
    }
    if (left > 0) shown.push({ is: 'left out', count: left });
    left = 0;
    shown.push(line);
  });
  return left > 0 ? [...shown, { is: 'left out', count: left }] : shown;
}
