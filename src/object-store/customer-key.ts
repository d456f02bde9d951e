/**
 * Defines the keys that clients provide to encrypt objects (specification, "PutObject with customer-key encryption").
 */

import { createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The length of a customer key in bytes. Customer keys are AES-256 keys. */
export const CUSTOMER_KEY_BYTES = 32;

const HIDDEN = '[customer key]';

/**
 * A key that a client provides to encrypt objects. The key's bytes are only in native memory, which Node clears when it
 * frees the key. If a CustomerKey is printed, logged, serialized or cloned, the bytes are not revealed.
 */
export class CustomerKey {
  readonly #secret: KeyObject;
  readonly #md5: string;

  private constructor(bytes: Buffer) {
    this.#md5 = hash('md5', bytes, 'base64');
    this.#secret = createSecretKey(bytes);
  }

  /**
   * Returns a key with these bytes, or undefined if `bytes` does not have the length `CUSTOMER_KEY_BYTES`. Overwrites
   * `bytes` with zeros in both cases.
   */
  static take(bytes: Buffer): CustomerKey | undefined {
    try {
      return bytes.byteLength === CUSTOMER_KEY_BYTES ? new CustomerKey(bytes) : undefined;
    } finally {
      bytes.fill(0);
    }
  }

  get secret(): KeyObject {
    return this.#secret;
  }

  /** The MD5 of the key's bytes in base64, which responses contain. */
  get md5(): string {
    return this.#md5;
  }

  /** Returns whether both keys have the same bytes. The comparison takes constant time. */
  equals(other: CustomerKey): boolean {
    return this.#secret.equals(other.#secret);
  }

  /** Returns the key in base64, to be sent in a request header. */
  reveal(): string {
    const bytes = this.#secret.export();
    try {
      return bytes.toString('base64');
    } finally {
      bytes.fill(0);
    }
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN;
  }
}

/** The description of an object's encryption in a response. */
export interface CustomerEncryption {
  readonly algorithm: 'AES256';
  /** The MD5 of the customer key in the request, in base64. */
  readonly keyMd5: string;
}

/** Returns the description of the encryption for the response. Returns undefined if the request has no customer key. */
export function encryptionBy(key: CustomerKey | undefined): CustomerEncryption | undefined {
  return key && { algorithm: 'AES256', keyMd5: key.md5 };
}
