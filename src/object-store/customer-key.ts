/** A customer-provided key that encrypts an object (specification, "PutObject with customer-key encryption"). */

import { createSecretKey, hash, type KeyObject } from 'node:crypto';

/** 256 bits. */
export const CUSTOMER_KEY_BYTES = 32;

const HIDDEN = '[customer key]';

/**
 * Its bytes lie in native memory alone, which is cleared when it is freed. Nothing that prints, logs, serialises or
 * clones one shows anything of it.
 */
export class CustomerKey {
  readonly #secret: KeyObject;
  readonly #md5: string;

  private constructor(bytes: Buffer) {
    this.#md5 = hash('md5', bytes, 'base64');
    this.#secret = createSecretKey(bytes);
  }

  /** Takes the bytes over: they are zeroed. Undefined where they are not as many as a key has. */
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

  /** In constant time. */
  equals(other: CustomerKey): boolean {
    return this.#secret.equals(other.#secret);
  }

  /** Base64, for a request that has to carry it. */
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

/** What an answer says of the encryption of what was stored or read. */
export interface CustomerEncryption {
  readonly algorithm: 'AES256';
  /** Base64 of the MD5 of the key that the request gave. */
  readonly keyMd5: string;
}

/** Returns the description of a request's key for its response. */
export function encryptionBy(key: CustomerKey | undefined): CustomerEncryption | undefined {
  return key && { algorithm: 'AES256', keyMd5: key.md5 };
}
