/** Defines the operations that list objects: ListObjectsV2 and ListObjects. */

import { defined } from '../../base/defined.ts';
import type { ListedObject, ListObjectsRequest, ObjectPage } from '../../object-store/listing.ts';
import { etag, integer, isoDate, text, trueOnly } from '../codecs.ts';
import { invalidArgument, query, type Part } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required, type Schema } from '../xml/schema.ts';
import { ownerSchema } from './buckets.ts';
import { asItIs, nameSpelling, type EncodingType } from './listing-names.ts';
import {
  commonPrefixes,
  continuationToken,
  echo,
  ifGiven,
  scope,
  withStorageClass,
  writeEcho,
  type CommonPrefixes,
  type Echo,
} from './listing.ts';
import { responseDocument, type Operation } from './operation.ts';

export type ListObjectsV2Input = ListObjectsRequest & EncodingType;

/**
 * The input of ListObjects version 1. `startAfter` is the `marker` parameter. `NextMarker` in the response is the last
 * name of the page.
 */
export type ListObjectsInput = Omit<ListObjectsRequest, 'continuationToken' | 'fetchOwner'> &
  EncodingType;

export interface ListObjectsOutput extends Omit<ObjectPage, 'nextToken'> {
  readonly nextMarker?: string;
}

const listedObject: Schema<ListedObject> = record<ListedObject>({
  key: required('Key', leaf(text)),
  lastModifiedAt: required('LastModified', leaf(isoDate)),
  etag: required('ETag', leaf(etag)),
  sizeBytes: required('Size', leaf(integer())),
  owner: optional('Owner', ownerSchema),
});

function spellObjects(
  objects: readonly ListedObject[],
  spell: (name: string) => string,
): readonly ListedObject[] {
  if (spell === asItIs) return objects;
  return objects.map((object) => ({ ...object, key: spell(object.key) }));
}

/** The query parameter `list-type=2`, which selects ListObjectsV2. */
const listType: Part<unknown> = {
  encode: (_, writer) => void writer.query.push(['list-type', '2']),
  decode: (reader) => {
    const requested = reader.query('list-type') ?? '';
    if (requested !== '2') throw invalidArgument('list-type', requested, 'it must be 2');
  },
};

interface ListV2Document extends Echo, CommonPrefixes {
  readonly keyCount: number;
  readonly startAfter?: string;
  readonly continuationToken?: string;
  readonly nextContinuationToken?: string;
  readonly contents: readonly ListedObject[];
}

const listV2Document = document<ListV2Document>(
  'ListBucketResult',
  record<ListV2Document>({
    ...echo,
    keyCount: required('KeyCount', leaf(integer())),
    startAfter: optional('StartAfter', leaf(text)),
    continuationToken: optional('ContinuationToken', leaf(text)),
    nextContinuationToken: optional('NextContinuationToken', leaf(text)),
    contents: many('Contents', withStorageClass(listedObject)),
    commonPrefixes,
  }),
);

export const listObjectsV2: Operation<ListObjectsV2Input, ObjectPage> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'list-type',
  request: {
    parts: [
      listType,
      ...scope,
      query('startAfter', 'start-after', text),
      continuationToken,
      query('fetchOwner', 'fetch-owner', trueOnly),
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listV2Document,
      (page, input): ListV2Document => {
        const spelling = nameSpelling(input.encodingType);
        return defined({
          ...writeEcho(input, page.nextToken !== undefined, spelling),
          keyCount: page.objects.length + page.commonPrefixes.length,
          startAfter: ifGiven(input.startAfter, spelling.write),
          continuationToken: input.continuationToken,
          nextContinuationToken: page.nextToken,
          contents: spellObjects(page.objects, spelling.write),
          commonPrefixes: page.commonPrefixes.map((prefix) => ({ prefix: spelling.write(prefix) })),
        });
      },
      (listed) => {
        const { read } = nameSpelling(listed.encodingType);
        return defined({
          objects: spellObjects(listed.contents, read),
          commonPrefixes: listed.commonPrefixes.map(({ prefix }) => read(prefix)),
          nextToken: listed.nextContinuationToken,
        });
      },
    ),
  },
};

interface ListV1Document extends Echo, CommonPrefixes {
  readonly marker: string;
  readonly nextMarker?: string;
  readonly contents: readonly ListedObject[];
}

const listV1Document = document<ListV1Document>(
  'ListBucketResult',
  record<ListV1Document>({
    ...echo,
    marker: required('Marker', leaf(text)),
    nextMarker: optional('NextMarker', leaf(text)),
    contents: many('Contents', withStorageClass(listedObject)),
    commonPrefixes,
  }),
);

export const listObjects: Operation<ListObjectsInput, ListObjectsOutput> = {
  method: 'GET',
  target: 'bucket',
  request: { parts: [...scope, query('startAfter', 'marker', text)] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listV1Document,
      (page, input): ListV1Document => {
        const spelling = nameSpelling(input.encodingType);
        return defined({
          ...writeEcho(input, page.nextMarker !== undefined, spelling),
          marker: spelling.write(input.startAfter ?? ''),
          nextMarker: ifGiven(page.nextMarker, spelling.write),
          contents: spellObjects(page.objects, spelling.write),
          commonPrefixes: page.commonPrefixes.map((prefix) => ({ prefix: spelling.write(prefix) })),
        });
      },
      (listed) => {
        const { read } = nameSpelling(listed.encodingType);
        return defined({
          objects: spellObjects(listed.contents, read),
          commonPrefixes: listed.commonPrefixes.map(({ prefix }) => read(prefix)),
          nextMarker: ifGiven(listed.nextMarker, read),
        });
      },
    ),
  },
};
