/** Explains why a service rejected a new access key, and detects a service that is down. */

import { errorCode } from '../../src/base/errors.ts';
import { failureKind } from '../../src/mirror/model/failure-kind.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { ControlError } from '../../src/control/control-error.ts';

interface Refused {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** Returns a ControlError for the user if the service rejected the access key. Otherwise returns the error itself. */
export function targetRefusal(error: unknown, { endpoint, accessKeyId }: Refused): unknown {
  if (!isStorageError(error, 'InvalidAccessKeyId', 'SignatureDoesNotMatch')) return error;
  const { code: storageCode, details } = error;
  const [reason, hint] =
    storageCode === 'InvalidAccessKeyId'
      ? [
          `it does not know the access key ${accessKeyId}`,
          'check the access key ID, and that it belongs to this service',
        ]
      : [
          `the secret of access key ${accessKeyId} is wrong`,
          'check the secret access key; the protocol is right, since the service read the signature',
        ];
  const message = `cannot use ${endpoint}: ${reason}`;
  return new ControlError('Storage', message, { storageCode, details, hint });
}

/**
 * Returns whether the error means that the service is down. An unknown host does not count as down, because the name is
 * probably misspelled.
 */
export function isDown(error: unknown): boolean {
  const isUnknown = error instanceof Error && errorCode(error.cause) === 'ENOTFOUND';
  return failureKind(error) === 'transient' && !isUnknown;
}
