/** Prepares the encryption of a write with a customer key. */

import { randomBytes } from 'node:crypto';

import { type CustomerKey, encryptionBy } from '../../object-store/customer-key.ts';
import type { SealUnder } from './blob-sealer.ts';
import { KEY_BYTES, type KeyPlace, SALT_BYTES, secretOf, wrapObjectKey } from './object-key.ts';

export interface Sealing extends SealUnder {
  /** The encrypted object key, which is stored with the version or upload. */
  readonly encryption: string;
  readonly sealedFor: number;
}

/** Creates an object key for a new version or upload. */
export function newSealing(customerKey: CustomerKey, place: KeyPlace): Sealing {
  // Get all random bytes with one call, because a call takes as long as encrypting a small object.
  const random = randomBytes(KEY_BYTES + SALT_BYTES);
  const objectKey = secretOf(random.subarray(0, KEY_BYTES));
  const salt = random.subarray(KEY_BYTES);
  const encryption = wrapObjectKey(objectKey, customerKey, place, salt);
  return { objectKey, partNumber: 0, encryption, sealedFor: place.bucketId };
}

/**
 * Adds a description of the encryption to the result if there is a customer key. Otherwise returns the result
 * unchanged.
 */
export function withEncryption<Result extends object>(
  result: Result,
  customerKey: CustomerKey | undefined,
): Result {
  return customerKey === undefined ? result : { ...result, encryption: encryptionBy(customerKey) };
}
