/** Compares two texts line by line. */

import { diffArrays } from 'diff';

export interface DiffLine {
  readonly is: 'same' | 'removed' | 'added';
  /** The line without its line ending. */
  readonly text: string;
  /** The line number in the old text, counted from 1. Absent for an added line. */
  readonly before?: number;
  /** The line number in the new text, counted from 1. Absent for a removed line. */
  readonly after?: number;
}

/** A sequence of unchanged lines that is not shown. */
interface OmittedLines {
  readonly is: 'left out';
  readonly count: number;
}

/**
 * The maximum number of edits. For texts with more differences, the result is all old lines as removed, followed by all
 * new lines as added.
 */
const MAX_EDITS = 1_000;

/** The number of unchanged lines that `changedLines` returns before the first change and after the last one. */
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
  return numbered([
    ...before.slice(0, head).map((text) => ({ is: 'same', text }) as const),
    ...editsOf(old, now),
    ...before.slice(before.length - tail).map((text) => ({ is: 'same', text }) as const),
  ]);
}

/**
 * Returns the lines from the first difference to the last one, with two lines of context and without line numbers. The
 * result is empty if the texts are equal. LF and CRLF count as different only if nothing else differs.
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

/**
 * Keeps `context` lines around each difference. Replaces each sequence of the remaining unchanged lines with one row
 * that contains their number.
 */
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

function editsOf(old: readonly string[], now: readonly string[]): readonly Edit[] {
  const runs = diffArrays([...old], [...now], { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  return runs.flatMap(({ removed, added, value }) => {
    const is = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text) => ({ is, text }) as const);
  });
}

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
