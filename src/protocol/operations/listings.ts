/** Listings of objects and versions: ListObjectsV2, ListObjects and ListObjectVersions. */

import { defined } from '../../base/defined.ts';
import type {
  ListedObject,
  ListedVersion,
  ListObjectsRequest,
  ListVersionsRequest,
  ObjectPage,
  VersionPage,
} from '../../object-store/object-store.ts';
import { etag, flag, integer, isoDate, text, trueOnly } from '../codecs.ts';
import { invalidArgument, query, type Part } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required, variants, type Schema } from '../xml/schema.ts';
import { ownerSchema } from './buckets.ts';
import {
  encodingType,
  encodingTypeWord,
  nameSpelling,
  type EncodingType,
} from './listing-names.ts';
import { responseDocument, type Operation } from './operation.ts';

export interface ListObjectsV2Input extends ListObjectsRequest, EncodingType {
  readonly fetchOwner?: boolean;
}

/** Version 1: `startAfter` is its marker; the answer's marker is the last name of the page. */
export type ListObjectsInput = Omit<ListObjectsRequest, 'continuationToken'> & EncodingType;

export interface ListObjectsOutput extends Omit<ObjectPage, 'nextToken'> {
  readonly nextMarker?: string;
}

export type ListObjectVersionsInput = ListVersionsRequest & EncodingType;

/** The protocol's page: more is asked for in vain. */
export const MAX_PAGE = 1000;

/** More than a page counts as one page; larger than 32 bits is refused, as all services do. */
export const pageSize = {
  encode: String,
  decode: (digits: string) => {
    const asked = integer(0, 2 ** 31 - 1).decode(digits);
    return asked === undefined ? undefined : Math.min(asked, MAX_PAGE);
  },
};

const prefixElement = record<{ readonly prefix: string }>({
  prefix: required('Prefix', leaf(text)),
});

const listedObject: Schema<ListedObject> = record<ListedObject>({
  key: required('Key', leaf(text)),
  lastModifiedAt: required('LastModified', leaf(isoDate)),
  etag: required('ETag', leaf(etag)),
  sizeBytes: required('Size', leaf(integer())),
  owner: optional('Owner', ownerSchema),
});

/** Every listed object has the one storage class there is; it is written, and nobody reads it. */
function withStorageClass<T extends object>(schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    build: (value) => {
      const content = schema.build(value);
      if (typeof content === 'string') return content;
      return [...content, { name: 'StorageClass', content: 'STANDARD' }];
    },
  };
}

/** What every listing repeats of its question. */
interface Echo {
  readonly name: string;
  readonly prefix: string;
  readonly delimiter?: string;
  readonly maxKeys: number;
  readonly encodingType?: 'url';
  readonly isTruncated: boolean;
}

interface CommonPrefixes {
  readonly commonPrefixes: readonly { readonly prefix: string }[];
}

const echo = {
  name: required('Name', leaf(text)),
  prefix: required('Prefix', leaf(text)),
  delimiter: optional('Delimiter', leaf(text)),
  maxKeys: required('MaxKeys', leaf(integer())),
  encodingType: optional('EncodingType', leaf(encodingTypeWord)),
  isTruncated: required('IsTruncated', leaf(flag)),
};
const commonPrefixes = many('CommonPrefixes', prefixElement);

type Spelling = ReturnType<typeof nameSpelling>;
type Asked = Pick<ListObjectsRequest, 'bucket' | 'delimiter' | 'maxKeys' | 'prefix'> & EncodingType;

function writeEcho(asked: Asked, isTruncated: boolean, { write }: Spelling): Echo {
  return defined({
    name: asked.bucket,
    prefix: write(asked.prefix ?? ''),
    delimiter: asked.delimiter === undefined ? undefined : write(asked.delimiter),
    maxKeys: asked.maxKeys ?? MAX_PAGE,
    encodingType: asked.encodingType,
    isTruncated,
  });
}

function spellObjects(
  objects: readonly ListedObject[],
  spell: (name: string) => string,
): ListedObject[] {
  return objects.map((object) => ({ ...object, key: spell(object.key) }));
}

function ifGiven<T, U>(value: T | undefined, change: (value: T) => U): U | undefined {
  return value === undefined ? undefined : change(value);
}

/** Selects the second version of the listing. */
const listType: Part<unknown> = {
  encode: (_, writer) => void writer.query.push(['list-type', '2']),
  decode: (reader) => {
    const asked = reader.query('list-type') ?? '';
    if (asked !== '2') throw invalidArgument('list-type', asked, 'it must be 2');
  },
};

const scope: readonly Part<Asked>[] = [
  query('prefix', 'prefix', text),
  query('delimiter', 'delimiter', text),
  query('maxKeys', 'max-keys', pageSize),
  encodingType,
];

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
      query('continuationToken', 'continuation-token', text, { nonEmpty: true }),
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

type DeleteMarkerElement = Omit<ListedVersion, 'kind'>;

const versionFields = {
  key: required('Key', leaf(text)),
  versionId: required('VersionId', leaf(text)),
  isLatest: required('IsLatest', leaf(flag)),
  lastModifiedAt: required('LastModified', leaf(isoDate)),
  owner: optional('Owner', ownerSchema),
};

const versionElement = record<DeleteMarkerElement>({
  ...versionFields,
  etag: required('ETag', leaf(etag)),
  sizeBytes: required('Size', leaf(integer())),
});

const markerFields = record<Omit<DeleteMarkerElement, 'etag' | 'sizeBytes'>>(versionFields);
const markerElement: Schema<DeleteMarkerElement> = {
  build: markerFields.build,
  parse: (content) => ({ ...markerFields.parse(content), etag: '', sizeBytes: 0 }),
};

interface ListVersionsDocument extends Echo, CommonPrefixes {
  readonly keyMarker: string;
  readonly versionIdMarker: string;
  readonly nextKeyMarker?: string;
  readonly nextVersionIdMarker?: string;
  readonly versions: readonly ListedVersion[];
}

const listVersionsDocument = document<ListVersionsDocument>(
  'ListVersionsResult',
  record<ListVersionsDocument>({
    ...echo,
    keyMarker: required('KeyMarker', leaf(text)),
    versionIdMarker: required('VersionIdMarker', leaf(text)),
    nextKeyMarker: optional('NextKeyMarker', leaf(text)),
    nextVersionIdMarker: optional('NextVersionIdMarker', leaf(text)),
    versions: variants<ListedVersion['kind'], ListedVersion>({
      version: ['Version', withStorageClass(versionElement)],
      'delete-marker': ['DeleteMarker', markerElement],
    }),
    commonPrefixes,
  }),
  ['ListVersionsResponse'],
);

export const listObjectVersions: Operation<ListObjectVersionsInput, VersionPage> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'versions',
  request: {
    parts: [
      ...scope,
      query('keyMarker', 'key-marker', text),
      query('versionIdMarker', 'version-id-marker', text),
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      listVersionsDocument,
      (page, input): ListVersionsDocument => {
        const spelling = nameSpelling(input.encodingType);
        return defined({
          ...writeEcho(input, page.next !== undefined, spelling),
          keyMarker: spelling.write(input.keyMarker ?? ''),
          versionIdMarker: input.versionIdMarker ?? '',
          nextKeyMarker: ifGiven(page.next?.keyMarker, spelling.write),
          nextVersionIdMarker: page.next?.versionIdMarker,
          versions: page.versions.map((each) => ({ ...each, key: spelling.write(each.key) })),
          commonPrefixes: page.commonPrefixes.map((prefix) => ({ prefix: spelling.write(prefix) })),
        });
      },
      (listed) => {
        const { read } = nameSpelling(listed.encodingType);
        return defined({
          versions: listed.versions.map((each) => ({ ...each, key: read(each.key) })),
          commonPrefixes: listed.commonPrefixes.map(({ prefix }) => read(prefix)),
          next: ifGiven(listed.nextKeyMarker, (marker) =>
            defined({ keyMarker: read(marker), versionIdMarker: listed.nextVersionIdMarker }),
          ),
        });
      },
    ),
  },
};
