/** Compares two texts line by line. */

export interface DiffLine {
  readonly is: 'added' | 'removed' | 'same';
  /** The line without its line ending. */
  readonly text: string;
}

/** Number of unchanged lines before and after the change. */
const CONTEXT_LINES = 2;
/** Maximum number of compared lines. A longer change is returned as removed and added lines. */
const MAX_COMPARED = 1_000;

/** Returns the lines that differ, with two lines of context; empty if the texts are equal. */
export function diffLines(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (text: string): DiffLine => ({ is: 'same', text });
  return [
    ...old.slice(Math.max(0, start - CONTEXT_LINES), start).map(same),
    ...compared(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end, old.length - end + CONTEXT_LINES).map(same),
  ];
}

/** Compares lines by their longest common subsequence. */
function compared(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ is: 'removed', text });
  const added = (text: string): DiffLine => ({ is: 'added', text });
  if (old.length > MAX_COMPARED || now.length > MAX_COMPARED)
    return [...old.map(removed), ...now.map(added)];
  const lengths = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [a, b] = [old[i], now[j]];
    if (a !== undefined && a === b) {
      lines.push({ is: 'same', text: a });
      i += 1;
      j += 1;
    } else if (
      a !== undefined &&
      (b === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))
    ) {
      lines.push(removed(a));
      i += 1;
    } else if (b !== undefined) {
      lines.push(added(b));
      j += 1;
    }
  }
  return lines;
}

/** Returns a table: [i][j] is the length of the longest common subsequence of the lines from i and from j on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (const [i, row] of [...lengths.entries()].slice(0, -1).toReversed()) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const longer = Math.max(at(lengths, i + 1, j), row[j + 1] ?? 0);
      row[j] = old[i] === now[j] ? at(lengths, i + 1, j + 1) + 1 : longer;
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
