/** Formats an error for users: the service's message, and an explanation of the error code if the message lacks one. */

import { withHomeOption } from '../../src/text/pasted-commands.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { isControlError } from '../../src/control/control-error.ts';

/** Returns the error as text, with `homeOption` in its commands. The text must be escaped before it is drawn. */
export function errorWords(error: unknown, homeOption = ''): string {
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return REPLACED;
  const message = errorMessage(error).replaceAll('\n', ' ');
  if (!isControlError(error)) return message;
  const words = error.hint ?? MEANINGS[error.storageCode ?? ''];
  const isSaid = words === undefined || message.includes(words);
  return withHomeOption(isSaid ? message : `${message} (${words})`, homeOption);
}

const REPLACED =
  'a file of the dashboard is missing: another release may have been installed. Close the dashboard and open it again';

/** Explanations of the S3 error codes that dashboard users encounter. */
const MEANINGS: Readonly<Record<string, string>> = {
  AccessDenied: 'the key lacks the permission, or a lock or legal hold protects the version',
  BucketNotEmpty: 'delete all versions and delete markers first; D shows them',
  BucketAlreadyExists: 'another user has a bucket of that name: choose another name',
  BucketAlreadyOwnedByYou: 'you already own this bucket, with other settings',
  InvalidBucketState:
    'the bucket was created with, or without, object lock, which cannot be changed',
  InvalidObjectState: 'the state of the object does not allow this action',
  KeyTooLongError: 'a key has at most 1,024 bytes',
  MetadataTooLarge: 'names and values of metadata have at most 2 KB together',
  NoSuchBucket: 'the bucket does not exist there',
  NoSuchKey: 'the object does not exist',
  NoSuchVersion: 'the version does not exist',
  PreconditionFailed: 'another client has changed it in the meantime',
  QuotaExceeded: 'the quota of the bucket is reached; its settings show the quota',
  SlowDown: 'the service receives too many requests: try again later',
  TooManyBuckets: 'the project has reached its maximum number of buckets',
};
