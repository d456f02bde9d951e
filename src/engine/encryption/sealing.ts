/** What a write with a customer's key is encrypted with. */

import { randomBytes } from 'node:crypto';

import { type CustomerKey, encryptionBy } from '../../object-store/customer-key.ts';
import type { SealUnder } from './blob-sealer.ts';
import { KEY_BYTES, type KeyPlace, SALT_BYTES, secretOf, wrapObjectKey } from './object-key.ts';

export interface Sealing extends SealUnder {
  /** As the version or upload keeps it. */
  readonly encryption: string;
  readonly sealedFor: number;
}

/** A key of its own for what is about to be written. */
export function newSealing(customerKey: CustomerKey, place: KeyPlace): Sealing {
  // At once: asking for random bytes takes as long as encrypting a small object.
  const random = randomBytes(KEY_BYTES + SALT_BYTES);
  const objectKey = secretOf(random.subarray(0, KEY_BYTES));
  const salt = random.subarray(KEY_BYTES);
  const encryption = wrapObjectKey(objectKey, customerKey, place, salt);
  return { objectKey, partNumber: 0, encryption, sealedFor: place.bucketId };
}

/** A result that tells by which key. */
export function toldWith<Result extends object>(
  result: Result,
  customerKey: CustomerKey | undefined,
): Result {
  return customerKey === undefined ? result : { ...result, encryption: encryptionBy(customerKey) };
}
