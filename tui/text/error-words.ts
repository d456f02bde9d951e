/**
 * Formats an error for users: its message, and an explanation of its code if the message of the service does
 * not have one.
 */

import { errorMessage } from '../../src/base/errors.ts';
import { isControlError } from '../../src/control/control-error.ts';

/** Returns text that is not yet safe to draw. */
export function errorWords(error: unknown): string {
  const message = errorMessage(error).replaceAll('\n', ' ');
  if (!isControlError(error)) return message;
  const words = error.hint ?? MEANINGS[error.storageCode ?? ''];
  return words === undefined || message.includes(words) ? message : `${message} (${words})`;
}

/** Error codes of S3 that users of the dashboard encounter. */
const MEANINGS: Readonly<Record<string, string>> = {
  AccessDenied: 'the key has no right to that, or a lock or legal hold keeps the version',
  BucketNotEmpty: 'all versions and delete markers have to go first; D shows them',
  BucketAlreadyExists: 'another user has a bucket of that name: choose another name',
  BucketAlreadyOwnedByYou: 'you have it already, with other settings',
  InvalidBucketState: 'the bucket was created with, or without, object lock, which stays so',
  InvalidObjectState: 'the object is not in a state for that',
  KeyTooLongError: 'a key has at most 1,024 bytes',
  MetadataTooLarge: 'names and values of metadata have at most 2 KB together',
  NoSuchBucket: 'the bucket does not exist there',
  NoSuchKey: 'the object is gone, or was never there',
  NoSuchVersion: 'that version is gone',
  PreconditionFailed: 'another client has changed it meanwhile',
  QuotaExceeded: 'the bucket may not hold more; its quota is among its settings',
  SlowDown: 'the service asks for a pause: try again',
  TooManyBuckets: 'the project may have no more buckets',
};
