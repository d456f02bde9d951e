/** Compares the content of two sides: line by line if both are text, otherwise by their first differing bytes. */

import { countText, numberText } from '../../../src/text/amounts.ts';
import { diffLines, withContext } from '../../../src/text/line-diff.ts';
import type { SpanLine } from '../../syntax/span.ts';
import type { Tone } from '../../theme/look.ts';

/** One side of a comparison, with the first bytes of its content. */
export interface DiffSide {
  /** The name of this side. It must be escaped before it is drawn. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256?: string | undefined;
  /** The metadata and tags of this side, by name. */
  readonly stated?: ReadonlyMap<string, string>;
  /** The whole content, or its first bytes. */
  readonly bytes: Uint8Array;
}

export interface DiffRow {
  readonly is: 'same' | 'removed' | 'added' | 'left out' | 'said';
  /** The text of the row. It must be escaped before it is drawn. */
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const CONTEXT_LINES = 3;

export const SIGNS: Readonly<Record<DiffRow['is'], string>> = {
  same: ' ',
  removed: '-',
  added: '+',
  'left out': ' ',
  said: ' ',
};
export const TONES: Readonly<Record<DiffRow['is'], Tone>> = {
  same: 'plain',
  removed: 'removed',
  added: 'added',
  'left out': 'dim',
  said: 'strong',
};

export interface DiffForm {
  /** Whether to show all lines. If false, only lines near a difference are shown. */
  readonly whole: boolean;
  /** Whether to show the first differing bytes of binary content. */
  readonly hex: boolean;
}

export function diffRows(before: DiffSide, after: DiffSide, form: DiffForm): readonly DiffRow[] {
  return [...statedRows(before, after), ...contentRows(before, after, form)];
}

/** Returns the difference for a pane: a unified diff for text, otherwise sizes and digests. */
export function diffContent(before: DiffSide, after: DiffSide): readonly (SpanLine | string)[] {
  return diffRows(before, after, { whole: false, hex: false }).map(({ is, text }) => {
    return is === 'said' ? text : [{ text: `${SIGNS[is]} ${text}`, tone: TONES[is] }];
  });
}

/** Returns rows for the metadata and tags that differ. The new value of a name follows its old value. */
function statedRows(
  { stated: before = new Map() }: DiffSide,
  { stated: after = new Map() }: DiffSide,
): DiffRow[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const rows: DiffRow[] = [];
  for (const name of names) {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === now) continue;
    if (old !== undefined) rows.push({ is: 'removed', text: `${name}: ${old}` });
    if (now !== undefined) rows.push({ is: 'added', text: `${name}: ${now}` });
  }
  return rows;
}

function contentRows(before: DiffSide, after: DiffSide, form: DiffForm): readonly DiffRow[] {
  const [old, young] = [textOf(before), textOf(after)];
  if (isSame(before, after)) return [said('the content is the same')];
  if (old === undefined || young === undefined) return byteRows(before, after, form.hex);
  const lines = diffLines(old, young);
  const rows = form.whole ? lines : withContext(lines, CONTEXT_LINES);
  const shown = rows.map((row) => {
    return 'count' in row ? { is: row.is, text: countText(row.count, 'equal line') } : row;
  });
  const cut = [before, after].filter(isCut).map(({ name, bytes, sizeBytes }) => {
    const read = `the first ${numberText(bytes.byteLength)} of ${numberText(sizeBytes)} bytes`;
    return said(`of ${name} only ${read} are compared`);
  });
  return [...cut, ...shown];
}

const said = (text: string): DiffRow => ({ is: 'said', text });

function isCut({ bytes, sizeBytes }: DiffSide): boolean {
  return bytes.byteLength < sizeBytes;
}

function isSame(a: DiffSide, b: DiffSide): boolean {
  if (a.sizeBytes !== b.sizeBytes) return false;
  if (a.sha256 !== undefined && a.sha256 === b.sha256) return true;
  return !isCut(a) && !isCut(b) && firstDifference(a.bytes, b.bytes) === undefined;
}

/** Returns the lines of the text. Returns undefined if the content is not UTF-8 or contains a zero byte. */
function textOf({ bytes, sizeBytes }: DiffSide): readonly string[] | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // If the content is cut off, the last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, {
      stream: bytes.byteLength < sizeBytes,
    });
    const lines = text.split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } catch {
    return undefined;
  }
}

/**
 * Returns the offset of the first differing byte, which may be the end of the shorter content. Returns undefined if both
 * are equal.
 */
function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  const length = Math.min(a.byteLength, b.byteLength);
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return at;
  return a.byteLength === b.byteLength ? undefined : length;
}

const BYTES_A_ROW = 16;
const ROWS_AROUND = 3;

function byteRows(before: DiffSide, after: DiffSide, hex: boolean): readonly DiffRow[] {
  const at = firstDifference(before.bytes, after.bytes);
  const facts = [before, after].map(({ name, sizeBytes, sha256 }) => {
    const digest = sha256 === undefined ? '' : `   sha256 ${sha256}`;
    return said(`${name}: ${numberText(sizeBytes)} bytes${digest}`);
  });
  if (at === undefined) {
    const read = numberText(Math.min(before.bytes.byteLength, after.bytes.byteLength));
    return [...facts, said(`not text; the first ${read} bytes, which were read, are equal`)];
  }
  const first = Math.max(0, Math.floor(at / BYTES_A_ROW) - 1) * BYTES_A_ROW;
  return [
    ...facts,
    said(`not text; the first difference is at byte ${numberText(at)}`),
    ...(hex ? hexRows(before.bytes, first, 'removed') : []),
    ...(hex ? hexRows(after.bytes, first, 'added') : []),
  ];
}

function hexRows(bytes: Uint8Array, first: number, is: DiffRow['is']): DiffRow[] {
  return Array.from({ length: ROWS_AROUND }, (_, row) => {
    const start = first + row * BYTES_A_ROW;
    const part = [...bytes.subarray(start, start + BYTES_A_ROW)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    return {
      is,
      text: `${start.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text.join('')}`,
    };
  }).filter(({ text }) => text.length > 60);
}
