/** Who sent a request: signed with version 4 in its header, over the body as it was read. */

import { hash } from 'node:crypto';

import { isStorageError } from '../../object-store/storage-error.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Dialects } from '../../protocol/header-families.ts';
import { percentEncodePath } from '../../protocol/percent.ts';
import { SigningKeys } from '../../protocol/signing/signing-key.ts';
import { verifyRequest } from '../../protocol/signing/verify-request.ts';
import { headerValue, type WireHeaders, type WireRequest } from '../../protocol/wire.ts';
import type { Caller } from '../caller.ts';
import { ClusterError, type ClusterErrorCode } from '../cluster-error.ts';

export interface AuthenticateOptions {
  readonly identity: Identity;
  /** With the service's own code in them. */
  readonly dialects: Dialects;
  readonly region: string;
}

/** Of a request that is signed. */
export type Authenticate = (request: WireRequest, body: Uint8Array, now: number) => Caller;

/** By what the storage service calls them (semantics B.1). */
const CODES: Readonly<Record<string, ClusterErrorCode>> = {
  AccessDenied: 'AccessDeniedException',
  InvalidAccessKeyId: 'UnrecognizedClientException',
  InvalidToken: 'UnrecognizedClientException',
  SignatureDoesNotMatch: 'InvalidSignatureException',
  RequestTimeTooSkewed: 'InvalidSignatureException',
  AuthorizationHeaderMalformed: 'InvalidSignatureException',
};

/** Before a body is waited for. Throws ClusterError. */
export function requireSignature(headers: WireHeaders): void {
  if (headerValue(headers, 'authorization') !== undefined) return;
  throw new ClusterError(
    'MissingAuthenticationTokenException',
    'read signature: the request is not signed in its Authorization header',
  );
}

/** Throws ClusterError. */
export function authenticator({ identity, dialects, region }: AuthenticateOptions): Authenticate {
  const keys = new SigningKeys();
  return (request, body, now) => {
    const bodySha256 = hash('sha256', body, 'hex');
    try {
      const { accessKey, payload } = verifyRequest({
        // Of all services but storage the canonical path is encoded once more.
        request: { ...request, path: percentEncodePath(request.path) },
        dialects,
        keys,
        findKey: (accessKeyId) => identity.findKey(accessKeyId),
        region,
        bodySha256,
        now,
      });
      if (payload.kind === 'digest' && payload.sha256 === bodySha256) return accessKey.principal;
    } catch (error) {
      if (!isStorageError(error)) throw error;
      throw new ClusterError(CODES[error.code] ?? 'InvalidSignatureException', error.message, {
        cause: error,
      });
    }
    throw new ClusterError(
      'InvalidSignatureException',
      'check body: it is not the one that was signed',
    );
  };
}
