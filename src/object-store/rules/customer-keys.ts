/** Which three headers make a customer's key, and when one is asked for (semantics B.10). */

import { CustomerKey } from '../customer-key.ts';
import { StorageError } from '../storage-error.ts';

export const CUSTOMER_ALGORITHM = 'AES256';

/** As they are written; an empty one counts as given. */
export interface CustomerKeyHeaders {
  readonly algorithm?: string | undefined;
  /** Base64 of 32 bytes. */
  readonly key?: string | undefined;
  /** Base64 of the MD5 of those bytes. */
  readonly keyMd5?: string | undefined;
}

/**
 * Undefined where none of the three is given. Throws `InvalidEncryptionAlgorithmError` and `InvalidArgument`, in the
 * words of the service of the specification, and never with a value.
 */
export function readCustomerKey(written: CustomerKeyHeaders): CustomerKey | undefined {
  const { algorithm, key, keyMd5 } = written;
  if (algorithm === undefined && key === undefined && keyMd5 === undefined) return undefined;
  if (algorithm === undefined || algorithm === '') {
    throw lacking('a valid encryption algorithm');
  }
  if (algorithm !== CUSTOMER_ALGORITHM) {
    throw new StorageError(
      'InvalidEncryptionAlgorithmError',
      'The requested encryption algorithm is not valid, must be AES256.',
    );
  }
  const parsed = CustomerKey.take(fromBase64(key));
  if (parsed === undefined) throw lacking('an appropriate secret key');
  if (fromBase64(keyMd5).byteLength !== MD5_BYTES) throw lacking('an appropriate secret key md5');
  if (parsed.md5 !== keyMd5) {
    throw new StorageError(
      'InvalidArgument',
      'The calculated MD5 hash of the key did not match the hash that was provided.',
    );
  }
  return parsed;
}

const MD5_BYTES = 16;

/** No bytes for what is not exactly base64: decoders that overlook strange characters would take two texts for one key. */
function fromBase64(text = ''): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}

function lacking(what: string): StorageError {
  return new StorageError(
    'InvalidArgument',
    `Requests specifying Server Side Encryption with Customer provided keys must provide ${what}.`,
  );
}

/** What is asked for is encrypted, and no key was given. */
export function customerKeyRequired(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.',
    { details: { CustomerKey: 'needed' } },
  );
}

/** A key was given for what is not encrypted: who gave it believes that it is. */
export function keyNotApplicable(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The encryption parameters are not applicable to this object.',
    { details: { CustomerKey: 'not needed' } },
  );
}

/** A part of an upload is to be encrypted under another key than the upload was created with. */
export function otherThanUploadKey(): StorageError {
  return new StorageError(
    'InvalidRequest',
    'The provided encryption parameters did not match the ones used originally to create the upload.',
  );
}

/** To the one who asks, a wrong key is a right that they lack. */
export function wrongCustomerKey(): StorageError {
  return new StorageError(
    'AccessDenied',
    'The key is not the one that the object was stored with.',
    { details: { CustomerKey: 'wrong' } },
  );
}
