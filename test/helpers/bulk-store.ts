/** Wraps a store that has a bulk writer, so that small objects are uploaded in bulk writes. */

import { invariant } from '../../src/base/errors.ts';
import type { BulkWriter, ObjectToPut, PutOutcome } from '../../src/object-store/bulk-write.ts';
import type {
  CallOptions,
  ObjectStore,
  PutObjectRequest,
  PutObjectResult,
} from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { overriding } from './forgetful-store.ts';

interface Waiting {
  readonly object: ObjectToPut;
  readonly settle: (outcome: Promise<PutOutcome>) => void;
}

/**
 * Combines all puts to one bucket in one turn of the event loop into one bulk write. An object is
 * uploaded alone if its body is not in memory or is too large for a bulk write.
 */
export function bulkStore(inner: ObjectStore): ObjectStore {
  const writer = inner.bulkWriter;
  invariant(writer, 'wrap store: it has no bulk writer');
  const gathered = new Gathered(writer);
  return overriding(inner, {
    bulkWriter: writer,
    putObject: (request, options = {}) => {
      const object = asObject(request, writer);
      return object
        ? gathered.put(request.bucket, object, options)
        : inner.putObject(request, options);
    },
  });
}

function asObject(
  { bucket: _bucket, body, ...request }: PutObjectRequest,
  { limits }: BulkWriter,
): ObjectToPut | undefined {
  const { bytes, sizeBytes, sha256, checksum } = body;
  if (bytes === undefined || bytes.byteLength > limits.bytesPerObject) return undefined;
  if (sizeBytes !== undefined && sizeBytes !== bytes.byteLength) return undefined;
  return {
    ...request,
    bytes,
    ...(sha256 !== undefined && { sha256 }),
    ...(checksum !== undefined && { checksum }),
  };
}

class Gathered {
  readonly #writer: BulkWriter;
  readonly #waiting = new Map<string, Map<AbortSignal | undefined, Waiting[]>>();

  constructor(writer: BulkWriter) {
    this.#writer = writer;
  }

  async put(
    bucket: string,
    object: ObjectToPut,
    { signal }: CallOptions,
  ): Promise<PutObjectResult> {
    const { promise, resolve } = Promise.withResolvers<PutOutcome>();
    if (this.#waiting.size === 0) setImmediate(() => this.#write());
    const ofBucket = this.#waiting.get(bucket) ?? new Map<AbortSignal | undefined, Waiting[]>();
    this.#waiting.set(bucket, ofBucket);
    ofBucket.set(signal, [...(ofBucket.get(signal) ?? []), { object, settle: resolve }]);
    const outcome = await promise;
    if (isStorageError(outcome)) throw outcome;
    return outcome;
  }

  #write(): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const [bucket, bySignal] of all) {
      for (const [signal, waiting] of bySignal) {
        for (const some of batches(waiting, this.#writer)) {
          const objects = some.map(({ object }) => object);
          const written = this.#writer.putObjects({ bucket, objects }, signal ? { signal } : {});
          for (const [index, { settle }] of some.entries())
            settle(written.then((outcomes) => outcomeAt(outcomes, index)));
        }
      }
    }
  }
}

/** Splits the objects into batches that respect the limits of a bulk write. */
function batches(waiting: readonly Waiting[], { limits }: BulkWriter): readonly Waiting[][] {
  const all: Waiting[][] = [];
  let bytes = Infinity;
  for (const each of waiting) {
    const last = all.at(-1);
    bytes += each.object.bytes.byteLength;
    if (last && last.length < limits.objects && bytes <= limits.bytes) {
      last.push(each);
    } else {
      all.push([each]);
      bytes = each.object.bytes.byteLength;
    }
  }
  return all;
}

function outcomeAt(outcomes: readonly PutOutcome[], index: number): PutOutcome {
  const outcome = outcomes[index];
  invariant(outcome, 'put objects: each object has an outcome');
  return outcome;
}
