/** Defines CreateMultipartUpload, UploadPart, CompleteMultipartUpload and AbortMultipartUpload (semantics B.13). */

import { defined } from '../../base/defined.ts';
import type {
  CompletedPart,
  CompleteUploadRequest,
  CreateUploadRequest,
  CreateUploadResult,
  UploadPartRequest,
  UploadPartResult,
  UploadRef,
} from '../../object-store/multipart.ts';
import type { PutObjectResult } from '../../object-store/object-store.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { MAX_PARTS } from '../../object-store/rules/multipart.ts';
import { etag, headerText, integer, text } from '../codecs.ts';
import { header, invalidArgument, query, vendor, type Part } from '../message.ts';
import { document } from '../xml/document.ts';
import { MAX_XML_TAGS } from '../xml/parse.ts';
import { leaf, many, optional, record, required } from '../xml/schema.ts';
import { acl } from './acl-headers.ts';
import { attributes, lock, writeConditions } from './attributes.ts';
import type { Nothing } from './buckets.ts';
import {
  checksumAlgorithmHeader,
  checksumTypeHeader,
  checksum,
  checksumElement,
  objectChecksumElements,
} from './checksums.ts';
import { customerEncryption, customerKey } from './encryption.ts';
import { expirationHeader } from './lifecycle.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';
import { tagsHeader } from './tagging.ts';

export type UploadPartInput = Omit<UploadPartRequest, 'body'>;

export interface CompleteUploadOutput extends PutObjectResult {
  /** The URL of the object, with the host name of the request. Some tools print this URL. */
  readonly location?: string;
}

/**
 * The maximum size of a CompleteMultipartUpload document. It allows 10,000 parts with ETags and the longest checksums,
 * including indentation.
 */
const MAX_COMPLETION_XML_BYTES = 3 * 1024 * 1024;

export const uploadId = query('uploadId', 'uploadId', text, { nonEmpty: true });

export const partNumber: Part<{ readonly partNumber?: number | undefined }> = {
  encode: ({ partNumber }, writer) => void writer.query.push(['partNumber', String(partNumber)]),
  decode: (reader, into) => {
    const requested = reader.query('partNumber') ?? '';
    const number = integer(1, MAX_PARTS).decode(requested);
    if (number === undefined) {
      throw invalidArgument(
        'partNumber',
        requested,
        `it must be an integer from 1 to ${MAX_PARTS}`,
      );
    }
    into.partNumber = number;
  },
};

interface InitiatedDocument extends UploadRef {}

export const createMultipartUpload: Operation<CreateUploadRequest, CreateUploadResult> = {
  method: 'POST',
  target: 'object',
  subresource: 'uploads',
  request: {
    parts: [
      attributes,
      acl,
      tagsHeader,
      lock,
      checksumAlgorithmHeader,
      checksumTypeHeader,
      customerKey,
    ],
  },
  response: {
    status: 200,
    parts: [checksumAlgorithmHeader, checksumTypeHeader, customerEncryption],
    body: responseDocument(
      document<InitiatedDocument>(
        'InitiateMultipartUploadResult',
        record<InitiatedDocument>({
          bucket: required('Bucket', leaf(text)),
          key: required('Key', leaf(text)),
          uploadId: required('UploadId', leaf(text)),
        }),
      ),
      (output, { bucket, key }) => ({ bucket, key, uploadId: output.uploadId }),
      ({ uploadId }) => ({ uploadId }),
    ),
  },
};

export const uploadPart: Operation<UploadPartInput, UploadPartResult> = {
  method: 'PUT',
  target: 'object',
  subresource: 'uploadId',
  request: { parts: [partNumber, uploadId, customerKey], body: 'bytes' },
  response: { status: 200, parts: [header('etag', 'etag', etag), checksum, customerEncryption] },
};

const completedPart = record<CompletedPart>({
  partNumber: required('PartNumber', leaf(integer(0, 2 ** 31 - 1))),
  etag: required('ETag', leaf(etag)),
  checksum: checksumElement,
});

interface CompletedDocument extends Pick<PutObjectResult, 'checksum'> {
  readonly location?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly etag: string;
}

export const completeMultipartUpload: Operation<CompleteUploadRequest, CompleteUploadOutput> = {
  method: 'POST',
  target: 'object',
  subresource: 'uploadId',
  request: {
    parts: [
      uploadId,
      writeConditions,
      checksum,
      checksumTypeHeader,
      vendor('sizeBytes', 'mp-object-size', integer(), { nonEmpty: true }),
      customerKey,
    ],
    checksumOf: 'object',
    body: requestDocument(
      document<Pick<CompleteUploadRequest, 'parts'>>(
        'CompleteMultipartUpload',
        record<Pick<CompleteUploadRequest, 'parts'>>({ parts: many('Part', completedPart) }),
        // boto and older tools send this name for the root element.
        ['CompleteMultipartUploadRequest'],
      ),
      ({ parts }) => ({ parts }),
      ({ parts }) => {
        if (parts.length === 0 || parts.length > MAX_PARTS) {
          throw new StorageError(
            'MalformedXML',
            `complete upload: the request must list 1 to ${MAX_PARTS} parts, not ${parts.length}`,
          );
        }
        return { parts };
      },
      { maxBytes: MAX_COMPLETION_XML_BYTES, maxTags: MAX_XML_TAGS },
    ),
  },
  response: {
    status: 200,
    parts: [vendor('versionId', 'version-id', headerText), expirationHeader],
    body: responseDocument(
      document<CompletedDocument>(
        'CompleteMultipartUploadResult',
        record<CompletedDocument>({
          location: optional('Location', leaf(text)),
          bucket: optional('Bucket', leaf(text)),
          key: optional('Key', leaf(text)),
          etag: required('ETag', leaf(etag)),
          checksum: objectChecksumElements,
        }),
      ),
      ({ etag, location, checksum }, { bucket, key }): CompletedDocument =>
        defined({ location, bucket, key, etag, checksum }),
      ({ etag, checksum }) => defined({ etag, checksum }),
    ),
  },
};

export const abortMultipartUpload: Operation<UploadRef, Nothing> = {
  method: 'DELETE',
  target: 'object',
  subresource: 'uploadId',
  request: { parts: [uploadId] },
  response: { status: 204, parts: [] },
};
