/**
 * Verifies the signatures of received requests (semantics B.11) without reading their bodies. The checks are, in this
 * order: syntax, time, access key, scope, signature.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { Dialects } from '../header-families.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { canonicalRequest, claimedHeaders } from './canonical-request.ts';
import { type Claims, headerClaims } from './claims.ts';
import { formatScope } from './credential-scope.ts';
import { parsePayloadMode, type PayloadMode } from './payload-mode.ts';
import { isPresigned, isPresignedV2, queryClaims } from './presigned.ts';
import type { Seed } from './sign-request.ts';
import { isSignatureV2, type SignatureV2, verifyRequestV2 } from './signature-v2.ts';
import type { SigningCredentials, SigningKeys } from './signing-key.ts';
import { checkScope, expectedScope, UNKNOWN_SIGNER, unknownKey } from './signer-checks.ts';
import { sameSignature, signatureOf, stringToSign, withoutCustomerKeys } from './string-to-sign.ts';
import { checkTime } from './request-time.ts';

export interface VerifyOptions<K extends SigningCredentials> {
  readonly request: ReceivedRequest;
  readonly dialects: Dialects;
  /** The cache of signing keys. All requests share it, so that each key is derived only once a day. */
  readonly keys: SigningKeys;
  readonly findKey: (accessKeyId: string) => K | undefined;
  readonly region: string;
  /** Where signature version 2 is accepted. Default: `presigned`. */
  readonly signatureV2?: SignatureV2;
  /** The bucket name of a virtual-hosted-style request. Signature version 2 signs it as part of the path. */
  readonly bucketOfHost?: string | undefined;
  /**
   * The SHA-256 of the body in hex, for services whose requests may omit the content-sha256 header. The caller has
   * already read the body.
   */
  readonly bodySha256?: string;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

export interface Verified<K extends SigningCredentials> {
  readonly accessKey: K;
  readonly authType: 'header' | 'query';
  readonly dialect: Dialect;
  readonly payload: PayloadMode;
  /** The time of the signature in milliseconds since 1970. */
  readonly signedAt: number;
  /** `AWS` for signature version 2, or the algorithm of version 4, as policy conditions spell it. */
  readonly signatureVersion: 'AWS' | 'AWS4-HMAC-SHA256';
  /** The seed for the chunk signatures. Absent for signature version 2. */
  readonly seed?: Seed;
}

/** Returns whether the request has no signature of any version. */
export function isAnonymous(
  { headers, query }: Pick<ReceivedRequest, 'headers' | 'query'>,
  { svc, amz }: Dialects,
): boolean {
  if (headers.has('authorization')) return false;
  return !isPresigned(query, svc) && !isPresigned(query, amz) && !isPresignedV2(query);
}

/**
 * Checks an anonymous request, and returns its dialect and payload mode. The request may declare a digest of its body,
 * but a chunked body requires a signature. Throws AccessDenied for a chunked body, InvalidArgument for an invalid
 * payload mode, and InvalidToken for a session token.
 */
export function verifyAnonymous(
  request: ReceivedRequest,
): Pick<Verified<never>, 'dialect' | 'payload'> {
  refuseToken(request);
  const { dialect, headers } = request;
  const written = headers.get(`${dialect.headerPrefix}content-sha256`);
  const payload: PayloadMode =
    written === undefined ? { kind: 'unsigned' } : parsePayloadMode(written, dialect);
  if (payload.kind !== 'chunked') return { dialect, payload };
  throw new StorageError('AccessDenied', 'read body: a chunked body requires a signed request');
}

/**
 * Verifies the signature of a request and returns its access key. Throws the StorageError for the response. Throws
 * AccessDenied for an anonymous request.
 */
export function verifyRequest<K extends SigningCredentials>(
  options: VerifyOptions<K>,
): Verified<K> {
  refuseAmbiguous(options);
  if (isSignatureV2(options.request)) return verifyRequestV2(options);
  const claims = readClaims(options);
  checkTime(claims, options.now);
  const known = options.findKey(claims.credential.accessKeyId);
  // For an unknown access key, the same work is done as for a known access key, so that response times do not reveal
  // which access keys exist.
  const compared = compareSignature(claims, known ?? UNKNOWN_SIGNER, options);
  const accessKey = checkSigner(claims, known, options);
  if (!compared.matches) throw doesNotMatch(claims, compared);
  const { authType, dialect, payload, signedAt } = claims;
  const signatureVersion = 'AWS4-HMAC-SHA256';
  return { accessKey, authType, dialect, payload, signedAt, signatureVersion, seed: compared.seed };
}

/**
 * Checks everything except the signature itself, and returns the access key. Services whose requests sign a body
 * without declaring its digest use this function to reject invalid requests before they read the body. Throws the
 * errors of `verifyRequest`.
 */
export function verifyClaims<K extends SigningCredentials>(options: VerifyOptions<K>): K {
  refuseAmbiguous(options);
  if (isSignatureV2(options.request)) return verifyRequestV2(options).accessKey;
  const claims = readClaims({ ...options, bodySha256: ANY_DIGEST });
  checkTime(claims, options.now);
  return checkSigner(claims, options.findKey(claims.credential.accessKeyId), options);
}

/** A placeholder that has the form of a SHA-256 digest in hex. */
const ANY_DIGEST = '0'.repeat(64);

function refuseAmbiguous({
  request,
  dialects,
}: Pick<VerifyOptions<never>, 'request' | 'dialects'>) {
  refuseToken(request);
  refuseTwoSignatures(request, dialects);
}

function checkSigner<K extends SigningCredentials>(
  claims: Claims,
  accessKey: K | undefined,
  { dialects, region }: Pick<VerifyOptions<K>, 'dialects' | 'region'>,
): K {
  if (accessKey === undefined) throw unknownKey(claims.credential.accessKeyId);
  checkScope(claims, region);
  checkSignedHeaders(claims, dialects);
  return accessKey;
}

function readClaims({
  request,
  bodySha256,
}: Pick<VerifyOptions<never>, 'request' | 'bodySha256'>): Claims {
  if (request.headers.has('authorization')) return headerClaims(request, bodySha256);
  if (isPresigned(request.query, request.dialect)) return queryClaims(request);
  throw new StorageError('AccessDenied', 'read signature: the request is not signed');
}

function refuseTwoSignatures({ headers, query }: ReceivedRequest, { svc, amz }: Dialects): void {
  if (query.length === 0) return;
  const claimed = [
    headers.has('authorization'),
    isPresigned(query, svc),
    isPresigned(query, amz),
    isPresignedV2(query),
  ];
  if (claimed.filter(Boolean).length <= 1) return;
  throw new StorageError(
    'AuthorizationQueryParametersError',
    'read signature: the request must have only one signature, either in the header or in the query',
  );
}

const TOKEN = /^x-(?:amz|svc)-security-token$/i;

/**
 * Throws InvalidToken if the request has a session token. Holdfast issues no tokens, so the token belongs to another
 * service.
 */
function refuseToken({ headers, query }: ReceivedRequest): void {
  const isToken = ([name]: readonly [string, string]) => TOKEN.test(name);
  const token = headers.list.find(isToken) ?? query.find(isToken);
  if (token === undefined) return;
  throw new StorageError('InvalidToken', 'check credential: session tokens are not supported', {
    details: { Header: token[0] },
  });
}

function checkSignedHeaders({ request, signedHeaders }: Claims, { svc, amz }: Dialects): void {
  const unsigned = signedHeaders.includes('host') ? [] : ['host'];
  for (const [name] of request.headers.list) {
    const isVendor = name.startsWith(svc.headerPrefix) || name.startsWith(amz.headerPrefix);
    if (isVendor && !signedHeaders.includes(name)) unsigned.push(name);
  }
  if (unsigned.length === 0) return;
  throw new StorageError(
    'AccessDenied',
    'check signature: there were headers present in the request which were not signed',
    { details: { HeadersNotSigned: unsigned.join(', ') } },
  );
}

interface Compared {
  readonly matches: boolean;
  readonly seed: Seed;
  readonly canonical: string;
  /** The string to sign. */
  readonly text: string;
}

/**
 * Compares the signature with the calculated signature. The signing key is derived for the expected scope, so that
 * unauthenticated clients cannot fill the cache with keys for other scopes.
 */
function compareSignature<K extends SigningCredentials>(
  claims: Claims,
  key: SigningCredentials,
  { keys, region }: VerifyOptions<K>,
): Compared {
  const { dialect, timestamp, credential, signature, authType, request } = claims;
  const signingKey = keys.keyFor(key, expectedScope(claims, region), dialect);
  const signing = { dialect, timestamp, scope: formatScope(credential.scope) };
  const headers = claimedHeaders(request.headers, claims.signedHeaders);
  const canonical = canonicalRequest(request, headers, claims.payloadHash);
  const text = stringToSign(signing, canonical);
  let matches = sameSignature(signatureOf(signingKey, text), signature);
  // A URL signed for GET is also valid for HEAD. Otherwise a signature is valid for one method only (semantics B.11.2).
  if (!matches && authType === 'query' && request.method === 'HEAD') {
    const get = { ...request, method: 'GET' };
    const asGet = canonicalRequest(get, headers, claims.payloadHash);
    matches = sameSignature(signatureOf(signingKey, stringToSign(signing, asGet)), signature);
  }
  return { matches, seed: { ...signing, signature, signingKey }, canonical, text };
}

function doesNotMatch(claims: Claims, { canonical, text }: Compared): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    'check signature: it does not match the calculated signature; check your secret access key and signing method',
    {
      details: {
        AWSAccessKeyId: claims.credential.accessKeyId,
        SignatureProvided: claims.signature,
        StringToSign: text,
        CanonicalRequest: withoutCustomerKeys(canonical),
      },
    },
  );
}
