/** Encodes the outcome of a website request as an HTTP status, headers and text. */

import type { ObjectInfo } from '../../object-store/object-store.ts';
import type { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../../protocol/dialect.ts';
import { encodeError } from '../../protocol/error-document.ts';
import { ERROR_TABLE } from '../../protocol/error-table.ts';
import { toHeaderBytes } from '../../protocol/header-text.ts';
import { encodeResponse } from '../../protocol/operations.ts';
import type { WireHeaders, WireResponse } from '../../protocol/wire.ts';
import { locationOf, ownLocation, type Origin } from './location.ts';
import { errorPage, type Facts } from './page.ts';
import type { Outcome, Shown } from './show.ts';

/**
 * A response whose body is an object or a text. Responses to HEAD requests and responses with
 * status 304 have no body.
 */
export interface Answer extends WireResponse {
  readonly shown?: Shown;
  readonly text?: string;
}

export interface EncodeContext {
  readonly bucket: string | undefined;
  readonly path: string | undefined;
  readonly requestId: string;
  readonly dialect: Dialect;
  readonly origin: Origin;
}

const HOST_ID = 'holdfast';
const MOVED = 301;

/**
 * The headers of an error page. With them, browsers run no scripts in the page, load nothing for
 * it, and do not guess another content type.
 */
const PAGE_HEADERS: WireHeaders = [
  ['content-type', 'text/html; charset=utf-8'],
  ['content-security-policy', "default-src 'none'"],
  ['x-content-type-options', 'nosniff'],
];

export function encodeOutcome(outcome: Outcome, context: EncodeContext): Answer {
  if (outcome.kind === 'object') return encodeObject(outcome.shown, context);
  if (outcome.kind === 'error') return encodeFailure(outcome, context);
  if (outcome.kind === 'moved') return redirectTo(ownLocation(outcome.location), MOVED);
  const { redirect } = outcome;
  return redirectTo(locationOf(redirect, context.origin), redirect.status);
}

function redirectTo(location: string, status: number): Answer {
  return { status, headers: [['location', location]] };
}

function encodeObject(shown: Shown, { bucket = '', path = '', dialect }: EncodeContext): Answer {
  const output = { ...shown, info: publicInfo(shown.info) };
  const exchange = { input: { bucket, key: path }, output };
  const { status, headers } = encodeResponse('GetObject', exchange, dialect);
  return { status, headers, shown };
}

/**
 * Returns the object's attributes without locks and without the number of tags, because reading
 * those requires separate permissions.
 */
function publicInfo(info: ObjectInfo): ObjectInfo {
  const { retention: _, legalHold: __, tagCount: ___, ...shown } = info;
  return shown;
}

function encodeFailure(
  { error, document, documentError }: Extract<Outcome, { readonly kind: 'error' }>,
  context: EncodeContext,
): Answer {
  const { bucket, path, requestId, dialect } = context;
  const target = { ...(bucket !== undefined && { bucket }) };
  const encoded = encodeError(error, { dialect, target, requestId, hostId: HOST_ID });
  const { status } = encoded;
  if (status === 304) return { status, headers: encoded.headers };
  const headers = [
    ...encoded.headers.filter(([name]) => name !== 'content-type'),
    [`${dialect.headerPrefix}error-code`, error.code] as const,
    [`${dialect.headerPrefix}error-message`, toHeaderBytes(messageOf(error))] as const,
  ];
  if (document !== undefined) {
    const shown = encodeObject(document, context).headers.filter(([name]) => OF_DOCUMENT.has(name));
    return { status, headers: [...headers, ...shown], shown: document };
  }
  const names: Facts = [
    ...(bucket === undefined ? [] : [['BucketName', bucket] as const]),
    ...(path ? [['Key', path] as const] : []),
  ];
  const facts = [
    ...factsOf(error),
    ...names,
    ['RequestId', requestId] as const,
    ['HostId', HOST_ID] as const,
  ];
  const errorDocument = documentError && factsOf(documentError);
  return {
    status,
    headers: [...headers, ...PAGE_HEADERS],
    text: errorPage({ status, facts, errorDocument }),
  };
}

/**
 * The headers of the error document that describe its content. With the document's other headers, a cache could store
 * the document as the requested object.
 */
const OF_DOCUMENT = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
]);

function factsOf(error: StorageError): Facts {
  return [
    ['Code', error.code],
    ['Message', messageOf(error)],
  ];
}

function messageOf(error: StorageError): string {
  return error.message || ERROR_TABLE[error.code].text;
}
