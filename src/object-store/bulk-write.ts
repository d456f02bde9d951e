/** Defines the bulk write, which puts many small objects in one call. */

import type { RequestedChecksum } from './checksum.ts';
import type { CallOptions, PutObjectRequest, PutObjectResult } from './object-store.ts';
import { StorageError } from './storage-error.ts';

export interface ObjectToPut extends Omit<PutObjectRequest, 'bucket' | 'body'> {
  /** The complete body. The caller must not change these bytes before the call ends. */
  readonly bytes: Uint8Array;
  /** The SHA-256 of the body; see `Body`. */
  readonly sha256?: string;
  /** The checksum to store with the object; see `Body`. */
  readonly checksum?: RequestedChecksum;
}

export interface PutObjectsRequest {
  readonly bucket: string;
  /** The objects to put. Objects with the same key are put in the order of the list. */
  readonly objects: readonly ObjectToPut[];
}

/**
 * The outcome for one object: the result with which `putObject` would resolve, or the error with which it would reject.
 */
export type PutOutcome = PutObjectResult | StorageError;

/** The limits of one bulk write. */
export interface BulkLimits {
  readonly objects: number;
  /** The maximum total size of the bodies. */
  readonly bytes: number;
  readonly bytesPerObject: number;
}

export interface BulkWriter {
  readonly limits: BulkLimits;
  /**
   * Puts each object as `putObject` would, with its own conditions, locks, version ID and outcome, but at much lower
   * cost. Resolves with one outcome for each object, in the order of the request. An object whose outcome is a result
   * is durable. Rejects with `InvalidArgument` if the request exceeds the limits, and with the signal's reason if the
   * signal is aborted before the call begins. In both cases, no object was put.
   */
  putObjects(request: PutObjectsRequest, options?: CallOptions): Promise<readonly PutOutcome[]>;
}

/** A store that possibly supports bulk writes. */
export interface BulkWriting {
  /**
   * The bulk writer, or undefined if the store does not support bulk writes. The client of a remote service does not
   * support them, because the protocol has no such request.
   */
  readonly bulkWriter: BulkWriter | undefined;
}

/** Throws `InvalidArgument` if the objects exceed the limits of one bulk write. */
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
