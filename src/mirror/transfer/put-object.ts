/** Puts a job's objects. If the store supports it, small objects that are put at the same time share a bulk write. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { invariant } from '../../base/errors.ts';
import type {
  BulkLimits,
  BulkWriter,
  ObjectToPut,
  PutOutcome,
} from '../../object-store/bulk-write.ts';
import type { PutObjectRequest, PutObjectResult } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Destination } from '../objects/destination.ts';
import { grouped } from './grouped.ts';

export type PutObject = (request: PutObjectRequest) => Promise<PutObjectResult>;

interface PutContext {
  readonly destination: Pick<Destination, 'bucket' | 'store'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly object: ObjectToPut;
  readonly writer: BulkWriter;
  readonly resolve: (result: PutObjectResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Number of objects that a bulk write waits for while many objects are being put. It waits at most a few milliseconds.
 */
const WANTED = 64;

/**
 * Returns a function that puts one of the job's objects. It has the same results and errors as the store's
 * `putObject`.
 */
export function objectPutter({ destination, clock, signal }: PutContext): PutObject {
  const { store, bucket } = destination;
  let running = 0;
  const write = async (all: readonly Waiting[]) => {
    const [first] = all;
    invariant(first, 'put objects: a group has at least one');
    const { writer } = first;
    for (const part of partsOf(all, writer.limits)) {
      const objects = part.map(({ object }) => object);
      const written = writer.putObjects({ bucket, objects }, { signal });
      await written.then(
        (outcomes) => settle(part, outcomes),
        (error: unknown) => {
          for (const { reject } of part) reject(error);
        },
      );
    }
  };
  const add = grouped({ clock, wanted: () => Math.min(WANTED, running >> 1), handle: write });
  return async (request) => {
    const writer = store.bulkWriter;
    const object = writer && smallObject(request, writer.limits);
    if (!object) return store.putObject(request, { signal });
    const { promise, resolve, reject } = Promise.withResolvers<PutObjectResult>();
    running += 1;
    add({ object, writer, resolve, reject }).catch(reject);
    return promise.finally(() => (running -= 1));
  };
}

function settle(part: readonly Waiting[], outcomes: readonly PutOutcome[]): void {
  for (const [index, { resolve, reject }] of part.entries()) {
    const outcome = outcomes[index];
    invariant(outcome, 'put objects: each object has an outcome');
    if (isStorageError(outcome)) reject(outcome);
    else resolve(outcome);
  }
}

/** Returns the object for a bulk write; undefined if its body is large or is not in memory. */
function smallObject(
  { body, ...request }: PutObjectRequest,
  { bytesPerObject }: BulkLimits,
): ObjectToPut | undefined {
  const { bytes, sha256, checksum } = body;
  if (bytes === undefined || bytes.byteLength > bytesPerObject) return undefined;
  return { ...request, bytes, ...defined({ sha256, checksum }) };
}

/** Splits objects into bulk writes that respect the limits. */
function* partsOf(all: readonly Waiting[], limits: BulkLimits): Generator<readonly Waiting[]> {
  let part: Waiting[] = [];
  let sizeBytes = 0;
  for (const waiting of all) {
    const { byteLength } = waiting.object.bytes;
    if (part.length === limits.objects || sizeBytes + byteLength > limits.bytes) {
      yield part;
      part = [];
      sizeBytes = 0;
    }
    part.push(waiting);
    sizeBytes += byteLength;
  }
  yield part;
}
