/** Defines ListMultipartUploads and ListParts (semantics B.12, B.13). */

import { defined } from '../../base/defined.ts';
import type {
  ListedPart,
  ListedUpload,
  ListPartsRequest,
  ListUploadsRequest,
  PartPage,
  UploadChecksum,
  UploadPage,
  UploadRef,
} from '../../object-store/multipart.ts';
import { etag, flag, integer, isoDate, text } from '../codecs.ts';
import { query } from '../message.ts';
import { document } from '../xml/document.ts';
import { type Field, leaf, many, optional, record, required } from '../xml/schema.ts';
import { ownerSchema } from './buckets.ts';
import { checksumElement, uploadChecksumElements } from './checksums.ts';
import { customerKey } from './encryption.ts';
import {
  encodingType,
  encodingTypeWord,
  nameOf,
  nameSpelling,
  readMarker,
  type EncodingType,
} from './listing-names.ts';
import {
  commonPrefixes,
  type CommonPrefixes,
  ifGiven,
  MAX_PAGE,
  pageSize,
  withStorageClass,
} from './listing.ts';
import { uploadId } from './multipart.ts';
import { responseDocument, type Operation } from './operation.ts';

export type ListMultipartUploadsInput = ListUploadsRequest & EncodingType;

/** The `Initiator` and `Owner` elements. Both contain the same user, so only `Owner` is read. */
const initiator: Field<string> = (() => {
  const [asInitiator, asOwner] = [
    optional('Initiator', ownerSchema),
    optional('Owner', ownerSchema),
  ];
  return {
    names: [...asInitiator.names, ...asOwner.names],
    write: (id) => asInitiator.write(id) + asOwner.write(id),
    parse: (found) => asOwner.parse(found.filter(({ name }) => name === 'Owner')),
  };
})();

interface ListPartsDocument extends UploadRef, UploadChecksum {
  readonly owner?: string;
  readonly partNumberMarker: number;
  readonly nextPartNumberMarker?: number;
  readonly maxParts: number;
  readonly isTruncated: boolean;
  readonly parts: readonly ListedPart[];
}

const listPartsDocument = document<ListPartsDocument>(
  'ListPartsResult',
  withStorageClass(
    record<ListPartsDocument>({
      bucket: required('Bucket', leaf(text)),
      key: required('Key', leaf(text)),
      uploadId: required('UploadId', leaf(text)),
      owner: initiator,
      ...uploadChecksumElements,
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
          checksum: checksumElement,
        }),
      ),
    }),
  ),
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
      customerKey,
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listPartsDocument,
      (page, input): ListPartsDocument =>
        defined({
          ...page,
          bucket: input.bucket,
          key: input.key,
          uploadId: input.uploadId,
          partNumberMarker: input.partNumberMarker ?? 0,
          maxParts: input.maxParts ?? MAX_PAGE,
          isTruncated: page.nextPartNumberMarker !== undefined,
        }),
      ({ parts, owner, checksumAlgorithm, checksumType, isTruncated, nextPartNumberMarker }) =>
        defined({
          parts,
          owner,
          checksumAlgorithm,
          checksumType,
          nextPartNumberMarker: isTruncated ? nextPartNumberMarker : undefined,
        }),
    ),
  },
};

interface ListUploadsDocument extends CommonPrefixes {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  /**
   * The two pagination markers of the request. They are optional because Ceph RGW omits a marker
   * that the request did not contain.
   */
  readonly keyMarker?: string;
  readonly uploadIdMarker?: string;
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
    delimiter: optional('Delimiter', leaf(text)),
    keyMarker: optional('KeyMarker', leaf(text)),
    uploadIdMarker: optional('UploadIdMarker', leaf(text)),
    nextKeyMarker: optional('NextKeyMarker', leaf(text)),
    nextUploadIdMarker: optional('NextUploadIdMarker', leaf(text)),
    maxUploads: required('MaxUploads', leaf(integer())),
    encodingType: optional('EncodingType', leaf(encodingTypeWord)),
    isTruncated: required('IsTruncated', leaf(flag)),
    uploads: many(
      'Upload',
      withStorageClass(
        record<ListedUpload>({
          key: required('Key', leaf(text)),
          uploadId: required('UploadId', leaf(text)),
          initiatedAt: required('Initiated', leaf(isoDate)),
          owner: initiator,
          ...uploadChecksumElements,
        }),
      ),
    ),
    commonPrefixes,
  }),
);

export const listMultipartUploads: Operation<ListMultipartUploadsInput, UploadPage> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'uploads',
  request: {
    parts: [
      query('prefix', 'prefix', text),
      query('delimiter', 'delimiter', text),
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
          delimiter: ifGiven(input.delimiter, write),
          keyMarker: write(input.keyMarker ?? ''),
          uploadIdMarker: input.uploadIdMarker ?? '',
          nextKeyMarker: ifGiven(page.next?.keyMarker, write),
          nextUploadIdMarker: page.next?.uploadIdMarker,
          maxUploads: input.maxUploads ?? MAX_PAGE,
          encodingType: input.encodingType,
          isTruncated: page.next !== undefined,
          uploads: page.uploads.map((upload) => ({ ...upload, key: write(upload.key) })),
          commonPrefixes: page.commonPrefixes.map((prefix) => ({ prefix: write(prefix) })),
        });
      },
      ({ encodingType, isTruncated, nextKeyMarker, nextUploadIdMarker, ...found }) => {
        const { read } = nameSpelling(encodingType);
        const spelt = [...found.uploads, ...found.commonPrefixes].map(nameOf);
        const readNext = (marker: string) => readMarker(marker, { spelt, read });
        const keyMarker = isTruncated ? ifGiven(nextKeyMarker, readNext) : undefined;
        // An empty upload ID marker means that the last entry of the page is a common prefix.
        const uploadIdMarker = nextUploadIdMarker === '' ? undefined : nextUploadIdMarker;
        return defined({
          uploads: found.uploads.map((upload) => ({ ...upload, key: read(upload.key) })),
          commonPrefixes: found.commonPrefixes.map(({ prefix }) => read(prefix)),
          next: ifGiven(keyMarker, (name) => defined({ keyMarker: name, uploadIdMarker })),
        });
      },
    ),
  },
};
