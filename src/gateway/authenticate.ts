/**
 * Authenticates requests and forms: verifies their signatures, identifies the caller, and
 * determines how the body must be verified.
 */

import type { IncomingMessage } from 'node:http';
import { defined } from '../base/defined.ts';
import type { Principal } from '../base/principal.ts';
import type { Caller } from '../object-store/caller.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { isLinkId } from '../protocol/signing/link-keys.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { FormFields } from '../protocol/form/post-policy.ts';
import type { SignedMessage } from '../protocol/signing/payload-body.ts';
import type { PayloadMode } from '../protocol/signing/payload-mode.ts';
import { type SigningCredentials, SigningKeys } from '../protocol/signing/signing-key.ts';
import { verifyForm } from '../protocol/signing/verify-form.ts';
import { isAnonymous, verifyAnonymous, verifyRequest } from '../protocol/signing/verify-request.ts';
import type { GatewayOptions } from './gateway.ts';
import { isSecure } from '../http/listener.ts';
import { peerReader } from './peer.ts';
import { announcedBytes } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

export interface Authenticated {
  readonly caller: Caller;
  /** The verified request line and headers, with which the body is verified later. */
  readonly message: SignedMessage;
}

export type Authenticate = (head: RequestHead, request: IncomingMessage) => Authenticated;

type AuthenticateOptions = Pick<
  GatewayOptions,
  'clock' | 'dialects' | 'identity' | 'links' | 'region' | 'signatureV2' | 'trustedProxies'
>;

/** The access key of a user, or the key that signs a single presigned URL. */
type AnyKey = SigningCredentials & { readonly principal: Principal };

/**
 * Returns a function that verifies a request's signature before any byte of the body is read. The
 * function throws the StorageError to respond with.
 */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const { clock, dialects, identity, links, region, signatureV2 } = options;
  const keys = new SigningKeys();
  const peerOf = peerReader(options.trustedProxies);
  return (head, request) => {
    if (isAnonymous(head, dialects)) {
      const verified = verifyAnonymous(head);
      const peer = peerOf(head.headers, request);
      const caller: Caller = { ...peer, ...ANONYMOUS, signedAt: clock.now() };
      return { caller: withDigest(caller, head), message: { head, verified } };
    }
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
    if (isUnsigned(verified.payload)) refuseUnsigned(head, request);
    const { accessKey, authType, signedAt } = verified;
    const { principal } = accessKey;
    const caller: Caller = { ...peerOf(head.headers, request), principal, authType, signedAt };
    const { signatureVersion } = verified;
    return { caller: withDigest(caller, head, signatureVersion), message: { head, verified } };
  };
}

export const ANONYMOUS = { principal: { kind: 'anonymous' }, authType: 'anonymous' } as const;

/**
 * Returns the caller with the values that policy conditions on the signature compare: the signature version and the
 * content-sha256 header.
 */
function withDigest(caller: Caller, head: RequestHead, signatureVersion?: string): Caller {
  const contentSha256 = head.unified.get(`${head.dialect.headerPrefix}content-sha256`);
  return { ...caller, wire: defined({ ...caller.wire, contentSha256, signatureVersion }) };
}

export interface AuthenticatedForm {
  readonly caller: Caller;
  /** The POST policy of the form in base64. Its conditions have not been checked yet. Absent for an unsigned form. */
  readonly policy?: string;
}

export type AuthenticateForm = (
  fields: FormFields,
  about: {
    readonly dialect: Dialect;
    readonly head: RequestHead;
    readonly request: IncomingMessage;
  },
) => AuthenticatedForm;

/** Returns a function that verifies the signature of a form. The signature is in a form field. */
export function formAuthenticator(options: AuthenticateOptions): AuthenticateForm {
  const { clock, identity, region, signatureV2 } = options;
  const keys = new SigningKeys();
  const findKey = (accessKeyId: string) => identity.findKey(accessKeyId);
  const peerOf = peerReader(options.trustedProxies);
  return (fields, { dialect, head, request }) => {
    const now = clock.now();
    const verified = verifyForm(fields, { dialect, keys, findKey, region, signatureV2, now });
    const peer = peerOf(head.headers, request);
    if (verified === undefined) return { caller: { ...peer, ...ANONYMOUS, signedAt: now } };
    refuseUnsigned(head, request);
    const { accessKey, signedAt, policy, signatureVersion } = verified;
    const { principal } = accessKey;
    const wire = { ...peer.wire, signatureVersion };
    return { caller: { ...peer, principal, authType: 'form', signedAt, wire }, policy };
  };
}

/**
 * Throws AccessDenied for an unsigned body that another machine sends without TLS, because only a signed digest would
 * protect the body in transit (security E.1, 11).
 */
function refuseUnsigned({ headers }: RequestHead, { socket }: IncomingMessage): void {
  if ((announcedBytes(headers) ?? 0) === 0) return;
  if (isSecure(socket) || isLoopback(socket.remoteAddress ?? '')) return;
  throw new StorageError(
    'AccessDenied',
    'read body: an unsigned payload is accepted only over TLS or loopback',
  );
}

function isUnsigned(payload: PayloadMode): boolean {
  return payload.kind === 'unsigned' || (payload.kind === 'chunked' && !payload.signed);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
