/** Defines the operations that copy from another object: CopyObject and UploadPartCopy (semantics B.13, B.15). */

import { defined } from '../../base/defined.ts';
import type { CopyPartRequest, CopyPartResult } from '../../object-store/copy-part.ts';
import type {
  CopyObjectRequest,
  CopyObjectResult,
  ObjectAttributes,
  ObjectRef,
} from '../../object-store/object-store.ts';
import type { Tag } from '../../object-store/tags.ts';
import { byteRange, etag, headerText, isoDate } from '../codecs.ts';
import { decodeParts, encodeParts, invalidArgument, vendor, type Part } from '../message.ts';
import { formatPath } from '../paths.ts';
import { percentDecode, percentEncode } from '../percent.ts';
import { document } from '../xml/document.ts';
import { leaf, record, required } from '../xml/schema.ts';
import { acl } from './acl-headers.ts';
import {
  attributeParts,
  lock,
  sourceConditions,
  websiteRedirect,
  writeConditions,
} from './attributes.ts';
import { checksumAlgorithmHeader, checksumElement, objectChecksumElements } from './checksums.ts';
import { customerEncryption, customerKey, sourceCustomerKey } from './encryption.ts';
import { expirationHeader } from './lifecycle.ts';
import { partNumber, uploadId } from './multipart.ts';
import { responseDocument, type Operation } from './operation.ts';
import { tagsHeader } from './tagging.ts';

/**
 * The source of a copy, `/bucket/key?versionId=…`. The path is decoded before it is split, because some clients also
 * encode the slashes. It is decoded only once, and `..` in the key has no special meaning (semantics B.15).
 */
const copySource: Part<{ readonly source?: ObjectRef | undefined }> = {
  encode: ({ source }, writer) => {
    if (source === undefined) return;
    const version =
      source.versionId === undefined ? '' : `?versionId=${percentEncode(source.versionId)}`;
    writer.vendor('copy-source', formatPath(source) + version);
  },
  decode: (reader, into) => {
    const written = headerText.decode(reader.vendor('copy-source') ?? '') ?? '';
    const [, path = '', version] = /^(.*?)(?:\?versionId=([^?]*))?$/s.exec(written) ?? [];
    const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(percentDecode(path)) ?? [];
    if (bucket === undefined || key === undefined || version === '') {
      throw invalidArgument(
        'copy-source',
        written,
        'it must have the form /BUCKET/KEY or /BUCKET/KEY?versionId=ID',
      );
    }
    into.source =
      version === undefined ? { bucket, key } : { bucket, key, versionId: percentDecode(version) };
  },
};

type CopiedAttributes = Pick<CopyObjectRequest, 'attributes' | 'statesCopy' | 'websiteRedirect'>;

/**
 * The metadata of the copy. It comes from the source object, or from the request if `metadata-directive` is REPLACE.
 */
const copiedAttributes: Part<CopiedAttributes> = {
  encode: ({ attributes: replacement, ...copied }, writer) => {
    if (replacement === undefined) {
      if (copied.statesCopy) writer.vendor('metadata-directive', 'COPY');
      return websiteRedirect.encode(copied, writer);
    }
    writer.vendor('metadata-directive', 'REPLACE');
    encodeParts(attributeParts, replacement, writer);
  },
  decode: (reader, into) => {
    const directive = reader.vendor('metadata-directive');
    if (directive === 'COPY') into.statesCopy = true;
    if (directive === 'REPLACE')
      into.attributes = decodeParts(attributeParts, reader) as ObjectAttributes;
    else if (directive === undefined || directive === 'COPY') websiteRedirect.decode(reader, into);
    else throw invalidArgument('metadata-directive', directive, 'it must be COPY or REPLACE');
  },
};

/**
 * The tags of the copy. They come from the source object, or from the request if `tagging-directive` is REPLACE.
 * `metadata-directive` does not affect tags.
 */
const copiedTags: Part<{ readonly tags?: readonly Tag[] | undefined }> = {
  encode: ({ tags }, writer) => {
    if (tags === undefined) return;
    writer.vendor('tagging-directive', 'REPLACE');
    if (tags.length > 0) tagsHeader.encode({ tags }, writer);
  },
  decode: (reader, into) => {
    const directive = reader.vendor('tagging-directive') ?? 'COPY';
    const { tags } = decodeParts([tagsHeader], reader);
    if (directive === 'REPLACE') into.tags = tags ?? [];
    else if (directive !== 'COPY') {
      throw invalidArgument('tagging-directive', directive, 'it must be COPY or REPLACE');
    } else if (tags !== undefined) {
      throw invalidArgument('tagging', '', 'the tags of a copy require tagging-directive REPLACE');
    }
  },
};

type Copied = Pick<CopyObjectResult, 'lastModifiedAt' | 'etag' | 'checksum'>;

const copied = record<Copied>({
  lastModifiedAt: required('LastModified', leaf(isoDate)),
  etag: required('ETag', leaf(etag)),
  checksum: objectChecksumElements,
});

export const copyObject: Operation<CopyObjectRequest, CopyObjectResult> = {
  method: 'PUT',
  target: 'object',
  copies: true,
  request: {
    parts: [
      copySource,
      copiedAttributes,
      acl,
      copiedTags,
      lock,
      writeConditions,
      sourceConditions,
      checksumAlgorithmHeader,
      sourceCustomerKey,
      customerKey,
    ],
  },
  response: {
    status: 200,
    parts: [
      vendor('versionId', 'version-id', headerText),
      vendor('sourceVersionId', 'copy-source-version-id', headerText),
      customerEncryption,
      expirationHeader,
    ],
    body: responseDocument(
      document<Copied>('CopyObjectResult', copied),
      ({ lastModifiedAt, etag, checksum }) => defined({ lastModifiedAt, etag, checksum }),
      (output) => output,
    ),
  },
};

/**
 * The byte range of the source to copy. Unlike in a read, an invalid range is rejected. Otherwise the copy would
 * contain other bytes than the requested ones.
 */
const sourceRange = vendor('range', 'copy-source-range', byteRange, { nonEmpty: true });

type CopiedPart = Omit<CopyPartResult, 'encryption' | 'sourceVersionId'>;

const copiedPart = record<CopiedPart>({
  lastModifiedAt: required('LastModified', leaf(isoDate)),
  etag: required('ETag', leaf(etag)),
  checksum: checksumElement,
});

export const uploadPartCopy: Operation<CopyPartRequest, CopyPartResult> = {
  method: 'PUT',
  target: 'object',
  subresource: 'uploadId',
  copies: true,
  request: {
    parts: [
      partNumber,
      uploadId,
      copySource,
      sourceRange,
      sourceConditions,
      sourceCustomerKey,
      customerKey,
    ],
  },
  response: {
    status: 200,
    parts: [vendor('sourceVersionId', 'copy-source-version-id', headerText), customerEncryption],
    body: responseDocument(
      document<CopiedPart>('CopyPartResult', copiedPart),
      ({ lastModifiedAt, etag, checksum }) => defined({ lastModifiedAt, etag, checksum }),
      (output) => output,
    ),
  },
};
