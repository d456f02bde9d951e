/** What a write with a customer's key is encrypted with. */

import { type CustomerKey, encryptionBy } from '../../object-store/customer-key.ts';
import type { SealUnder } from './blob-sealer.ts';
import { type KeyPlace, newObjectKey, wrapObjectKey } from './object-key.ts';

export interface Sealing extends SealUnder {
  /** As the version or upload keeps it. */
  readonly encryption: string;
}

/** A key of its own for what is about to be written. */
export function newSealing(customerKey: CustomerKey, place: KeyPlace): Sealing {
  const objectKey = newObjectKey();
  return { objectKey, partNumber: 0, encryption: wrapObjectKey(objectKey, customerKey, place) };
}

/** A result that tells by which key. */
export function toldWith<Result extends object>(
  result: Result,
  customerKey: CustomerKey | undefined,
): Result {
  return customerKey === undefined ? result : { ...result, encryption: encryptionBy(customerKey) };
}
