/**
 * Signature version 2 (semantics B.11.3): HMAC-SHA1 over the request's line, some of its query and its vendor
 * headers. It covers no body and no other header, so links for reading are taken, and the rest only where the
 * configuration says so.
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
import type { SigningCredentials } from './signing-key.ts';
import { sameSignature } from './string-to-sign.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import type { Verified, VerifyOptions } from './verify-request.ts';

/** `presigned`: in links for GET and HEAD alone. `headers`: in the Authorization header too. */
export type SignatureV2 = 'headers' | 'off' | 'presigned';

const SCHEME = 'AWS ';
const KEY_PARAMETER = 'AWSAccessKeyId';
const SECONDS = /^[0-9]{1,11}$/;

const OVERRIDE = 'response-';

/** Signed query parameters: more than clients know of, so that no URL can be changed to another operation. */
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

/** Whether the request has a signature of version 2, in the header or the query. */
export function isSignatureV2({ headers, query }: ReceivedRequest): boolean {
  const authorization = headers.get('authorization');
  return authorization === undefined ? isPresignedV2(query) : authorization.startsWith(SCHEME);
}

interface ClaimsV2 {
  readonly authType: 'header' | 'query';
  readonly accessKeyId: string;
  readonly signature: string;
  /** Of a header: milliseconds since 1970. */
  readonly signedAt: number;
  /** The time in the string to sign, as the request contains it. */
  readonly dateLine: string;
}

/** Throws the StorageError that the response reports. */
export function verifyRequestV2<K extends SigningCredentials>(
  options: VerifyOptions<K>,
): Verified<K> {
  const { request, dialects, findKey, bucketOfHost } = options;
  const claims = readClaims(options);
  checkUnambiguous(request.query);
  const accessKey = findKey(claims.accessKeyId);
  const secret = accessKey?.secretAccessKey ?? 'nobody has this secret';
  const text = stringToSignV2(
    { ...request, headers: request.headers.list },
    claims.dateLine,
    bucketOfHost,
  );
  const matches =
    signs(secret, text, claims.signature) ||
    // A link made for GET also answers HEAD, as with version 4.
    (claims.authType === 'query' &&
      request.method === 'HEAD' &&
      signs(secret, text.replace('HEAD', 'GET'), claims.signature));
  if (accessKey === undefined) {
    throw new StorageError(
      'InvalidAccessKeyId',
      'check credential: the access key id is not known',
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
  throw new StorageError('InvalidRequest', 'read body: a streaming body needs version 4');
}

const UNSIGNED = { kind: 'unsigned' } as const;

/** The string to sign, one character a byte. `date` is `Expires` of a link; `bucketOfHost` that of a virtual host. */
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

/** Base64. */
export function signatureV2Of(secretAccessKey: string, stringToSign: string): string {
  return createHmac('sha1', secretAccessKey).update(stringToSign, 'latin1').digest('base64');
}

function signs(secret: string, text: string, signature: string): boolean {
  return sameSignature(signatureV2Of(secret, text), signature);
}

/** Of both families: one that was added to a link must not go unnoticed. */
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
 * Throws InvalidRequest where the string to sign has a second reading. It joins decoded values by `&`, so the signature of one value
 * `a&versionId=v` is also that of two parameters. The service cannot know which of the two was signed. Only overrides
 * of headers hold text that a visitor may have chosen: beside one, a parameter that selects something else is refused.
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

/** In the words of the protocol: s3cmd tries version 2 after any InvalidArgument, and goes back by these alone. */
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

/** `AWS id:signature`; ids hold colons, signatures do not. */
function headerClaims({ headers }: ReceivedRequest, value: string, now: number): ClaimsV2 {
  const colon = value.lastIndexOf(':');
  const vendorDate = headers.get('x-amz-date');
  const date = vendorDate ?? headers.get('date') ?? '';
  const signedAt = parseTimestamp(date) ?? parseHttpDate(date.replace(/(?:\+0000|UTC)$/, 'GMT'));
  if (colon <= 0) {
    throw new StorageError(
      'AuthorizationHeaderMalformed',
      'read authorization header: version 2 is AWS, a blank, the access key id, a colon, the signature',
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

/** Throws AccessDenied for a link that is not whole, or not valid any more. */
function linkClaims({ query }: ReceivedRequest, now: number): ClaimsV2 {
  const [accessKeyId, signature, expires] = [KEY_PARAMETER, 'Signature', 'Expires'].map((name) => {
    const values = query.filter(([each]) => each === name);
    const [value] = values;
    if (values.length === 1 && value?.[1]) return value[1];
    throw new StorageError(
      'AccessDenied',
      `read link: a signature of version 2 needs ${KEY_PARAMETER}, Expires and Signature, once each`,
    );
  }) as [string, string, string];
  if (!SECONDS.test(expires)) {
    throw new StorageError('AccessDenied', 'read link: Expires must be seconds since 1970');
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
    'check signature: it does not match the one calculated here; check your secret and how you sign',
    {
      details: {
        AWSAccessKeyId: accessKeyId,
        SignatureProvided: signature,
        StringToSign: Buffer.from(text, 'latin1').toString('utf8').replace(CUSTOMER_KEY, '$1***'),
      },
    },
  );
}

const CUSTOMER_KEY = /(customer-key:).*/g;
