/** Compares two versions of a file. Text is shown as a unified diff. Other content is compared by size and hash. */

import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff';

import { defined } from '../../../base/defined.ts';
import { bytesText, numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import type { Context } from '../../context.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { visible } from '../../output/text.ts';
import {
  type File,
  localSide,
  MAX_TEXT_BYTES,
  type Side,
  type SideAsked,
  versionSide,
} from './file-sides.ts';
import { undatedLines } from './undated-line.ts';

interface FileSide {
  readonly file: File;
  readonly asked: SideAsked;
}

/**
 * The maximum number of differing lines and the maximum duration in milliseconds. Beyond either, only the hashes are
 * compared.
 */
const MAX_EDITS = 20_000;
const TIMEOUT_MS = 10_000;
const CONTEXT_LINES = 3;
/** The number of bytes that are searched for a NUL byte. Content with a NUL byte is not text. */
const BINARY_BYTES = 8_000;

/**
 * Compares two sides. The default second side is the local file if it differs from the current version, and otherwise
 * the current version. The default first side is the version before the second side.
 */
export async function diffFile(context: Context, from: FileSide, to: FileSide): Promise<ExitCode> {
  const isGiven = to.asked.at !== undefined || to.asked.back !== undefined;
  const local = isGiven ? undefined : await localSide(to.file);
  const after = local ?? (await versionSide(to.file, isGiven ? to.asked : { back: 0 }));
  const isDefault = from.asked.at === undefined && from.asked.back === undefined;
  const before = await versionSide(from.file, isDefault ? { back: local ? 0 : 1 } : from.asked);
  const compared = compare(before, after);
  const isUncertain = before.isUncertain === true || after.isUncertain === true;
  if (context.json) await context.out.json(documentOf(from.file, { before, after, compared }));
  else {
    await context.out.lines(...linesOf(context, { before, after, compared }));
    if (isUncertain) await context.out.prose(...undatedLines(context, 1));
  }
  return isUncertain ? EXIT.attention : EXIT.ok;
}

type Compared =
  | { readonly is: 'same' | 'both absent' }
  | { readonly is: 'text'; readonly patch: StructuredPatch }
  | { readonly is: 'other'; readonly why: string };

function compare(before: Side, after: Side): Compared {
  if (before.is === 'absent' && after.is === 'absent') return { is: 'both absent' };
  if (isSame(before, after)) return { is: 'same' };
  const [a, b] = [textOf(before), textOf(after)];
  if (a === undefined || b === undefined) return { is: 'other', why: whyNoText(before, after) };
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, timeout: TIMEOUT_MS };
  const patch = structuredPatch('', '', a, b, undefined, undefined, options);
  return patch ? { is: 'text', patch } : { is: 'other', why: 'too many lines differ to list them' };
}

function isSame(before: Side, after: Side): boolean {
  if (before.is === 'absent' || after.is === 'absent') return false;
  if (before.sha256 !== undefined && after.sha256 !== undefined)
    return before.sha256 === after.sha256;
  return before.etag !== undefined && before.etag === after.etag;
}

/**
 * Returns the content as text. It is empty for an absent file. Returns undefined if the content is too large or is not
 * UTF-8.
 */
function textOf({ is, bytes }: Side): string | undefined {
  if (is === 'absent') return '';
  if (!bytes || bytes.subarray(0, BINARY_BYTES).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function whyNoText(...sides: readonly Side[]): string {
  const isLarge = sides.some(({ sizeBytes = 0 }) => sizeBytes > MAX_TEXT_BYTES);
  return isLarge
    ? `the lines of files larger than ${bytesText(MAX_TEXT_BYTES)} are not compared`
    : 'the content is not UTF-8 text';
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly compared: Compared;
}

function linesOf(context: Context, { before, after, compared }: Sides): readonly string[] {
  const { paint } = context.out;
  if (compared.is === 'text') {
    const isTerminal = context.io.stdout.isTTY === true;
    const shown = (line: string) => (isTerminal ? shownLine(line) : line);
    return [
      paint('strong', `--- ${labelOf(before)}`),
      paint('strong', `+++ ${labelOf(after)}`),
      ...patchLines(compared.patch).map((line) => {
        if (line.startsWith('@@')) return paint('dim', line);
        if (line.startsWith('+')) return paint('good', shown(line));
        return line.startsWith('-') ? paint('bad', shown(line)) : shown(line);
      }),
    ];
  }
  const sides = [...hashLines('---', before), ...hashLines('+++', after)];
  if (compared.is === 'same') return [...sides, 'the content is the same'];
  return compared.is === 'other' ? [...sides, `the content differs; ${compared.why}`] : sides;
}

function patchLines(patch: StructuredPatch): readonly string[] {
  return formatPatch(patch, OMIT_HEADERS).replace(/\n$/, '').split('\n');
}

/**
 * Escapes control characters, because a terminal would interpret them. Keeps tabs, and the appearance of lines that end
 * in CR LF.
 */
function shownLine(line: string): string {
  return line.replace(/\r$/, '').split('\t').map(visible).join('\t');
}

/** Returns the label of a side in the diff header. A tab separates the name from the time, as `patch` expects. */
function labelOf({ label, modifiedAt }: Side): string {
  return visible(label) + (modifiedAt === undefined ? '' : `\t${timeText(modifiedAt)}`);
}

function hashLines(mark: string, side: Side): readonly string[] {
  const { label, sizeBytes, modifiedAt, sha256, etag } = side;
  if (side.is === 'absent') return [`${mark} ${visible(label)}`];
  const time = modifiedAt === undefined ? '' : `  ${timeText(modifiedAt)}`;
  const hash = sha256 === undefined ? `ETag ${etag ?? 'unknown'}` : `SHA-256 ${sha256}`;
  return [
    `${mark} ${visible(label)}  ${numberText(sizeBytes ?? 0)} bytes${time}`,
    `    ${visible(hash)}`,
  ];
}

function documentOf({ versions: { job, path } }: File, { before, after, compared }: Sides) {
  const facts = ({ is, label, sizeBytes, modifiedAt, versionId, etag, sha256 }: Side) =>
    defined({ is, label, sizeBytes, modifiedAt, versionId, etag, sha256 });
  const document = { job, path, is: compared.is, before: facts(before), after: facts(after) };
  if (compared.is === 'other') return { ...document, why: compared.why };
  if (compared.is !== 'text') return document;
  const lines = compared.patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return {
    ...document,
    linesAdded: count('+'),
    linesRemoved: count('-'),
    hunks: compared.patch.hunks,
  };
}
