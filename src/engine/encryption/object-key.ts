/**
 * The key of one object: random, and stored only encrypted with the customer's key (FORMAT.md, "Encryption"). It is bound
 * to the object's bucket and name, so that the bytes of another object cannot replace its bytes.
 */

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

import { errorMessage } from '../../base/errors.ts';
import type { CustomerKey } from '../../object-store/customer-key.ts';
import {
  customerKeyRequired,
  keyNotApplicable,
  wrongCustomerKey,
} from '../../object-store/rules/customer-keys.ts';
import { StorageError } from '../../object-store/storage-error.ts';

export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const SALT_BYTES = 32;
export const TAG_BYTES = 16;
/** A shorter tag is not valid. */
export const TAG = { authTagLength: TAG_BYTES };

/** Each wrapping key is used for one message, since its salt is random. */
const WRAPPING_NONCE = Buffer.alloc(12);

/** The bucket and key of an object. Bucket ids are never reused, unlike bucket names. */
export interface KeyPlace {
  readonly bucketId: number;
  readonly key: string;
}

/** `version.encryption`, as JSON. */
interface WrappedKey {
  readonly algorithm: 'AES256';
  /** Base64. */
  readonly salt: string;
  /** Base64 of the encrypted object key and its tag. */
  readonly wrappedKey: string;
}

/**
 * Returns the key for the bytes of a version or upload; undefined for an unencrypted one. Throws `InvalidRequest` if the
 * customer key is missing or not applicable, and as `unwrapObjectKey`.
 */
export function objectKeyOf(
  { encryption }: { readonly encryption: string | null },
  customerKey: CustomerKey | undefined,
  place: KeyPlace,
  wrongKey = wrongCustomerKey,
): KeyObject | undefined {
  if (encryption === null) {
    if (customerKey !== undefined) throw keyNotApplicable();
    return undefined;
  }
  if (customerKey === undefined) throw customerKeyRequired();
  return unwrapObjectKey(encryption, customerKey, place, wrongKey);
}

/** Returns the value to store with the version or upload. `salt` must be random and used for nothing else. */
export function wrapObjectKey(
  objectKey: KeyObject,
  customerKey: CustomerKey,
  place: KeyPlace,
  salt = randomBytes(SALT_BYTES),
): string {
  const cipher = createCipheriv(CIPHER, wrappingKey(customerKey, salt, place), WRAPPING_NONCE, TAG);
  const bytes = objectKey.export();
  const wrapped = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  bytes.fill(0);
  const stored: WrappedKey = {
    algorithm: 'AES256',
    salt: salt.toString('base64'),
    wrappedKey: wrapped.toString('base64'),
  };
  return JSON.stringify(stored);
}

/** Throws `wrongKey`, which is `AccessDenied`, for another customer key, and `InternalError` for a value that `wrapObjectKey` did not return. */
export function unwrapObjectKey(
  encryption: string,
  customerKey: CustomerKey,
  place: KeyPlace,
  wrongKey = wrongCustomerKey,
): KeyObject {
  const { salt, wrapped } = parse(encryption);
  const decipher = createDecipheriv(
    CIPHER,
    wrappingKey(customerKey, salt, place),
    WRAPPING_NONCE,
    TAG,
  );
  decipher.setAuthTag(wrapped.subarray(KEY_BYTES));
  const bytes = decipher.update(wrapped.subarray(0, KEY_BYTES));
  try {
    decipher.final();
    return secretOf(bytes);
  } catch {
    bytes.fill(0);
    throw wrongKey();
  }
}

function wrappingKey(
  { secret }: CustomerKey,
  salt: Buffer,
  { bucketId, key }: KeyPlace,
): KeyObject {
  const info = `holdfast object key\0${bucketId}\0${key}`;
  return secretOf(Buffer.from(hkdfSync('sha256', secret, salt, info, KEY_BYTES)));
}

/** Zeroes the bytes: the key remains in native memory, which is cleared when it is freed. */
export function secretOf(bytes: Buffer): KeyObject {
  const secret = createSecretKey(bytes);
  bytes.fill(0);
  return secret;
}

function parse(encryption: string): { readonly salt: Buffer; readonly wrapped: Buffer } {
  try {
    const { algorithm, salt, wrappedKey } = JSON.parse(encryption) as WrappedKey;
    const parsed = {
      salt: Buffer.from(salt, 'base64'),
      wrapped: Buffer.from(wrappedKey, 'base64'),
    };
    const isWhole =
      parsed.salt.byteLength === SALT_BYTES && parsed.wrapped.byteLength === KEY_BYTES + TAG_BYTES;
    if (algorithm === 'AES256' && isWhole) return parsed;
    throw new Error('it is not one of ours');
  } catch (cause) {
    throw new StorageError(
      'InternalError',
      `read encryption: ${errorMessage(cause)}; the store is damaged`,
      { cause },
    );
  }
}
