/**
 * Encrypts and decrypts object keys (FORMAT.md, "Encryption"). Each object has a random key, which is stored only in a
 * form that is encrypted with the customer key. The encrypted key is bound to the object's bucket and name. So the
 * encrypted bytes of one object cannot replace those of another.
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
/** Cipher options that reject authentication tags shorter than `TAG_BYTES`. */
export const TAG = { authTagLength: TAG_BYTES };

/** A constant nonce is safe here, because each wrapping key encrypts only one message: its salt is random. */
const WRAPPING_NONCE = Buffer.alloc(12);

/** The bucket and key of an object. Bucket IDs are never reused, unlike bucket names. */
export interface KeyPlace {
  readonly bucketId: number;
  readonly key: string;
}

/** The JSON in the `encryption` column of a version or upload. */
interface WrappedKey {
  readonly algorithm: 'AES256';
  /** The salt of the key that encrypts the object key, in base64. */
  readonly salt: string;
  /** The encrypted object key and its authentication tag, in base64. */
  readonly wrappedKey: string;
}

/**
 * Returns the object key of a version or upload; undefined if the version or upload is not encrypted. Throws
 * `InvalidRequest` if the customer key is missing or not applicable, and the errors of `unwrapObjectKey`.
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

/**
 * Encrypts an object key with the customer key, and returns the value to store with the version or upload. `salt` must
 * be random and used for nothing else.
 */
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

/**
 * Decrypts an object key. Throws `wrongKey()`, by default `AccessDenied`, if it was encrypted with another customer
 * key. Throws `InternalError` if `encryption` is malformed.
 */
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

/**
 * Returns a secret key with these bytes, and overwrites `bytes` with zeros. The only remaining copy is in native
 * memory, which Node clears when it frees the key.
 */
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
    throw new Error('it has an unknown format');
  } catch (cause) {
    throw new StorageError(
      'InternalError',
      `read encryption: ${errorMessage(cause)}; the store is damaged`,
      { cause },
    );
  }
}
