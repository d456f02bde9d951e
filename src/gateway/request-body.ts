/** Opens the body of a request, checks its announced size, and reads XML and JSON documents. */

import { bytesBody, collect, type Body } from '../object-store/body.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { DocumentRules } from '../protocol/operations/operation.ts';
import { payloadBody, wholeBody } from '../protocol/signing/payload-body.ts';
import { Headers } from '../protocol/headers.ts';
import { MAX_XML_BYTES } from '../protocol/xml/parse.ts';
import type { Authenticated } from './authenticate.ts';
import type { IncomingBody } from './incoming-body.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { MAX_WHOLE_BYTES } from '../http/listener-limits.ts';
import type { RequestHead } from './request-head.ts';

/** A request whose body has not been read yet. */
export interface Received {
  readonly headers: Headers;
  readonly incoming: IncomingBody;
}

const NO_BODY = bytesBody('');

/**
 * Returns the body, which is verified against its signature, digests and checksums while it is read. Throws
 * MissingContentLength and EntityTooLarge before any byte is read.
 */
export async function requestBody(
  { incoming, headers }: Received,
  authenticated: Authenticated,
  { body: kind, checksumOf }: BodyOfOperation,
): Promise<Body> {
  const message =
    checksumOf === 'object' ? withoutChecksums(authenticated.message) : authenticated.message;
  const announced = announcedBytes(headers);
  if (kind === undefined && (announced ?? 0) === 0) return NO_BODY;
  if (kind === 'bytes' && announced === undefined) {
    throw new StorageError('MissingContentLength', 'read body: Content-Length is missing');
  }
  const hashedBy = kind === 'bytes' ? 'store' : 'stream';
  const isFramed = message.verified.payload.kind === 'chunked';
  if (!isFramed && !incoming.isAwaited && (announced ?? 0) <= MAX_WHOLE_BYTES) {
    return wholeBody(message, await incoming.whole(), { hashedBy });
  }
  const body = payloadBody(message, (chunks) => incoming.read(chunks), { hashedBy });
  if ((body.sizeBytes ?? 0) <= MAX_UPLOAD_BYTES) return body;
  throw new StorageError('EntityTooLarge', `read body: more than ${MAX_UPLOAD_BYTES} bytes`, {
    details: { MaxSizeAllowed: MAX_UPLOAD_BYTES, ProposedSize: body.sizeBytes ?? 0 },
  });
}

/** The properties in the operation table that describe the request body. */
interface BodyOfOperation {
  readonly body?: unknown;
  readonly checksumOf?: 'object';
}

/**
 * Returns the message without checksum headers. Used if the headers describe the object instead of the request body.
 */
function withoutChecksums(message: Authenticated['message']): Authenticated['message'] {
  const { head, verified } = message;
  const { headerPrefix } = verified.dialect;
  const [checksum, naming] = [`${headerPrefix}checksum-`, `${headerPrefix}sdk-checksum-algorithm`];
  const kept = head.unified.list.filter(([name]) => !name.startsWith(checksum) && name !== naming);
  return { verified, head: { unified: new Headers(kept) } };
}

/**
 * Returns the size of the body that the headers announce. Returns infinity for a chunked transfer, and undefined if no
 * header announces a size.
 */
export function announcedBytes(headers: Headers): number | undefined {
  if (headers.has('transfer-encoding')) return Number.POSITIVE_INFINITY;
  const length = headers.get('content-length');
  return length === undefined ? undefined : Number(length);
}

/**
 * Returns an XML or JSON request body as text. Throws MaxMessageLengthExceeded if the body is longer than `maxBytes`.
 * For invalid UTF-8, throws the error `malformed` of the operation.
 */
export async function readDocument(
  body: Body,
  { maxBytes = MAX_XML_BYTES, malformed = 'MalformedXML' }: DocumentRules,
): Promise<string> {
  const tooLong = (cause?: unknown) =>
    new StorageError('MaxMessageLengthExceeded', `read request body: more than ${maxBytes} bytes`, {
      cause,
    });
  if ((body.sizeBytes ?? 0) > maxBytes) throw tooLong();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await collect(body.open(), maxBytes));
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLong(cause);
    if (cause instanceof TypeError)
      throw new StorageError(malformed, 'read request body: it is not valid UTF-8', { cause });
    throw cause;
  }
}

/**
 * Reads a body that must be empty to its end, so that its digest is verified. Throws UnexpectedContent if the body is
 * not empty.
 */
export async function expectNoBody(body: Body): Promise<void> {
  if (body.bytes?.byteLength === 0) return;
  for await (const chunk of body.open()) {
    if (chunk.byteLength > 0)
      throw new StorageError('UnexpectedContent', 'read body: this request must not have a body');
  }
}

/**
 * Throws InvalidRequest unless the request has a signed SHA-256, a Content-MD5, or a checksum in a header or trailer.
 */
export function requireDigest({ unified, dialect }: RequestHead, body: Body): void {
  const { headerPrefix } = dialect;
  const isDigest = (name: string) =>
    name === 'content-md5' ||
    name === `${headerPrefix}trailer` ||
    name.startsWith(`${headerPrefix}checksum-`);
  if (body.sha256 !== undefined || unified.list.some(([name]) => isDigest(name))) return;
  throw new StorageError(
    'InvalidRequest',
    `read body: Content-MD5 or a ${headerPrefix}checksum- header is missing`,
  );
}
