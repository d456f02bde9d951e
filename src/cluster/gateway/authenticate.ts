/**
 * Authenticates requests by the signature of version 4 in the Authorization header. The signature also covers the body.
 */

import { hash } from 'node:crypto';

import { isStorageError } from '../../object-store/storage-error.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Dialects } from '../../protocol/header-families.ts';
import { percentEncodePath } from '../../protocol/percent.ts';
import { SigningKeys } from '../../protocol/signing/signing-key.ts';
import { verifyClaims, verifyRequest } from '../../protocol/signing/verify-request.ts';
import type { ReceivedRequest } from '../../protocol/received-request.ts';
import type { Caller } from '../caller.ts';
import { ClusterError, type ClusterErrorCode } from '../cluster-error.ts';

export interface AuthenticateOptions {
  readonly identity: Identity;
  /** The dialects that the cluster service accepts, with its service code. */
  readonly dialects: Dialects;
  readonly region: string;
}

export interface Authenticator {
  /**
   * Checks the form, time, key and scope of a signature, and returns the user that owns the key.
   * Does not verify the signature, because the signature covers the body and the body has not been
   * read yet. Throws ClusterError.
   */
  readonly claimed: (request: ReceivedRequest, now: number) => Caller;
  /**
   * Verifies the signature over the request and its body, and returns the caller. Throws
   * ClusterError.
   */
  readonly verified: (request: ReceivedRequest, body: Uint8Array, now: number) => Caller;
}

/** Maps the error codes of the storage service to those of the cluster service (semantics B.1). */
const CODES: Readonly<Record<string, ClusterErrorCode>> = {
  AccessDenied: 'AccessDeniedException',
  InvalidAccessKeyId: 'UnrecognizedClientException',
  InvalidToken: 'UnrecognizedClientException',
  SignatureDoesNotMatch: 'InvalidSignatureException',
  RequestTimeTooSkewed: 'InvalidSignatureException',
  AuthorizationHeaderMalformed: 'InvalidSignatureException',
};

export function authenticator({ identity, dialects, region }: AuthenticateOptions): Authenticator {
  const keys = new SigningKeys();
  const findKey = (accessKeyId: string) => identity.findKey(accessKeyId);
  // Signature version 4 encodes the canonical path twice for every service except S3.
  const optionsOf = (request: ReceivedRequest, now: number) => ({
    request: { ...request, path: percentEncodePath(request.path) },
    dialects,
    keys,
    findKey,
    region,
    now,
  });
  return {
    claimed(request, now) {
      if (request.headers.has('authorization'))
        return asClusterError(() => verifyClaims(optionsOf(request, now))).principal;
      throw new ClusterError(
        'MissingAuthenticationTokenException',
        'read signature: the request is not signed in its Authorization header',
      );
    },
    verified(request, body, now) {
      const bodySha256 = hash('sha256', body, 'hex');
      const { accessKey, payload } = asClusterError(() =>
        verifyRequest({ ...optionsOf(request, now), bodySha256 }),
      );
      if (payload.kind === 'digest' && payload.sha256 === bodySha256) return accessKey.principal;
      throw new ClusterError(
        'InvalidSignatureException',
        'check body: it is not the one that was signed',
      );
    },
  };
}

function asClusterError<T>(verify: () => T): T {
  try {
    return verify();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new ClusterError(CODES[error.code] ?? 'InvalidSignatureException', error.message, {
      cause: error,
    });
  }
}
