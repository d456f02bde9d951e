/**
 * Runs restore tests of large files. Reads ranges from the bucket in key order and compares them with the local file
 * until each file is proven. No recorded hash covers a single range, so a local file that has changed proves nothing.
 */

import { closeSync, fstatSync } from 'node:fs';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { FileInFlight } from '../base/files-in-flight.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { discard } from '../object-store/body.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { unchanged } from '../mirror/model/compare.ts';
import { type ByteSpan, chunksOf, digestOf } from '../mirror/local/file-content.ts';
import { kindOf, toExactEntry } from '../mirror/local/local-entry.ts';
import { openInside } from '../mirror/local/open-inside.ts';
import { nameOf } from '../mirror/state/damaged-versions.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { type Destination, readHead } from '../mirror/objects/destination.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import type { RestoreTestReport } from './proof-record.ts';
import type { ProvenFiles } from './proven-files.ts';
import { damageIn, readAgain } from './reread.ts';

export interface RangeTestOptions {
  readonly destination: Destination;
  readonly state: StateFile;
  /** The root of the job's folder. */
  readonly root: string;
  readonly proven: ProvenFiles;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for each version that the restore test finds damaged. */
  readonly onDamaged: (entry: BaselineEntry, reason: string) => void;
  /** Files larger than `wholeBytes` are tested by ranges of at most `rangeBytes` bytes. */
  readonly limits: { readonly wholeBytes: number; readonly rangeBytes: number };
  /** Called with the number of bytes read so far, and with the file whose next range is being read. */
  readonly onRange?: (bytes: number, current: FileInFlight) => void;
}

type Outcome =
  | { readonly is: 'sound' }
  /** The local file has changed or cannot be read, so the range cannot be compared. */
  | { readonly is: 'untested' }
  | { readonly is: 'failed'; readonly reason: string };

/**
 * The maximum number of large files to examine per run. Many of them may have changed, and examining a changed file
 * reads nothing.
 */
const FILES_PER_RUN = 64;

/**
 * Reads ranges with at most `bytes` bytes in total from the bucket. If a range differs, also reads its whole version.
 * Rejects with the store's errors.
 */
export async function testRanges(
  options: RangeTestOptions,
  bytes: number,
): Promise<NonNullable<RestoreTestReport['ranges']>> {
  const { state, proven, clock, limits } = options;
  const total = { count: 0, files: 0, bytes: 0 };
  for (const entry of state.baseline.largeFrom(proven.after, limits.wholeBytes, FILES_PER_RUN)) {
    let outcome: Outcome = { is: 'sound' };
    for (let ranges = 0; outcome.is === 'sound'; ranges++) {
      const first = proven.nextByte(entry);
      const left = Math.min(limits.rangeBytes, bytes - total.bytes);
      if (left <= 0) return total;
      const span = { first, endExclusive: Math.min(entry.sizeBytes, first + left) };
      const { path, sizeBytes } = entry;
      options.onRange?.(total.bytes, { path, sizeBytes, bytes: first });
      outcome = await testRange(entry, span, options);
      if (outcome.is === 'untested') proven.untested(entry);
      if (outcome.is === 'untested') break;
      if (outcome.is === 'failed') proven.failed(entry, outcome.reason, clock.now());
      else proven.passed(entry, span.endExclusive, clock.now());
      total.count += 1;
      total.bytes += span.endExclusive - first;
      if (ranges === 0) total.files += 1;
      if (span.endExclusive === entry.sizeBytes) break;
    }
    proven.after = entry.path;
  }
  return total;
}

async function testRange(
  entry: BaselineEntry,
  span: ByteSpan,
  options: RangeTestOptions,
): Promise<Outcome> {
  const local = await localDigest(entry, span, options);
  if (local === undefined) return { is: 'untested' };
  try {
    const stored = await storedDigest(entry, span, options);
    if (stored === local) return { is: 'sound' };
    return await judge(entry, 'its content differs from the file in the folder', options);
  } catch (error) {
    const isAnswer = isStorageError(error, 'NoSuchKey', 'NoSuchVersion', 'PreconditionFailed');
    if (!isAnswer && damageIn(error) === undefined) throw error;
    return judge(entry, `it cannot be read: ${failureReason(error)}`, options);
  }
}

/**
 * Reads the whole version, because only the whole version has a hash. Distinguishes damage in the bucket from damage
 * in the folder.
 */
async function judge(
  entry: BaselineEntry,
  reason: string,
  options: RangeTestOptions,
): Promise<Outcome> {
  const { destination, state, signal, onDamaged } = options;
  const { path: key, etag, sha256, versionId } = entry;
  const expected = { key, etag, sha256, ...defined({ versionId }) };
  const finding = await readAgain(destination, expected, { signal });
  if (state.baseline.get(key)?.etag !== etag) return { is: 'untested' };
  if (finding.is === 'damaged') onDamaged(entry, finding.reason);
  if (finding.is === 'damaged') return { is: 'failed', reason: finding.reason };
  if (finding.is === 'unread' && (await isReplaced(entry, options))) return { is: 'untested' };
  if (finding.is === 'unread')
    return { is: 'failed', reason: 'its version does not exist in the bucket' };
  return { is: 'failed', reason: `${reason}; its version in the bucket is intact` };
}

/** Returns whether another client replaced or deleted the object. A version with an ID cannot be replaced. */
export async function isReplaced(
  { path, etag, versionId }: BaselineEntry,
  { destination, signal }: Pick<RangeTestOptions, 'destination' | 'signal'>,
): Promise<boolean> {
  if (nameOf(versionId) !== '') return false;
  const head = await readHead(destination, path, signal);
  return head === 'absent' || head.etag !== etag;
}

/**
 * Returns the SHA-256 of a range of the local file. Returns undefined if the file has changed or cannot be read. A
 * scan reports such a file.
 */
async function localDigest(
  entry: BaselineEntry,
  span: ByteSpan,
  { root, signal }: RangeTestOptions,
): Promise<string | undefined> {
  let descriptor: number | undefined;
  try {
    descriptor = openInside(root, entry.path);
    if (!isMirrored(descriptor, entry)) return undefined;
    const { sha256 } = await digestOf(chunksOf(descriptor, span, { isBrief: true }), signal);
    return isMirrored(descriptor, entry) ? sha256 : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isMirrored(descriptor: number, entry: BaselineEntry): boolean {
  const stats = fstatSync(descriptor, { bigint: true });
  const kind = kindOf(stats);
  return kind === 'file' && unchanged(entry, toExactEntry(entry.path, kind, stats));
}

async function storedDigest(
  { path, etag, versionId }: BaselineEntry,
  { first, endExclusive }: ByteSpan,
  { destination, signal }: RangeTestOptions,
): Promise<string | undefined> {
  const { store, bucket, prefix } = destination;
  const last = endExclusive - 1;
  const object = { bucket, key: prefix + path, ...defined({ versionId: versionId || undefined }) };
  const request = { ...object, range: { first, last }, conditions: { ifMatch: [etag] } };
  const { range, body } = await store.getObject(request, { signal });
  if (range?.first === first && range.last === last) return (await digestOf(body, signal)).sha256;
  await discard(body);
  return undefined;
}
