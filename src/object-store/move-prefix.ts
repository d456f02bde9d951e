/** Copies or renames all objects with a prefix, several at the same time. */

import { eachAtOnce } from '../base/at-once.ts';
import { defined } from '../base/defined.ts';
import { StorageError } from './storage-error.ts';
import type { ListedObject } from './listing.ts';
import type { CallOptions, ObjectReader } from './object-store.ts';
import type { ObjectLocation } from './rename.ts';

/**
 * The number of objects that are copied or renamed at the same time. Each object takes several requests to the same
 * service.
 */
const OBJECTS_AT_ONCE = 8;
/** The maximum number of failures in the result. Further failures are only counted. */
const MAX_LISTED_FAILURES = 1000;

export interface PrefixLocation {
  readonly bucket: string;
  /** The prefix of the keys to copy or rename. The rest of each key is kept. */
  readonly prefix: string;
}

export interface PrefixFailure {
  readonly from: ObjectLocation;
  readonly to: ObjectLocation;
  readonly error: unknown;
}

export interface PrefixMove {
  readonly from: PrefixLocation;
  readonly to: PrefixLocation;
  /** Copies or renames one object. If the promise rejects, the object counts as failed. */
  readonly each: (from: ObjectLocation, to: ObjectLocation, object: ListedObject) => Promise<void>;
}

export interface PrefixResult {
  readonly objects: number;
  readonly sizeBytes: number;
  readonly failedCount: number;
  /** Up to 1,000 objects that could not be copied or renamed, with the reasons. */
  readonly failed: readonly PrefixFailure[];
}

export interface PrefixOptions extends CallOptions {
  readonly onProgress?: (progress: Pick<PrefixResult, 'objects' | 'sizeBytes'>) => void;
}

/**
 * Copies or renames each object with the prefix. Returns the number of objects and the failures. Continues after an
 * object has failed. Throws `InvalidRequest` if one prefix begins with the other in the same bucket, because the
 * listing would then contain the new objects, which would be moved again.
 */
export async function movePrefix(
  store: ObjectReader,
  { from, to, each }: PrefixMove,
  { signal, onProgress }: PrefixOptions,
): Promise<PrefixResult> {
  refuseOverlap(from, to);
  const failed: PrefixFailure[] = [];
  const counts = { objects: 0, sizeBytes: 0, failedCount: 0 };
  await eachAtOnce(listed(store, from, signal), OBJECTS_AT_ONCE, async (object) => {
    const source = { bucket: from.bucket, key: object.key };
    const target = { bucket: to.bucket, key: to.prefix + object.key.slice(from.prefix.length) };
    try {
      await each(source, target, object);
      counts.objects += 1;
      counts.sizeBytes += object.sizeBytes;
      onProgress?.(counts);
    } catch (error) {
      signal?.throwIfAborted();
      counts.failedCount += 1;
      if (failed.length < MAX_LISTED_FAILURES) failed.push({ from: source, to: target, error });
    }
  });
  return { ...counts, failed };
}

async function* listed(
  store: ObjectReader,
  place: PrefixLocation,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedObject, void> {
  let continuationToken: string | undefined;
  do {
    const page = await store.listObjects(
      { ...place, ...defined({ continuationToken }) },
      defined({ signal }),
    );
    yield* page.objects;
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
}

function refuseOverlap(from: PrefixLocation, to: PrefixLocation): void {
  if (from.bucket !== to.bucket) return;
  if (!from.prefix.startsWith(to.prefix) && !to.prefix.startsWith(from.prefix)) return;
  const [one, other] = [from.prefix, to.prefix].map((prefix) => JSON.stringify(prefix));
  throw new StorageError(
    'InvalidRequest',
    `copy or rename: the prefixes ${one} and ${other} overlap, so new objects would be copied again`,
  );
}
