/** Validates bucket names and object keys (specification, "Bucket" and "Object and version"). */

import { StorageError } from '../storage-error.ts';

const MIN_BUCKET_NAME_CHARACTERS = 3;
const MAX_BUCKET_NAME_CHARACTERS = 63;

/** The maximum length of a key in bytes. The specification's "up to 1024 characters (8-bit encoding)" are bytes. */
export const MAX_KEY_BYTES = 1024;

/** The maximum number of characters of an invalid name that the error message repeats. */
const SHOWN_CHARACTERS = 80;

/**
 * The rules for bucket names. Each rule has a separate pattern, so that the error message can state the violated rule.
 */
const BUCKET_RULES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^[a-z0-9.-]*$/, 'only lower-case letters, digits, dots and hyphens are allowed'],
  [/^[a-z0-9]/, 'it must start with a letter or a digit'],
  [/[a-z0-9]$/, 'it must end with a letter or a digit'],
  [/^(?!.*\.\.)/, 'two dots in a row are not allowed'],
  [/^(?!.*(\.-|-\.))/, 'a dot next to a hyphen is not allowed'],
  [/^(?!\d+\.\d+\.\d+\.\d+$)/, 'it must not look like an IP address'],
];

/** Throws `InvalidBucketName` if the name is not a valid bucket name. */
export function checkBucketName(name: string): void {
  if (name.length < MIN_BUCKET_NAME_CHARACTERS || name.length > MAX_BUCKET_NAME_CHARACTERS) {
    const limits = `${MIN_BUCKET_NAME_CHARACTERS} to ${MAX_BUCKET_NAME_CHARACTERS}`;
    throw badBucketName(name, `it has ${name.length} characters; a bucket name has ${limits}`);
  }
  const broken = BUCKET_RULES.find(([pattern]) => !pattern.test(name));
  if (broken) throw badBucketName(name, broken[1]);
}

function badBucketName(name: string, reason: string): StorageError {
  return new StorageError('InvalidBucketName', `name bucket ${shown(name)}: ${reason}`, {
    details: { BucketName: name.slice(0, SHOWN_CHARACTERS) },
  });
}

/**
 * Throws `InvalidArgument` for an empty key, `InvalidURI` for a key that contains NUL or is not well-formed Unicode,
 * and `KeyTooLongError` for a key of more than `maxBytes` bytes. For new objects, `maxBytes` can be lower than the
 * default; existing objects can have longer keys.
 */
export function checkKey(key: string, maxBytes = MAX_KEY_BYTES): void {
  if (key === '') {
    throw new StorageError('InvalidArgument', 'name object: the key must not be empty', {
      details: { ArgumentName: 'Key', ArgumentValue: '' },
    });
  }
  const sizeBytes = Buffer.byteLength(key);
  if (sizeBytes > maxBytes) {
    throw new StorageError(
      'KeyTooLongError',
      `name object ${shown(key)}: the key has ${sizeBytes} bytes of UTF-8; the limit is ${maxBytes}`,
      { details: { Size: sizeBytes, MaxSizeAllowed: maxBytes } },
    );
  }
  if (!key.isWellFormed()) {
    throw new StorageError(
      'InvalidURI',
      `name object ${shown(key)}: the key is not well-formed Unicode`,
    );
  }
  if (key.includes('\0')) {
    throw new StorageError('InvalidURI', `name object ${shown(key)}: the key must not contain NUL`);
  }
}

function shown(name: string): string {
  const start = name.slice(0, SHOWN_CHARACTERS).toWellFormed();
  return JSON.stringify(name.length > SHOWN_CHARACTERS ? `${start}…` : start);
}
