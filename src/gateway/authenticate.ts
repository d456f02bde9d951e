/** Who sent a request, and what they signed of its body. */

import type { IncomingMessage } from 'node:http';
import { defined } from '../base/defined.ts';
import type { Principal } from '../base/principal.ts';
import type { Caller } from '../object-store/caller.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { isLinkId } from '../protocol/signing/link-keys.ts';
import type { SignedMessage } from '../protocol/signing/payload-body.ts';
import type { PayloadMode } from '../protocol/signing/payload-mode.ts';
import { type SigningCredentials, SigningKeys } from '../protocol/signing/signing-key.ts';
import { verifyRequest } from '../protocol/signing/verify-request.ts';
import { headerValue } from '../protocol/wire.ts';
import type { GatewayOptions } from './gateway.ts';
import { isSecure } from './listener.ts';
import { announcedBytes } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

export interface Authenticated {
  readonly caller: Caller;
  /** What the body is held to. */
  readonly message: SignedMessage;
}

export type Authenticate = (head: RequestHead, request: IncomingMessage) => Authenticated;

type AuthenticateOptions = Pick<
  GatewayOptions,
  'clock' | 'dialects' | 'identity' | 'links' | 'region' | 'signatureV2'
>;

/** A user's, or that of one link. */
type AnyKey = SigningCredentials & { readonly principal: Principal };

/** Verifies signatures before any byte of a body is read. Throws the StorageError that the client is to be told. */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const { clock, dialects, identity, links, region, signatureV2 } = options;
  const keys = new SigningKeys();
  return (head, { socket }) => {
    const verified = verifyRequest<AnyKey>({
      request: head,
      dialects,
      keys,
      findKey: (accessKeyId) =>
        isLinkId(accessKeyId) ? links?.find(accessKeyId, head) : identity.findKey(accessKeyId),
      region,
      ...defined({ signatureV2 }),
      bucketOfHost: head.bucketOfHost,
      now: clock.now(),
    });
    const sourceIp = socket.remoteAddress ?? '';
    const secure = isSecure(socket);
    if (
      isUnsigned(verified.payload) &&
      (announcedBytes(head.headers) ?? 0) > 0 &&
      !secure &&
      !isLoopback(sourceIp)
    ) {
      throw unsignedOverHttp();
    }
    const caller: Caller = {
      principal: verified.accessKey.principal,
      sourceIp,
      secure,
      userAgent: headerValue(head.headers, 'user-agent') ?? '',
      authType: verified.authType,
      signedAt: verified.signedAt,
    };
    return { caller, message: { head, verified } };
  };
}

function isUnsigned(payload: PayloadMode): boolean {
  return payload.kind === 'unsigned' || (payload.kind === 'chunked' && !payload.signed);
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** Without TLS the digest is all that protects a body on its way (security E.1, 11). */
function unsignedOverHttp(): StorageError {
  return new StorageError(
    'AccessDenied',
    'read body: an unsigned payload is accepted over TLS or loopback only',
  );
}
