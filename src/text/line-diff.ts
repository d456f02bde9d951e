/** Compares two texts by lines: finds the shortest list of edits from one to the other (Myers, 1986). */

export interface DiffLine {
  readonly is: 'same' | 'removed' | 'added';
  /** The line without its line ending. */
  readonly text: string;
  /** Line number in the old text, from 1; absent for an added line. */
  readonly before?: number;
  /** Line number in the new text, from 1; absent for a removed line. */
  readonly after?: number;
}

/** A run of equal lines that is not shown. */
interface OmittedLines {
  readonly is: 'left out';
  readonly count: number;
}

/**
 * Maximum number of edits to search for. The search uses memory in proportion to the square of this number. Texts with
 * more differences are returned as removed lines followed by added lines.
 */
const MAX_EDITS = 1_000;

/** Number of unchanged lines before the first change and after the last one in `changedLines`. */
const CONTEXT_LINES = 2;

/** Returns all lines of both texts in order, with their line numbers. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const head = commonStart(before, after);
  const tail = commonEnd(before.slice(head), after.slice(head));
  const [old, now] = [
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ];
  const edits = [
    ...before.slice(0, head).map(same),
    ...(shortestEdits(old, now) ?? [...old.map(removed), ...now.map(added)]),
    ...before.slice(before.length - tail).map(same),
  ];
  return numbered(edits);
}

/**
 * Returns the lines from the first difference to the last one, with two lines of context and without line numbers; empty
 * if the texts are equal. Compares LF and CRLF only if nothing else differs.
 */
export function changedLines(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const isChange = ({ is }: DiffLine) => is !== 'same';
  const compare = (end: RegExp) => diffLines(before.split(end), after.split(end));
  const loose = compare(/\r?\n/);
  const lines = loose.some(isChange) ? loose : compare(/\n/);
  const [first, last] = [lines.findIndex(isChange), lines.findLastIndex(isChange)];
  return lines
    .slice(Math.max(0, first - CONTEXT_LINES), last + 1 + CONTEXT_LINES)
    .map(({ is, text }) => ({ is, text }));
}

/** Keeps `context` lines around each difference. Each run of other lines becomes one row with their number. */
export function withContext(
  lines: readonly DiffLine[],
  context: number,
): readonly (DiffLine | OmittedLines)[] {
  const near = new Set<number>();
  lines.forEach(({ is }, index) => {
    if (is === 'same') return;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const shown: (DiffLine | OmittedLines)[] = [];
  let omitted = 0;
  lines.forEach((line, index) => {
    if (!near.has(index)) {
      omitted += 1;
      return;
    }
    if (omitted > 0) shown.push({ is: 'left out', count: omitted });
    omitted = 0;
    shown.push(line);
  });
  return omitted > 0 ? [...shown, { is: 'left out', count: omitted }] : shown;
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

/**
 * The furthest position in the old text that a number of edits reaches on each diagonal. A diagonal is the difference
 * between the positions in the old and the new text.
 */
class Front {
  readonly #reached: Int32Array;
  readonly #middle: number;

  constructor(edits: number, before?: Front) {
    this.#middle = edits + 1;
    this.#reached = new Int32Array(2 * edits + 3).fill(-1);
    if (before) this.#reached.set(before.#reached, 1);
  }

  on(diagonal: number): number {
    return this.#reached[diagonal + this.#middle] ?? -1;
  }

  reach(diagonal: number, x: number): void {
    this.#reached[diagonal + this.#middle] = x;
  }

  /** Returns whether the last edit onto this diagonal is an added line instead of a removed one. */
  isDown(diagonal: number, edits: number): boolean {
    if (diagonal === -edits) return true;
    return diagonal !== edits && this.on(diagonal - 1) < this.on(diagonal + 1);
  }
}

/** Returns undefined if the texts have more than `MAX_EDITS` differences. */
function shortestEdits(a: readonly string[], b: readonly string[]): readonly Edit[] | undefined {
  const fronts: Front[] = [new Front(0)];
  fronts[0]?.reach(1, 0);
  for (let edits = 0; edits <= Math.min(a.length + b.length, MAX_EDITS); edits += 1) {
    const from = fronts[edits];
    if (!from) return undefined;
    const front = new Front(edits + 1, from);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = from.isDown(diagonal, edits) ? from.on(diagonal + 1) : from.on(diagonal - 1) + 1;
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
  for (const [count, from] of [...fronts.entries()].reverse()) {
    const isDown = from.isDown(x - y, count);
    const diagonal = isDown ? x - y + 1 : x - y - 1;
    const [x0, y0] = count === 0 ? [0, 0] : [from.on(diagonal), from.on(diagonal) - diagonal];
    const last = count === 0 ? 0 : isDown ? x0 : x0 + 1;
    for (; x > last; x -= 1) edits.push(same(a[x - 1] ?? ''));
    if (count > 0) edits.push(isDown ? added(b[y0] ?? '') : removed(a[x0] ?? ''));
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
