/** Defines headers that several operations share: object metadata, locks and conditions. */

import type {
  DeleteConditions,
  LockRequest,
  ObjectAttributes,
  ReadConditions,
  Retention,
  WriteConditions,
} from '../../object-store/object-store.ts';
import {
  etagList,
  expectedEtag,
  unexpectedEtag,
  headerText,
  httpDate,
  integer,
  isoDate,
  oneOf,
  words,
} from '../codecs.ts';
import { decodeAttribute, encodeAttribute, fromHeaderBytes } from '../header-text.ts';
import {
  encodeParts,
  group,
  header,
  invalidArgument,
  vendor,
  decodeParts,
  type Part,
} from '../message.ts';

/** The user metadata headers, `x-svc-meta-<name>`. Names are in lower case. `encodeAttribute` encodes the values. */
const metadata: Part<Pick<ObjectAttributes, 'metadata'>> = {
  encode: (message, writer) => {
    for (const [name, value] of Object.entries(message.metadata ?? {})) {
      writer.vendor(`meta-${name}`, encodeAttribute(value));
    }
  },
  decode: (reader, into) => {
    const found = reader.vendorStartingWith('meta-');
    if (found.length === 0) return;
    into.metadata = Object.fromEntries(
      found.map(([name, value]) => [name, decodeAttribute(value)]),
    );
  },
};

/**
 * The content encoding to store. It omits `aws-chunked`, because that only describes the framing of the request
 * (semantics B.11.4).
 */
const contentEncoding: Part<Pick<ObjectAttributes, 'contentEncoding'>> = {
  ...header('contentEncoding', 'content-encoding', headerText),
  decode: (reader, into) => {
    const encodings = (reader.header('content-encoding') ?? '')
      .split(',')
      .map((each) => each.trim());
    const kept = encodings.filter((each) => each !== 'aws-chunked' && each !== '').join(', ');
    if (kept !== '') into.contentEncoding = fromHeaderBytes(kept);
  },
};

export const websiteRedirect = vendor('websiteRedirect', 'website-redirect-location', headerText);

export const attributeParts: readonly Part<ObjectAttributes>[] = [
  header('contentType', 'content-type', headerText),
  contentEncoding,
  header('contentDisposition', 'content-disposition', headerText),
  header('contentLanguage', 'content-language', headerText),
  header('cacheControl', 'cache-control', headerText),
  header('expires', 'expires', headerText),
  websiteRedirect,
  metadata,
];

export const retentionMode = words('GOVERNANCE', 'COMPLIANCE');
export const legalHoldStatus = oneOf([
  [true, 'ON'],
  [false, 'OFF'],
]);

const retentionParts: readonly Part<Retention>[] = [
  vendor('mode', 'object-lock-mode', retentionMode, { nonEmpty: true }),
  vendor('retainUntil', 'object-lock-retain-until-date', isoDate, { nonEmpty: true }),
];

/**
 * The retention headers of a new version. Decoding rejects a mode without a date and a date without a mode (semantics
 * B.4).
 */
const retention: Part<Pick<LockRequest, 'retention'>> = {
  encode: (message, writer) => {
    if (message.retention !== undefined) encodeParts(retentionParts, message.retention, writer);
  },
  decode: (reader, into) => {
    const { mode, retainUntil } = decodeParts(retentionParts, reader);
    if (mode === undefined && retainUntil === undefined) return;
    if (mode === undefined || retainUntil === undefined) {
      throw invalidArgument(
        'object-lock-mode',
        mode ?? '',
        'the request must have both object-lock-mode and object-lock-retain-until-date',
      );
    }
    into.retention = { mode, retainUntil };
  },
};

export const lockParts: readonly Part<LockRequest>[] = [
  retention,
  vendor('legalHold', 'object-lock-legal-hold', legalHoldStatus, { nonEmpty: true }),
];

const readConditionParts: readonly Part<ReadConditions>[] = [
  header('ifMatch', 'if-match', etagList),
  header('ifNoneMatch', 'if-none-match', etagList),
  // An invalid date is ignored, as RFC 9110 §13.1.3 requires.
  header('ifModifiedSince', 'if-modified-since', httpDate, { lenient: true }),
  header('ifUnmodifiedSince', 'if-unmodified-since', httpDate, { lenient: true }),
];

const sourceConditionParts: readonly Part<ReadConditions>[] = [
  vendor('ifMatch', 'copy-source-if-match', etagList, { nonEmpty: true }),
  vendor('ifNoneMatch', 'copy-source-if-none-match', etagList, { nonEmpty: true }),
  vendor('ifModifiedSince', 'copy-source-if-modified-since', httpDate, { lenient: true }),
  vendor('ifUnmodifiedSince', 'copy-source-if-unmodified-since', httpDate, { lenient: true }),
];

/**
 * The `If-Match` header. An empty value is rejected. The client intended a condition, so the request must not run
 * unconditionally.
 */
const ifMatch = header('ifMatch', 'if-match', expectedEtag, { nonEmpty: true });
const bareIfMatch = header('ifMatch', 'if-match', headerText, { nonEmpty: true });

/**
 * The `If-Match` header of a write. The client sends it without quotes if `isUnquoted` is set. The server accepts it
 * with or without quotes.
 */
const ifMatchOfWrite: Part<WriteConditions> = {
  encode: (message, writer) => (message.isUnquoted ? bareIfMatch : ifMatch).encode(message, writer),
  decode: (reader, into) => ifMatch.decode(reader, into),
};

const writeConditionParts: readonly Part<WriteConditions>[] = [
  ifMatchOfWrite,
  header('ifNoneMatch', 'if-none-match', unexpectedEtag, { nonEmpty: true }),
];

const deleteConditionParts: readonly Part<DeleteConditions>[] = [
  ifMatch,
  vendor('lastModifiedAt', 'if-match-last-modified-time', httpDate, { nonEmpty: true }),
  vendor('sizeBytes', 'if-match-size', integer(), { nonEmpty: true }),
];

export const readConditions = group('conditions', readConditionParts);
export const sourceConditions = group('sourceConditions', sourceConditionParts);
export const writeConditions = group('conditions', writeConditionParts);
export const deleteConditions = group('conditions', deleteConditionParts);

/** Returns a part that writes a response header with a constant value. Decoding ignores the header. */
export function constant(name: string, value: string): Part<unknown> {
  return {
    encode: (_, writer) => void writer.headers.push([name, value]),
    decode: () => undefined,
  };
}

/** The object metadata that a request sets on the new object. */
export const attributes = group('attributes', attributeParts);
export const lock = group('lock', lockParts);
