/** What the dashboard remembers from one session to the next: the buckets that were opened by their names. */

import { readFile } from 'node:fs/promises';

import { errorCode } from '../../src/base/errors.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';
import type { BucketPlace } from './place.ts';

/** More would make the list of buckets one of memories. */
export const MOST_NOTED_BUCKETS = 100;
/** A file of this size was not written here. */
const MOST_NOTES_CHARACTERS = 1_000_000;

/** Those that were noted, the latest last. A file that is not there or cannot be understood holds none. */
export async function notedBuckets(file: string): Promise<readonly BucketPlace[]> {
  const { openedBuckets } = await readNotes(file);
  if (!Array.isArray(openedBuckets)) return [];
  return openedBuckets.filter(isPlace).slice(-MOST_NOTED_BUCKETS);
}

export async function noteBucket(file: string, { target, bucket }: BucketPlace): Promise<void> {
  const before = await notedBuckets(file);
  if (before.some((each) => isSame(each, { target, bucket }))) return;
  await write(file, [...before, { target, bucket }].slice(-MOST_NOTED_BUCKETS));
}

export async function forgetBucket(file: string, place: BucketPlace): Promise<void> {
  const before = await notedBuckets(file);
  await write(
    file,
    before.filter((each) => !isSame(each, place)),
  );
}

/** Members that another release has written stay. */
async function write(file: string, openedBuckets: readonly BucketPlace[]): Promise<void> {
  const notes = { ...(await readNotes(file)), openedBuckets };
  await writeAtomically(file, `${JSON.stringify(notes, null, 2)}\n`);
}

async function readNotes(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '{}';
    throw error;
  });
  if (text.length > MOST_NOTES_CHARACTERS) return {};
  try {
    const notes: unknown = JSON.parse(text);
    return typeof notes === 'object' && notes !== null ? { ...notes } : {};
  } catch {
    // Whoever edited it made it unreadable: it holds nothing that could not be typed again.
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
