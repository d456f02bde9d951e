/**
 * Encodes and decodes error responses. Some error details are sent as headers because a HEAD response has no body.
 */

import { StorageError, type StorageErrorDetails } from '../object-store/storage-error.ts';
import type { Dialect } from './dialect.ts';
import { Headers } from './headers.ts';
import { codeOfStatus, ERROR_TABLE, storageErrorCode } from './error-table.ts';
import { formatHttpDate, parseIsoDate } from './dates.ts';
import { toHeaderBytes } from './header-text.ts';
import { MessageReader, MessageWriter } from './message.ts';
import type { EncodedResponse } from './operations.ts';
import type { Target } from './paths.ts';
import type { WireResponse } from './wire.ts';
import { element, writeXml, type XmlElement } from './xml/element.ts';
import { parseXml } from './xml/parse.ts';

export interface ErrorContext {
  readonly dialect: Dialect;
  readonly target: Target;
  readonly requestId: string;
  readonly hostId: string;
}

/** Error details that are sent as headers instead of XML elements. */
const HEADER_DETAILS = new Set(['Allow', 'DeleteMarker', 'VersionId', 'LastModified']);

/** Error details that a 304 response must send as object headers. Each entry also contains the name of the header. */
const REPEATED = [
  ['CacheControl', 'cache-control'],
  ['Expires', 'expires'],
] as const;

/** The minimum delay before a client retries. Clients add their own backoff. */
const RETRY_AFTER_SECONDS = '1';

/** Encodes an error as a response. The caller removes the body for HEAD requests and 304 responses. */
export function encodeError(error: StorageError, context: ErrorContext): EncodedResponse {
  const { status, text } = ERROR_TABLE[error.code];
  const { target, requestId, hostId } = context;
  const elements = [element('Code', error.code), element('Message', error.message || text)];
  const named = new Set(['Code', 'Message', 'RequestId', 'HostId']);
  const add = (name: string, value: string) => {
    if (named.has(name)) return;
    named.add(name);
    elements.push(element(name, value));
  };
  for (const [name, value] of Object.entries(error.details)) {
    if (!HEADER_DETAILS.has(name)) add(name, String(value));
  }
  if (target.bucket !== undefined) add('BucketName', target.bucket);
  if (target.key !== undefined) add('Key', target.key);
  elements.push(element('RequestId', requestId), element('HostId', hostId));
  const headers = detailHeaders(error, context.dialect);
  // A 304 response omits this header. Otherwise a cache would replace the content type of the stored object with this
  // content type.
  if (status !== 304) headers.push(['content-type', 'application/xml']);
  return { status, headers, body: writeXml(element('Error', elements)) };
}

function detailHeaders(error: StorageError, dialect: Dialect): MessageWriter['headers'] {
  const { details } = error;
  const { status } = ERROR_TABLE[error.code];
  const writer = new MessageWriter(dialect);
  if (details['DeleteMarker'] === true) writer.vendor('delete-marker', 'true');
  if (typeof details['VersionId'] === 'string') {
    writer.vendor('version-id', toHeaderBytes(details['VersionId']));
  }
  const modifiedAt = parseIsoDate(String(details['LastModified']));
  if (modifiedAt !== undefined) {
    writer.headers.push(['last-modified', formatHttpDate(modifiedAt)]);
  }
  if (error.code === 'NotModified') {
    writer.headers.push(['etag', `"${details['ETag']}"`]);
    for (const [detail, name] of REPEATED) {
      const value = details[detail];
      if (typeof value === 'string') writer.headers.push([name, toHeaderBytes(value)]);
    }
  }
  // A delete marker supports only the DELETE method (semantics B.3).
  const allow = details['DeleteMarker'] === true ? 'DELETE' : details['Allow'];
  if (error.code === 'MethodNotAllowed' && typeof allow === 'string') {
    writer.headers.push(['allow', allow]);
  }
  if (status === 503) writer.headers.push(['retry-after', RETRY_AFTER_SECONDS]);
  if (error.code === 'InvalidRange' && details['ActualObjectSize'] !== undefined) {
    writer.headers.push(['content-range', `bytes */${details['ActualObjectSize']}`]);
  }
  return writer.headers;
}

/**
 * Decodes an error response. If the body is not a valid error document, the code is derived from the status and from
 * `context.target`.
 */
export function decodeError(
  response: WireResponse & { readonly body?: string },
  context: { readonly dialect: Dialect; readonly target: Target },
): StorageError {
  const elements = readElements(response.body ?? '');
  const serviceCode = elements.get('Code') ?? '';
  const { bucket, key } = context.target;
  const place = key !== undefined ? 'object' : bucket !== undefined ? 'bucket' : 'service';
  const code = storageErrorCode(serviceCode) ?? codeOfStatus(response.status, place);
  const inside = [...elements].filter(([name]) => name !== 'Code' && name !== 'Message');
  const details: Record<string, string | number | boolean> = {
    ...headerDetails(response, context.dialect),
    ...Object.fromEntries(inside),
  };
  // Keep the service's original error code so that users see it.
  if (serviceCode !== '' && serviceCode !== code) details['Code'] = serviceCode;
  return new StorageError(code, elements.get('Message') || ERROR_TABLE[code].text, { details });
}

function readElements(body: string): Map<string, string> {
  if (body === '') return new Map();
  try {
    const { name, content } = parseXml(body);
    if (name !== 'Error' || typeof content === 'string') return new Map();
    return new Map(content.flatMap((each) => leafOf(each)));
  } catch {
    // The body is not an error document. It may be the HTML page of a proxy. The caller falls back to the status.
    return new Map();
  }
}

function leafOf({ name, content }: XmlElement): [string, string][] {
  return typeof content === 'string' ? [[name, content]] : [];
}

function headerDetails(response: WireResponse, dialect: Dialect): StorageErrorDetails {
  const reader = new MessageReader({ query: [], headers: new Headers(response.headers) }, dialect);
  const details: Record<string, string | boolean> = {};
  if (reader.vendor('delete-marker') === 'true') details['DeleteMarker'] = true;
  const versionId = reader.vendor('version-id');
  if (versionId !== undefined) details['VersionId'] = versionId;
  return details;
}
