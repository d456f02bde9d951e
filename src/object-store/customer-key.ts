/** A customer-provided key that encrypts an object (specification, "PutObject with customer-key encryption"). */

import { createSecretKey, hash, type KeyObject } from 'node:crypto';

/** 256 bits. */
export const CUSTOMER_KEY_BYTES = 32;

const HIDDEN = '[customer key]';

/**
 * The key's bytes are only in native memory, which is cleared when it is freed. Printing, logging, serializing or cloning
 * a CustomerKey does not reveal them.
 */
export class CustomerKey {
  readonly #secret: KeyObject;
  readonly #md5: string;

  private constructor(bytes: Buffer) {
    this.#md5 = hash('md5', bytes, 'base64');
    this.#secret = createSecretKey(bytes);
  }

  /** Copies the key and overwrites `bytes` with zeros. Returns undefined unless there are `CUSTOMER_KEY_BYTES` of them. */
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

  /** Base64 of the MD5 of the key's bytes, which responses contain. */
  get md5(): string {
    return this.#md5;
  }

  /** Compares in constant time. */
  equals(other: CustomerKey): boolean {
    return this.#secret.equals(other.#secret);
  }

  /** Returns the key in base64, for the header of a request. */
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
  /** Base64 of the MD5 of the request's key. */
  readonly keyMd5: string;
}

/** Returns the description of a request's key for its response. */
export function encryptionBy(key: CustomerKey | undefined): CustomerEncryption | undefined {
  return key && { algorithm: 'AES256', keyMd5: key.md5 };
}
