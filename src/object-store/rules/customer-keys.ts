/**
 * Parses the customer key from the three headers of a request, and creates the errors for missing and wrong keys
 * (semantics B.10).
 */

import { CustomerKey } from '../customer-key.ts';
import { StorageError } from '../storage-error.ts';

export const CUSTOMER_ALGORITHM = 'AES256';

/** The values of the three customer key headers. An empty value counts as present. */
export interface CustomerKeyHeaders {
  readonly algorithm?: string | undefined;
  /** The customer key in base64, which must have 32 bytes. */
  readonly key?: string | undefined;
  /** The MD5 of the customer key in base64. */
  readonly keyMd5?: string | undefined;
}

/**
 * Returns the customer key, or undefined if all three headers are absent. Throws `InvalidEncryptionAlgorithmError` or
 * `InvalidArgument` for invalid values. The messages are those of the specification's service, and do not contain the
 * values of headers.
 */
export function readCustomerKey(written: CustomerKeyHeaders): CustomerKey | undefined {
  const { algorithm, key, keyMd5 } = written;
  if (algorithm === undefined && key === undefined && keyMd5 === undefined) return undefined;
  if (algorithm === undefined || algorithm === '') {
    throw missing('a valid encryption algorithm');
  }
  if (algorithm !== CUSTOMER_ALGORITHM) {
    throw new StorageError(
      'InvalidEncryptionAlgorithmError',
      'The requested encryption algorithm is not valid, must be AES256.',
    );
  }
  const parsed = CustomerKey.take(fromBase64(key));
  if (parsed === undefined) throw missing('an appropriate secret key');
  if (fromBase64(keyMd5).byteLength !== MD5_BYTES) throw missing('an appropriate secret key md5');
  if (parsed.md5 !== keyMd5) {
    throw new StorageError(
      'InvalidArgument',
      'The calculated MD5 hash of the key did not match the hash that was provided.',
    );
  }
  return parsed;
}

const MD5_BYTES = 16;

/**
 * Decodes base64. Returns an empty buffer for invalid base64, because a lenient decoder would accept several texts for
 * the same key.
 */
function fromBase64(text = ''): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}

function missing(what: string): StorageError {
  return new StorageError(
    'InvalidArgument',
    `Requests specifying Server Side Encryption with Customer provided keys must provide ${what}.`,
  );
}

/** Returns the error for a request without a customer key for an encrypted object. */
export function customerKeyRequired(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.',
    { details: { CustomerKey: 'needed' } },
  );
}

/**
 * Returns the error for a request with a customer key for an unencrypted object. If the request succeeded, the client
 * would assume that the object is encrypted.
 */
export function keyNotApplicable(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The encryption parameters are not applicable to this object.',
    { details: { CustomerKey: 'not needed' } },
  );
}

/** Returns the error for a part whose customer key is not the one with which the upload was created. */
export function otherThanUploadKey(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The provided encryption parameters did not match the ones used originally to create the upload.',
  );
}

/** Returns the error for a wrong customer key. Its code is `AccessDenied`, as for a missing permission. */
export function wrongCustomerKey(): StorageError {
  return new StorageError(
    'AccessDenied',
    'The key is not the one that the object was stored with.',
    { details: { CustomerKey: 'wrong' } },
  );
}
