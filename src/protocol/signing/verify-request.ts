/**
 * Who signed this request: the gateway's side of semantics B.11. The tests come in this order: malformed, then
 * the time, then the access key, then the scope, then the signature. The body has not been read by then.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import { type Dialects, readDialect } from '../header-families.ts';
import type { WireRequest } from '../wire.ts';
import { canonicalRequest } from './canonical-request.ts';
import { type Claims, headerClaims } from './claims.ts';
import { type CredentialScope, formatScope } from './credential-scope.ts';
import type { PayloadMode } from './payload-mode.ts';
import { isPresigned, isPresignedV2, queryClaims } from './presigned.ts';
import type { Seed } from './sign-request.ts';
import type { SigningCredentials, SigningKeys } from './signing-key.ts';
import { sameSignature, signatureOf, stringToSign } from './string-to-sign.ts';
import { checkTime } from './request-time.ts';
import { dayOf } from './timestamp.ts';

export interface VerifyOptions<K extends SigningCredentials> {
  /** As it arrived: headers in wire order, repeated ones kept, neither family renamed. */
  readonly request: WireRequest;
  readonly dialects: Dialects;
  /** Kept between requests, so that a key is derived once a day. */
  readonly keys: SigningKeys;
  readonly findKey: (accessKeyId: string) => K | undefined;
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Verified<K extends SigningCredentials> {
  readonly accessKey: K;
  readonly authType: 'header' | 'query';
  readonly dialect: Dialect;
  readonly payload: PayloadMode;
  /** Milliseconds since 1970. */
  readonly signedAt: number;
  /** What signed chunks go on from. */
  readonly seed: Seed;
}

/** Whether the request claims no identity at all. */
export function isAnonymous({ headers, query }: WireRequest, { svc, amz }: Dialects): boolean {
  if (headers.some(([name]) => name === 'authorization')) return false;
  return !isPresigned(query, svc) && !isPresigned(query, amz) && !isPresignedV2(query);
}

/** Throws the StorageError that the client is to be told; an anonymous request is AccessDenied. */
export function verifyRequest<K extends SigningCredentials>(
  options: VerifyOptions<K>,
): Verified<K> {
  const { request, dialects, now, findKey } = options;
  refuseRepeated(request);
  const claims = readClaims(request, dialects);
  checkTime(claims, now);
  const accessKey = findKey(claims.credential.accessKeyId);
  if (accessKey === undefined) throw unknownKey(claims, options);
  checkScope(claims, options.region);
  checkSignedHeaders(claims, dialects);
  const seed = checkSignature(claims, accessKey, options.keys);
  const { authType, dialect, payload, signedAt } = claims;
  return { accessKey, authType, dialect, payload, signedAt, seed };
}

function readClaims(request: WireRequest, dialects: Dialects): Claims {
  const { headers, query } = request;
  const dialect = readDialect(request, dialects);
  const inHeader = headers.some(([name]) => name === 'authorization');
  const inQuery = isPresigned(query, dialects.svc) || isPresigned(query, dialects.amz);
  if (inHeader && inQuery) {
    throw new StorageError(
      'AuthorizationQueryParametersError',
      'read signature: it is given in the header and in the query; only one is allowed',
    );
  }
  if (inHeader) return headerClaims(request, dialect);
  if (inQuery) return queryClaims(request, dialect);
  if (!isPresignedV2(query)) {
    throw new StorageError('AccessDenied', 'read signature: the request is not signed');
  }
  throw new StorageError(
    'NotImplemented',
    `read signature: version 2 is not supported; presign with version 4 (${dialect.algorithm})`,
  );
}

/** Of these two readers could believe different values (security E.1, 4). */
const ONCE =
  /^(?:authorization|content-length|host|x-[a-z]+-(?:date|content-sha256|decoded-content-length))$/;

function refuseRepeated({ headers }: WireRequest): void {
  const seen: string[] = [];
  for (const [name] of headers) {
    if (!ONCE.test(name)) continue;
    if (seen.includes(name)) {
      throw new StorageError('InvalidRequest', `read headers: ${name} is given twice`, {
        details: { Header: name },
      });
    }
    seen.push(name);
  }
}

function checkScope({ credential, dialect, timestamp }: Claims, region: string): void {
  const { scope } = credential;
  const expected: CredentialScope = {
    date: dayOf(timestamp),
    region,
    service: dialect.service,
    terminator: spellingOf(scope.terminator, dialect),
  };
  const wrong = (['date', 'region', 'service', 'terminator'] as const).find(
    (part) => scope[part] !== expected[part],
  );
  if (wrong === undefined) return;
  throw new StorageError(
    'AuthorizationHeaderMalformed',
    `check credential: the ${wrong} '${scope[wrong]}' is wrong; expecting '${expected[wrong]}'`,
    wrong === 'region' ? { details: { Region: region } } : {},
  );
}

/** The specification writes `<VENDOR>4_request`; clients of that dialect also write it in lower case. */
function spellingOf(terminator: string, dialect: Dialect): string {
  const same = terminator.toLowerCase() === dialect.terminator.toLowerCase();
  return same && dialect.name === 'svc' ? terminator : dialect.terminator;
}

function checkSignedHeaders({ request, signedHeaders }: Claims, { svc, amz }: Dialects): void {
  const unsigned = signedHeaders.includes('host') ? [] : ['host'];
  for (const [name] of request.headers) {
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

function checkSignature(claims: Claims, key: SigningCredentials, keys: SigningKeys): Seed {
  const { dialect, timestamp, credential, signature, authType, request } = claims;
  const signingKey = keys.keyFor(key, credential.scope, dialect);
  const signing = { dialect, timestamp, scope: formatScope(credential.scope) };
  const canonical = canonicalRequest(claims);
  const text = stringToSign(signing, canonical);
  const seed = { ...signing, signature, signingKey };
  if (sameSignature(signatureOf(signingKey, text), signature)) return seed;
  // A link made for GET also answers HEAD; no other method is exchanged for another (semantics B.11.2).
  if (authType === 'query' && request.method === 'HEAD') {
    const asGet = canonicalRequest({ ...claims, request: { ...request, method: 'GET' } });
    const expected = signatureOf(signingKey, stringToSign(signing, asGet));
    if (sameSignature(expected, signature)) return seed;
  }
  throw doesNotMatch(claims, canonical, text);
}

const CUSTOMER_KEY = /(customer-key:).*/g;

function doesNotMatch(claims: Claims, canonical: string, text: string): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    'check signature: it does not match the one calculated here; check your secret and how you sign',
    {
      details: {
        AWSAccessKeyId: claims.credential.accessKeyId,
        SignatureProvided: claims.signature,
        StringToSign: text,
        CanonicalRequest: Buffer.from(canonical, 'latin1')
          .toString('utf8')
          .replace(CUSTOMER_KEY, '$1***'),
      },
    },
  );
}

const NOBODY: SigningCredentials = { accessKeyId: '', secretAccessKey: 'nobody has this secret' };

/** The same work as for a known key, so that the time does not tell which keys exist. */
function unknownKey<K extends SigningCredentials>(
  claims: Claims,
  { keys, region }: VerifyOptions<K>,
): StorageError {
  const { dialect, timestamp } = claims;
  const { service, terminator } = dialect;
  const scope: CredentialScope = { date: dayOf(timestamp), region, service, terminator };
  const signingKey = keys.keyFor(NOBODY, scope, dialect);
  const signing = { dialect, timestamp, scope: formatScope(scope) };
  sameSignature(
    signatureOf(signingKey, stringToSign(signing, canonicalRequest(claims))),
    claims.signature,
  );
  return new StorageError(
    'InvalidAccessKeyId',
    'check credential: the access key id is not known',
    {
      details: { AWSAccessKeyId: claims.credential.accessKeyId },
    },
  );
}
