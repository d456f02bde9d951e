/**
 * The file that saves the dashboard's state between sessions: the buckets that the user opened by name, and the theme.
 */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { errorCode } from '../../src/base/errors.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';
import type { BucketPlace } from './place.ts';

/** Limits the bucket list to a length that a user can read. */
export const MOST_NOTED_BUCKETS = 100;
/** The dashboard never writes a file of this size, so it does not parse a larger file. */
const MOST_NOTES_CHARACTERS = 1_000_000;

/**
 * Returns the saved buckets, oldest first. Returns none if the file does not exist or is invalid. Rejects if the file
 * cannot be read.
 */
export async function notedBuckets(file: string): Promise<readonly BucketPlace[]> {
  const { openedBuckets } = await readNotes(file);
  if (!Array.isArray(openedBuckets)) return [];
  return openedBuckets.filter(isPlace).slice(-MOST_NOTED_BUCKETS);
}

export async function noteBucket(file: string, { target, bucket }: BucketPlace): Promise<void> {
  const before = await notedBuckets(file);
  if (before.some((each) => isSame(each, { target, bucket }))) return;
  const openedBuckets = [...before, { target, bucket }].slice(-MOST_NOTED_BUCKETS);
  await write(file, { openedBuckets });
}

export async function forgetBucket(file: string, place: BucketPlace): Promise<void> {
  const before = await notedBuckets(file);
  await write(file, { openedBuckets: before.filter((each) => !isSame(each, place)) });
}

/**
 * Returns the name of the theme that the user selected last. The read is synchronous, because the first frame uses the
 * theme.
 */
export function notedTheme(file: string): string | undefined {
  const { theme } = parseNotes(textOrEmpty(file));
  return typeof theme === 'string' ? theme : undefined;
}

export async function noteTheme(file: string, theme: string): Promise<void> {
  await write(file, { theme });
}

/**
 * Changes the given fields of the file. It preserves all other fields, because another release of Holdfast may have
 * written them.
 */
async function write(file: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const notes = { ...(await readNotes(file)), ...changes };
  await writeAtomically(file, `${JSON.stringify(notes, null, 2)}\n`);
}

async function readNotes(file: string): Promise<Readonly<Record<string, unknown>>> {
  return parseNotes(await readFile(file, 'utf8').catch(emptyIfMissing));
}

function emptyIfMissing(error: unknown): string {
  if (errorCode(error) === 'ENOENT') return '{}';
  throw error;
}

function textOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The bucket list reports the read error. Until then, the dashboard selects the theme by the terminal's background.
    return '{}';
  }
}

function parseNotes(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MOST_NOTES_CHARACTERS) return {};
  try {
    const notes: unknown = JSON.parse(text);
    return typeof notes === 'object' && notes !== null ? { ...notes } : {};
  } catch {
    // The file is damaged. It is treated as empty, because the user can easily enter its content again.
    return {};
  }
}

function isPlace(each: unknown): each is BucketPlace {
  if (typeof each !== 'object' || each === null) return false;
  const { target, bucket } = each as Partial<Record<string, unknown>>;
  return typeof target === 'string' && typeof bucket === 'string' && bucket !== '';
}

function isSame(a: BucketPlace, b: BucketPlace): boolean {
  return a.target === b.target && a.bucket === b.bucket;
}
