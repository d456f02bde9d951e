/** Operations of multipart uploads (semantics B.13). */

import { defined } from '../../base/defined.ts';
import type {
  CompletedPart,
  CompleteUploadRequest,
  CreateUploadRequest,
  ListedPart,
  ListedUpload,
  ListPartsRequest,
  ListUploadsRequest,
  PartPage,
  PutObjectResult,
  UploadPage,
  UploadPartRequest,
  UploadRef,
} from '../../object-store/object-store.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { etag, flag, headerText, integer, isoDate, text } from '../codecs.ts';
import { header, invalidArgument, query, vendor, type Part } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required } from '../xml/schema.ts';
import { attributes, lock, writeConditions } from './attributes.ts';
import type { Nothing } from './buckets.ts';
import {
  encodingType,
  encodingTypeWord,
  nameSpelling,
  type EncodingType,
} from './listing-names.ts';
import { MAX_PAGE, pageSize } from './listing.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

export type UploadPartInput = Omit<UploadPartRequest, 'body'>;
export type ListMultipartUploadsInput = ListUploadsRequest & EncodingType;

export interface CompleteUploadOutput extends PutObjectResult {
  /** Where the object is, as the gateway was reached; tools print it. */
  readonly location?: string;
}

/** The protocol's largest part number, and so the most parts of one upload. */
const MAX_PARTS = 10_000;

export const uploadId = query('uploadId', 'uploadId', text, { nonEmpty: true });

export const partNumber: Part<{ readonly partNumber?: number | undefined }> = {
  encode: ({ partNumber }, writer) => void writer.query.push(['partNumber', String(partNumber)]),
  decode: (reader, into) => {
    const asked = reader.query('partNumber') ?? '';
    const number = integer(1, MAX_PARTS).decode(asked);
    if (number === undefined) {
      throw invalidArgument('partNumber', asked, `it must be an integer from 1 to ${MAX_PARTS}`);
    }
    into.partNumber = number;
  },
};

interface InitiatedDocument extends UploadRef {}

export const createMultipartUpload: Operation<CreateUploadRequest, { readonly uploadId: string }> =
  {
    method: 'POST',
    target: 'object',
    subresource: 'uploads',
    request: { parts: [attributes, lock] },
    response: {
      status: 200,
      parts: [],
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

export const uploadPart: Operation<UploadPartInput, { readonly etag: string }> = {
  method: 'PUT',
  target: 'object',
  subresource: 'uploadId',
  request: { parts: [partNumber, uploadId], body: 'bytes' },
  response: { status: 200, parts: [header('etag', 'etag', etag)] },
};

const completedPart = record<CompletedPart>({
  partNumber: required('PartNumber', leaf(integer(0, 2 ** 31 - 1))),
  etag: required('ETag', leaf(etag)),
});

interface CompletedDocument {
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
    parts: [uploadId, writeConditions],
    body: requestDocument(
      document<Pick<CompleteUploadRequest, 'parts'>>(
        'CompleteMultipartUpload',
        record<Pick<CompleteUploadRequest, 'parts'>>({ parts: many('Part', completedPart) }),
        // What boto and older tools send.
        ['CompleteMultipartUploadRequest'],
      ),
      ({ parts }) => ({ parts }),
      ({ parts }) => {
        if (parts.length === 0 || parts.length > MAX_PARTS) {
          throw new StorageError('MalformedXML', `complete upload: name 1 to ${MAX_PARTS} parts`);
        }
        return { parts };
      },
    ),
  },
  response: {
    status: 200,
    parts: [vendor('versionId', 'version-id', headerText)],
    body: responseDocument(
      document<CompletedDocument>(
        'CompleteMultipartUploadResult',
        record<CompletedDocument>({
          location: optional('Location', leaf(text)),
          bucket: optional('Bucket', leaf(text)),
          key: optional('Key', leaf(text)),
          etag: required('ETag', leaf(etag)),
        }),
      ),
      ({ etag, location }, { bucket, key }): CompletedDocument =>
        defined({ location, bucket, key, etag }),
      ({ etag }) => ({ etag }),
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

interface ListPartsDocument extends UploadRef {
  readonly partNumberMarker: number;
  readonly nextPartNumberMarker?: number;
  readonly maxParts: number;
  readonly isTruncated: boolean;
  readonly parts: readonly ListedPart[];
}

const listPartsDocument = document<ListPartsDocument>(
  'ListPartsResult',
  record<ListPartsDocument>({
    bucket: required('Bucket', leaf(text)),
    key: required('Key', leaf(text)),
    uploadId: required('UploadId', leaf(text)),
    partNumberMarker: required('PartNumberMarker', leaf(integer())),
    nextPartNumberMarker: optional('NextPartNumberMarker', leaf(integer())),
    maxParts: required('MaxParts', leaf(integer())),
    isTruncated: required('IsTruncated', leaf(flag)),
    parts: many(
      'Part',
      record<ListedPart>({
        partNumber: required('PartNumber', leaf(integer())),
        lastModifiedAt: required('LastModified', leaf(isoDate)),
        etag: required('ETag', leaf(etag)),
        sizeBytes: required('Size', leaf(integer())),
      }),
    ),
  }),
);

export const listParts: Operation<ListPartsRequest, PartPage> = {
  method: 'GET',
  target: 'object',
  subresource: 'uploadId',
  request: {
    parts: [
      uploadId,
      query('partNumberMarker', 'part-number-marker', integer(0, 2 ** 31 - 1)),
      query('maxParts', 'max-parts', pageSize),
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listPartsDocument,
      (page, input): ListPartsDocument =>
        defined({
          bucket: input.bucket,
          key: input.key,
          uploadId: input.uploadId,
          partNumberMarker: input.partNumberMarker ?? 0,
          nextPartNumberMarker: page.nextPartNumberMarker,
          maxParts: input.maxParts ?? MAX_PAGE,
          isTruncated: page.nextPartNumberMarker !== undefined,
          parts: page.parts,
        }),
      ({ parts, isTruncated, nextPartNumberMarker }) =>
        defined({ parts, nextPartNumberMarker: isTruncated ? nextPartNumberMarker : undefined }),
    ),
  },
};

interface ListUploadsDocument {
  readonly bucket: string;
  readonly prefix?: string;
  readonly keyMarker: string;
  readonly uploadIdMarker: string;
  readonly nextKeyMarker?: string;
  readonly nextUploadIdMarker?: string;
  readonly maxUploads: number;
  readonly encodingType?: 'url';
  readonly isTruncated: boolean;
  readonly uploads: readonly ListedUpload[];
}

const listUploadsDocument = document<ListUploadsDocument>(
  'ListMultipartUploadsResult',
  record<ListUploadsDocument>({
    bucket: required('Bucket', leaf(text)),
    prefix: optional('Prefix', leaf(text)),
    keyMarker: required('KeyMarker', leaf(text)),
    uploadIdMarker: required('UploadIdMarker', leaf(text)),
    nextKeyMarker: optional('NextKeyMarker', leaf(text)),
    nextUploadIdMarker: optional('NextUploadIdMarker', leaf(text)),
    maxUploads: required('MaxUploads', leaf(integer())),
    encodingType: optional('EncodingType', leaf(encodingTypeWord)),
    isTruncated: required('IsTruncated', leaf(flag)),
    uploads: many(
      'Upload',
      record<ListedUpload>({
        key: required('Key', leaf(text)),
        uploadId: required('UploadId', leaf(text)),
        initiatedAt: required('Initiated', leaf(isoDate)),
      }),
    ),
  }),
);

export const listMultipartUploads: Operation<ListMultipartUploadsInput, UploadPage> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'uploads',
  request: {
    parts: [
      query('prefix', 'prefix', text),
      query('keyMarker', 'key-marker', text),
      query('uploadIdMarker', 'upload-id-marker', text),
      query('maxUploads', 'max-uploads', pageSize),
      encodingType,
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listUploadsDocument,
      (page, input): ListUploadsDocument => {
        const { write } = nameSpelling(input.encodingType);
        return defined({
          bucket: input.bucket,
          prefix: write(input.prefix ?? ''),
          keyMarker: write(input.keyMarker ?? ''),
          uploadIdMarker: input.uploadIdMarker ?? '',
          nextKeyMarker: page.next === undefined ? undefined : write(page.next.keyMarker),
          nextUploadIdMarker: page.next?.uploadIdMarker,
          maxUploads: input.maxUploads ?? MAX_PAGE,
          encodingType: input.encodingType,
          isTruncated: page.next !== undefined,
          uploads: page.uploads.map((upload) => ({ ...upload, key: write(upload.key) })),
        });
      },
      ({ encodingType, isTruncated, nextKeyMarker, nextUploadIdMarker, uploads }) => {
        const { read } = nameSpelling(encodingType);
        const hasNext =
          isTruncated && nextKeyMarker !== undefined && nextUploadIdMarker !== undefined;
        return defined({
          uploads: uploads.map((upload) => ({ ...upload, key: read(upload.key) })),
          next: hasNext
            ? { keyMarker: read(nextKeyMarker), uploadIdMarker: nextUploadIdMarker }
            : undefined,
        });
      },
    ),
  },
};
