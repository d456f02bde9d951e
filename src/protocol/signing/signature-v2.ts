/**
 * Verifies signature version 2 (semantics B.11.3): an HMAC-SHA1 over the method, the path, parts of the query, and some
 * headers. The signature covers neither the body nor most other headers. So, by default, version 2 is accepted only in
 * presigned URLs for reads. The configuration can allow version 2 in other requests.
 */

import { createHmac } from 'node:crypto';

import { StorageError } from '../../object-store/storage-error.ts';
import { formatIsoDate, parseHttpDate } from '../dates.ts';
import { fromHeaderBytes } from '../header-text.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { headerValue, type WireHeaders, type WireQuery, type WireRequest } from '../wire.ts';
import { parsePayloadMode } from './payload-mode.ts';
import { isPresignedV2 } from './presigned.ts';
import { checkSkew } from './request-time.ts';
import { UNKNOWN_SIGNER } from './signer-checks.ts';
import type { SigningCredentials } from './signing-key.ts';
import { sameSignature, withoutCustomerKeys } from './string-to-sign.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import type { Verified, VerifyOptions } from './verify-request.ts';

/**
 * Where signature version 2 is accepted. `presigned` accepts presigned URLs for GET and HEAD. `headers` also accepts
 * version 2 in the Authorization header and in POST forms. `off` rejects version 2.
 */
export type SignatureV2 = 'headers' | 'off' | 'presigned';

const SCHEME = 'AWS ';
const KEY_PARAMETER = 'AWSAccessKeyId';
const SECONDS = /^[0-9]{1,11}$/;

const OVERRIDE = 'response-';

/**
 * The query parameters that version 2 signs. The list includes parameters that clients do not know, so that a signed
 * URL cannot be changed to a different operation.
 */
const SIGNED_PARAMETERS = new Set(
  `accelerate acl analytics append attributes cors delete encryption intelligent-tiering inventory
  legal-hold lifecycle location logging metadataTable metrics notification object-lock
  ownershipControls partNumber policy policyStatus publicAccessBlock renameObject replication
  requestPayment restore retention select select-type session tagging torrent uploadId uploads
  versionId versioning versions website response-cache-control response-content-disposition
  response-content-encoding response-content-language response-content-type response-expires`.split(
    /\s+/,
  ),
);

/** Returns whether the request has a version 2 signature in the Authorization header or in the query. */
export function isSignatureV2({ headers, query }: ReceivedRequest): boolean {
  const authorization = headers.get('authorization');
  return authorization === undefined ? isPresignedV2(query) : authorization.startsWith(SCHEME);
}

interface ClaimsV2 {
  readonly authType: 'header' | 'query';
  readonly accessKeyId: string;
  readonly signature: string;
  /** The time of the signature in milliseconds since 1970. For a presigned URL, it is the current time. */
  readonly signedAt: number;
  /**
   * The date in the string to sign: the `Date` header, or `Expires` of a presigned URL. It is '' if the request has
   * `x-amz-date`.
   */
  readonly dateLine: string;
}

/**
 * Verifies a version 2 signature and returns the access key of the request. Throws the StorageError for the response.
 */
export function verifyRequestV2<K extends SigningCredentials>(
  options: VerifyOptions<K>,
): Verified<K> {
  const { request, dialects, findKey, bucketOfHost } = options;
  const claims = readClaims(options);
  checkUnambiguous(request.query);
  const accessKey = findKey(claims.accessKeyId);
  const secret = accessKey?.secretAccessKey ?? UNKNOWN_SIGNER.secretAccessKey;
  const text = stringToSignV2(
    { ...request, headers: request.headers.list },
    claims.dateLine,
    bucketOfHost,
  );
  const matches =
    signs(secret, text, claims.signature) ||
    // A URL signed for GET is also valid for HEAD, as with signature version 4.
    (claims.authType === 'query' &&
      request.method === 'HEAD' &&
      signs(secret, text.replace('HEAD', 'GET'), claims.signature));
  if (accessKey === undefined) {
    throw new StorageError(
      'InvalidAccessKeyId',
      'check credential: the access key id does not exist',
      {
        details: { AWSAccessKeyId: claims.accessKeyId },
      },
    );
  }
  if (!matches) throw doesNotMatch(claims, text);
  const { authType, signedAt } = claims;
  const dialect = dialects.amz;
  const hash = request.headers.get(`${dialect.headerPrefix}content-sha256`);
  const payload = hash === undefined ? UNSIGNED : parsePayloadMode(hash, dialect);
  if (payload.kind !== 'chunked') {
    return { accessKey, authType, dialect, payload, signedAt, signatureVersion: 'AWS' };
  }
  throw new StorageError(
    'InvalidRequest',
    'read body: a streaming body requires signature version 4',
  );
}

const UNSIGNED = { kind: 'unsigned' } as const;

/**
 * Returns the version 2 string to sign, with one character per byte. For a presigned URL, `date` is `Expires`.
 * `bucketOfHost` is the bucket name of a virtual-hosted-style request.
 */
export function stringToSignV2(
  { method, path, query, headers }: WireRequest,
  date: string,
  bucketOfHost?: string,
): string {
  const resource = bucketOfHost === undefined ? path : `/${bucketOfHost}${path}`;
  return [
    method,
    headerValue(headers, 'content-md5') ?? '',
    headerValue(headers, 'content-type') ?? '',
    date,
    ...vendorHeaders(headers),
    resource + signedQuery(query),
  ].join('\n');
}

/** Returns the signature in base64. */
export function signatureV2Of(secretAccessKey: string, stringToSign: string): string {
  return createHmac('sha1', secretAccessKey).update(stringToSign, 'latin1').digest('base64');
}

function signs(secret: string, text: string, signature: string): boolean {
  return sameSignature(signatureV2Of(secret, text), signature);
}

/**
 * Returns one line for each vendor header, sorted by name. Includes vendor headers of both dialects, so that adding a
 * header to a presigned URL invalidates its signature.
 */
function vendorHeaders(headers: WireHeaders): string[] {
  const names = new Set(
    headers.map(([name]) => name).filter((name) => /^x-(?:amz|svc)-/.test(name)),
  );
  return [...names].sort().map((name) => {
    const values = headers.filter(([each]) => each === name).map(([, value]) => value.trim());
    return `${name}:${values.join(',')}`;
  });
}

function signedQuery(query: WireQuery): string {
  const signed = signedParameters(query)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => (value === '' ? name : `${name}=${bytesOf(value)}`));
  return signed.length === 0 ? '' : `?${signed.join('&')}`;
}

function signedParameters(query: WireQuery): (readonly [name: string, value: string])[] {
  return query.filter(([name]) => SIGNED_PARAMETERS.has(name));
}

/**
 * Throws InvalidRequest if the version 2 string to sign is ambiguous. The string joins decoded values with `&`. So the
 * signature for the single value `a&versionId=v` is also valid for two parameters, and the service cannot know which of
 * the two was signed. Among the signed parameters, only overrides of response headers may contain text chosen by a
 * third party. So a request must not combine them with other signed parameters.
 */
function checkUnambiguous(query: WireQuery): void {
  const signed = signedParameters(query);
  const joined = signed.find(([, value]) => value.includes('&'));
  if (joined !== undefined) {
    throw ambiguous(joined, `${joined[0]} contains "&", which separates signed parameters`);
  }
  const override = signed.find(([name]) => name.startsWith(OVERRIDE));
  const other = signed.find(([name]) => !name.startsWith(OVERRIDE));
  if (override === undefined || other === undefined) return;
  throw ambiguous(override, `${override[0]} cannot be combined with ${other[0]}`);
}

function ambiguous([name, value]: WireQuery[number], reason: string): StorageError {
  return new StorageError(
    'InvalidRequest',
    `check signature: version 2 cannot sign this query: ${reason}; sign it with version 4`,
    { details: { ArgumentName: name, ArgumentValue: value } },
  );
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function readClaims<K extends SigningCredentials>(options: VerifyOptions<K>): ClaimsV2 {
  const { request, now, signatureV2 = 'presigned' } = options;
  const authorization = request.headers.get('authorization');
  if (authorization !== undefined) {
    if (signatureV2 !== 'headers') throw refused('in headers', 'headers');
    return headerClaims(request, authorization.slice(SCHEME.length), now);
  }
  if (signatureV2 === 'off') throw refused('in links', 'presigned');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw refused(`in links for ${request.method}`);
  return linkClaims(request, now);
}

/**
 * The message that S3 returns. s3cmd switches to version 2 after any other InvalidArgument error, and returns to
 * version 4 only for this message.
 */
const NOT_SUPPORTED =
  'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.';

function refused(where: string, setting?: SignatureV2): StorageError {
  const fix = setting !== undefined && {
    Setting: `storage.signatureV2: ${setting}`,
    SettingFile: 'config.yaml',
  };
  const details = { AuthorizationMechanism: `version 2 ${where}`, ...fix };
  return new StorageError('InvalidRequest', NOT_SUPPORTED, { details });
}

/**
 * Returns the claims of an Authorization header of the form `AWS id:signature`. Splits at the last colon, because an ID
 * may contain colons, but a signature cannot.
 */
function headerClaims({ headers }: ReceivedRequest, value: string, now: number): ClaimsV2 {
  const colon = value.lastIndexOf(':');
  const vendorDate = headers.get('x-amz-date');
  const date = vendorDate ?? headers.get('date') ?? '';
  const signedAt = parseTimestamp(date) ?? parseHttpDate(date.replace(/(?:\+0000|UTC)$/, 'GMT'));
  if (colon <= 0) {
    throw new StorageError(
      'AuthorizationHeaderMalformed',
      'read authorization header: the form of version 2 is AWS ACCESS_KEY_ID:SIGNATURE',
    );
  }
  if (signedAt === undefined) {
    throw new StorageError('AccessDenied', 'read headers: a valid x-amz-date or Date is required');
  }
  checkSkew(signedAt, formatTimestamp(signedAt), now);
  return {
    authType: 'header',
    accessKeyId: fromHeaderBytes(value.slice(0, colon)),
    signature: value.slice(colon + 1),
    signedAt,
    dateLine: vendorDate === undefined ? date : '',
  };
}

/**
 * Returns the claims of a presigned URL with signature version 2. Throws AccessDenied if the URL is incomplete or has
 * expired.
 */
function linkClaims({ query }: ReceivedRequest, now: number): ClaimsV2 {
  const [accessKeyId, signature, expires] = [KEY_PARAMETER, 'Signature', 'Expires'].map((name) => {
    const values = query.filter(([each]) => each === name);
    const [value] = values;
    if (values.length === 1 && value?.[1]) return value[1];
    throw new StorageError(
      'AccessDenied',
      `read presigned URL: signature version 2 requires ${KEY_PARAMETER}, Expires and Signature, once each`,
    );
  }) as [string, string, string];
  if (!SECONDS.test(expires)) {
    throw new StorageError(
      'AccessDenied',
      'read presigned URL: Expires must be in seconds since 1970',
    );
  }
  const expiresAt = Number(expires) * 1000;
  if (now <= expiresAt) {
    return { authType: 'query', accessKeyId, signature, signedAt: now, dateLine: expires };
  }
  throw new StorageError('AccessDenied', 'Request has expired.', {
    details: { Expires: formatIsoDate(expiresAt), ServerTime: formatIsoDate(now) },
  });
}

function doesNotMatch({ accessKeyId, signature }: ClaimsV2, text: string): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    'check signature: it does not match the calculated signature; check your secret access key and signing method',
    {
      details: {
        AWSAccessKeyId: accessKeyId,
        SignatureProvided: signature,
        StringToSign: withoutCustomerKeys(text),
      },
    },
  );
}
