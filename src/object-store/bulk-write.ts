/** Declares the bulk write, which puts many small objects in one call. */

import type { RequestedChecksum } from './checksum.ts';
import type { CallOptions, PutObjectRequest, PutObjectResult } from './object-store.ts';
import { StorageError } from './storage-error.ts';

export interface ObjectToPut extends Omit<PutObjectRequest, 'bucket' | 'body'> {
  /** The whole body. The caller must not change the bytes before the call ends. */
  readonly bytes: Uint8Array;
  /** As in `Body`. */
  readonly sha256?: string;
  /** As in `Body`. */
  readonly checksum?: RequestedChecksum;
}

export interface PutObjectsRequest {
  readonly bucket: string;
  /** Objects with the same key are put in the order of the list. */
  readonly objects: readonly ObjectToPut[];
}

/** The outcome of one object: the result that `putObject` would resolve with, or the error that it would reject with. */
export type PutOutcome = PutObjectResult | StorageError;

/** The limits of one call. */
export interface BulkLimits {
  readonly objects: number;
  /** The limit for all bodies together. */
  readonly bytes: number;
  readonly bytesPerObject: number;
}

export interface BulkWriter {
  readonly limits: BulkLimits;
  /**
   * Puts each object as `putObject` would, with its own conditions, locks, version id and outcome, at a fraction of the
   * cost. Resolves with one outcome for each object, in the order of the request; each object that has a result is durable.
   * Rejects with `InvalidArgument` for a request beyond the limits, and with the signal's reason if it is aborted before
   * the call begins. If it rejects with one of these, no object was put.
   */
  putObjects(request: PutObjectsRequest, options?: CallOptions): Promise<readonly PutOutcome[]>;
}

/** The role of a store that may implement `BulkWriter`. */
export interface BulkWriting {
  /**
   * The bulk writer, or undefined if the store has none. A client of a remote service has none, because the protocol has no
   * such request.
   */
  readonly bulkWriter: BulkWriter | undefined;
}

/** Throws `InvalidArgument` if the objects exceed the limits of one call. */
export function checkBulkLimits(objects: readonly ObjectToPut[], limits: BulkLimits): void {
  if (objects.length > limits.objects)
    throw beyond(`${objects.length} objects`, `${limits.objects} objects`);
  let sizeBytes = 0;
  for (const { bytes } of objects) {
    if (bytes.byteLength > limits.bytesPerObject)
      throw beyond(`an object of ${bytes.byteLength} bytes`, `${limits.bytesPerObject} bytes each`);
    sizeBytes += bytes.byteLength;
  }
  if (sizeBytes > limits.bytes) throw beyond(`${sizeBytes} bytes`, `${limits.bytes} bytes`);
}

function beyond(given: string, allowed: string): StorageError {
  const message = `put objects: the request has ${given}; the limit is ${allowed}`;
  return new StorageError('InvalidArgument', message, { details: { ArgumentName: 'objects' } });
}
