/** Defines GetObjectAttributes, which returns selected attributes of an object without its bytes and headers. */

import { defined } from '../../base/defined.ts';
import {
  type GetObjectAttributesRequest,
  OBJECT_ATTRIBUTE_NAMES,
  type ObjectAttributeName,
  type ObjectDescription,
  type ObjectPart,
  type ObjectParts,
} from '../../object-store/object-attributes.ts';
import { type Codec, flag, headerText, httpDate, integer, text, words } from '../codecs.ts';
import { header, invalidArgument, query, vendor, type Part } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required } from '../xml/schema.ts';
import { checksumElement, objectChecksumElements } from './checksums.ts';
import { customerKey } from './encryption.ts';
import { MAX_PAGE, pageSize } from './listing.ts';
import { responseDocument, type Operation } from './operation.ts';

const NAMES = words(...OBJECT_ATTRIBUTE_NAMES);

/**
 * The header that lists the requested attributes, such as `ETag, ObjectSize`. An unknown name is rejected. Otherwise
 * the response would silently omit the attribute.
 */
const wanted: Part<{ readonly wanted?: readonly ObjectAttributeName[] | undefined }> = {
  encode: (message, writer) => {
    if (message.wanted !== undefined) writer.vendor('object-attributes', message.wanted.join(','));
  },
  decode: (reader, into) => {
    const requested = reader.vendor('object-attributes') ?? '';
    into.wanted = requested.split(',').map((each) => {
      const name = NAMES.decode(each.trim());
      if (name !== undefined) return name;
      throw invalidArgument('object-attributes', each, 'Invalid attribute name specified.');
    });
  },
};

/** The ETag without quotes. GetObjectAttributes is the only operation that returns it in this form. */
const plainEtag: Codec<string> = text;

interface PartsDocument {
  readonly totalCount: number;
  readonly partNumberMarker: number;
  readonly nextPartNumberMarker?: number;
  readonly maxParts: number;
  readonly isTruncated: boolean;
  readonly parts: readonly ObjectPart[];
}

const partsSchema = record<PartsDocument>({
  totalCount: required('PartsCount', leaf(integer())),
  partNumberMarker: required('PartNumberMarker', leaf(integer())),
  nextPartNumberMarker: optional('NextPartNumberMarker', leaf(integer())),
  maxParts: required('MaxParts', leaf(integer())),
  isTruncated: required('IsTruncated', leaf(flag)),
  parts: many(
    'Part',
    record<ObjectPart>({
      partNumber: required('PartNumber', leaf(integer())),
      sizeBytes: required('Size', leaf(integer())),
      checksum: checksumElement,
    }),
  ),
});

interface DescriptionDocument extends Omit<
  ObjectDescription,
  'checksum' | 'lastModifiedAt' | 'parts' | 'versionId'
> {
  readonly checksum?: Pick<ObjectDescription, 'checksum'>;
  readonly parts?: PartsDocument;
}

const description = document<DescriptionDocument>(
  'GetObjectAttributesResponse',
  record<DescriptionDocument>({
    etag: optional('ETag', leaf(plainEtag)),
    checksum: optional(
      'Checksum',
      record<Pick<ObjectDescription, 'checksum'>>({ checksum: objectChecksumElements }),
    ),
    parts: optional('ObjectParts', partsSchema),
    storageClass: optional('StorageClass', leaf(words('STANDARD'))),
    sizeBytes: optional('ObjectSize', leaf(integer())),
  }),
);

export const getObjectAttributes: Operation<GetObjectAttributesRequest, ObjectDescription> = {
  method: 'GET',
  target: 'object',
  subresource: 'attributes',
  request: {
    parts: [
      query('versionId', 'versionId', text, { nonEmpty: true }),
      wanted,
      vendor('maxParts', 'max-parts', pageSize),
      vendor('partNumberMarker', 'part-number-marker', integer(0, 2 ** 31 - 1)),
      customerKey,
    ],
  },
  response: {
    status: 200,
    parts: [
      header('lastModifiedAt', 'last-modified', httpDate),
      vendor('versionId', 'version-id', headerText),
    ],
    body: responseDocument(description, writeDescription, readDescription),
  },
};

function writeDescription(
  { etag, checksum, parts, storageClass, sizeBytes }: ObjectDescription,
  input: GetObjectAttributesRequest,
): DescriptionDocument {
  return defined({
    etag,
    checksum: checksum && { checksum },
    parts: parts && writeParts(parts, input),
    storageClass,
    sizeBytes,
  });
}

function readDescription({ checksum, parts, ...described }: DescriptionDocument) {
  return defined({
    ...described,
    checksum: checksum?.checksum,
    parts: parts && readParts(parts),
  });
}

function writeParts(
  { totalCount, parts, nextPartNumberMarker }: ObjectParts,
  { partNumberMarker = 0, maxParts = MAX_PAGE }: GetObjectAttributesRequest,
): PartsDocument {
  const isTruncated = nextPartNumberMarker !== undefined;
  return defined({
    totalCount,
    partNumberMarker,
    nextPartNumberMarker,
    maxParts,
    isTruncated,
    parts,
  });
}

function readParts({ totalCount, parts, isTruncated, nextPartNumberMarker }: PartsDocument) {
  const next = isTruncated ? nextPartNumberMarker : undefined;
  return defined({ totalCount, parts, nextPartNumberMarker: next });
}
