/** Defines PutObject, GetObject, HeadObject and DeleteObject. */

import type {
  DeleteObjectRequest,
  DeleteObjectResult,
  HeadObjectRequest,
  ObjectAttributes,
  ObjectHead,
  ObjectInfo,
  PutObjectRequest,
  PutObjectResult,
} from '../../object-store/object-store.ts';
import { MAX_PARTS } from '../../object-store/rules/multipart.ts';
import { byteRange, etag, flag, headerText, httpDate, integer, text, trueOnly } from '../codecs.ts';
import { group, header, invalidArgument, query, vendor, type Part } from '../message.ts';
import { acl } from './acl-headers.ts';
import {
  attributeParts,
  attributes,
  constant,
  deleteConditions,
  lock,
  lockParts,
  readConditions,
  writeConditions,
} from './attributes.ts';
import { checksumMode, objectChecksum } from './checksums.ts';
import { customerEncryption, customerKey } from './encryption.ts';
import { expirationHeader } from './lifecycle.ts';
import type { Operation } from './operation.ts';
import { tagsHeader } from './tagging.ts';

export type PutObjectInput = Omit<PutObjectRequest, 'body'>;

/**
 * The input of a read. `overrides` contains parameters such as `response-content-type=…`, which replace response
 * headers (semantics B.11.2).
 */
export interface ReadObjectInput extends HeadObjectRequest {
  readonly overrides?: Omit<ObjectAttributes, 'metadata'>;
  /**
   * The `If-Range` condition: a quoted ETag or an HTTP date. If the object does not match the condition, the range is
   * ignored.
   */
  readonly ifRange?: string;
}

const ACCEPT_RANGES = ['accept-ranges', 'bytes'] as const;
const DEFAULT_CONTENT_TYPE = 'binary/octet-stream';

const versionId = query('versionId', 'versionId', text, { nonEmpty: true });

/**
 * Writes `Accept-Ranges` in the response to PutObject. According to the specification, the header is sent only if the
 * object is encrypted.
 */
const acceptRangesOfEncrypted: Part<PutObjectResult> = {
  encode: ({ encryption }, writer) => {
    if (encryption !== undefined) writer.headers.push(ACCEPT_RANGES);
  },
  decode: () => undefined,
};

const written: readonly Part<PutObjectResult>[] = [
  header('etag', 'etag', etag),
  vendor('versionId', 'version-id', headerText),
  objectChecksum,
  customerEncryption,
  acceptRangesOfEncrypted,
  expirationHeader,
];

export const putObject: Operation<PutObjectInput, PutObjectResult> = {
  method: 'PUT',
  target: 'object',
  request: {
    parts: [attributes, acl, tagsHeader, lock, writeConditions, customerKey],
    body: 'bytes',
  },
  response: { status: 200, parts: written },
};

const info: readonly Part<ObjectInfo>[] = [
  header('etag', 'etag', etag),
  header('lastModifiedAt', 'last-modified', httpDate),
  vendor('versionId', 'version-id', headerText),
  ...attributeParts,
  // Sent only if the object has tags. Ceph RGW also sends 0.
  vendor('tagCount', 'tagging-count', integer(1), { lenient: true }),
  ...lockParts,
  objectChecksum,
  customerEncryption,
  expirationHeader,
];

/**
 * The headers with the size of the object. `content-length` is the length of the body. If the response is a range,
 * `content-range` contains the size of the object.
 */
const extent: Part<ObjectHead> = {
  encode: ({ info: { sizeBytes }, range }, writer) => {
    if (range === undefined) {
      writer.headers.push(['content-length', String(sizeBytes)]);
      return;
    }
    const { first, last } = range;
    writer.headers.push(
      ['content-length', String(last - first + 1)],
      ['content-range', `bytes ${first}-${last}/${sizeBytes}`],
    );
  },
  decode: (reader, into) => {
    const contentRange = reader.header('content-range');
    const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '');
    const length = match?.[3] ?? reader.header('content-length') ?? '';
    const sizeBytes = integer().decode(length);
    if (sizeBytes === undefined)
      throw invalidArgument('content-length', length, 'the value is not a valid number');
    if (match !== null) into.range = { first: Number(match[1]), last: Number(match[2]) };
    into.info = { ...into.info, sizeBytes } as ObjectInfo;
  },
};

const typeByDefault: Part<ObjectHead> = {
  encode: (head, writer) => {
    if (head.info.contentType === undefined)
      writer.headers.push(['content-type', DEFAULT_CONTENT_TYPE]);
  },
  decode: () => undefined,
};

const overrideParts: readonly Part<Omit<ObjectAttributes, 'metadata'>>[] = [
  query('contentType', 'response-content-type', text),
  query('contentEncoding', 'response-content-encoding', text),
  query('contentDisposition', 'response-content-disposition', text),
  query('contentLanguage', 'response-content-language', text),
  query('cacheControl', 'response-cache-control', text),
  query('expires', 'response-expires', text),
];

const partOfObject = query('partNumber', 'partNumber', integer(1, MAX_PARTS), { nonEmpty: true });

const readRequest: readonly Part<ReadObjectInput>[] = [
  versionId,
  // An invalid range is ignored, and the whole object is sent (semantics B.14).
  header('range', 'range', byteRange, { lenient: true }),
  header('ifRange', 'if-range', text),
  readConditions,
  partOfObject,
  checksumMode,
  customerKey,
  group('overrides', overrideParts),
];

const readResponse: readonly Part<ObjectHead>[] = [
  group('info', info),
  extent,
  vendor('partsCount', 'mp-parts-count', integer()),
  typeByDefault,
  constant(...ACCEPT_RANGES),
  constant('x-rgw-object-type', 'Normal'),
];

export const getObject: Operation<ReadObjectInput, ObjectHead> = {
  method: 'GET',
  target: 'object',
  request: { parts: readRequest },
  response: { status: 200, parts: readResponse, body: 'bytes' },
};

export const headObject: Operation<ReadObjectInput, ObjectHead> = { ...getObject, method: 'HEAD' };

export const deleteObject: Operation<DeleteObjectRequest, DeleteObjectResult> = {
  method: 'DELETE',
  target: 'object',
  request: {
    parts: [
      versionId,
      vendor('bypassGovernance', 'bypass-governance-retention', trueOnly),
      deleteConditions,
    ],
  },
  response: {
    status: 204,
    parts: [
      vendor('versionId', 'version-id', headerText),
      {
        encode: ({ deleteMarker }, writer) => {
          if (deleteMarker) writer.vendor('delete-marker', 'true');
        },
        decode: (reader, into) => {
          into.deleteMarker = flag.decode(reader.vendor('delete-marker') ?? 'false') ?? false;
        },
      },
    ],
  },
};
