/** Defines ListObjectVersions, which lists versions and delete markers. */

import { defined } from '../../base/defined.ts';
import type {
  ListedVersion,
  ListVersionsRequest,
  VersionPage,
} from '../../object-store/listing.ts';
import { etag, flag, integer, isoDate, text } from '../codecs.ts';
import { query } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, optional, record, required, variants, type Schema } from '../xml/schema.ts';
import { ownerSchema } from './buckets.ts';
import { nameOf, nameSpelling, readMarker, type EncodingType } from './listing-names.ts';
import {
  commonPrefixes,
  echo,
  ifGiven,
  scope,
  withStorageClass,
  writeEcho,
  type CommonPrefixes,
  type Echo,
} from './listing.ts';
import { responseDocument, type Operation } from './operation.ts';

export type ListObjectVersionsInput = ListVersionsRequest & EncodingType;

type DeleteMarkerElement = Omit<ListedVersion, 'kind' | 'legalHold' | 'retention'>;

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
  write: markerFields.write,
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
        const spelt = [...listed.versions, ...listed.commonPrefixes].map(nameOf);
        return defined({
          versions: listed.versions.map((each) => ({ ...each, key: read(each.key) })),
          commonPrefixes: listed.commonPrefixes.map(({ prefix }) => read(prefix)),
          next: ifGiven(listed.nextKeyMarker, (marker) =>
            defined({
              keyMarker: readMarker(marker, { spelt, read }),
              versionIdMarker: listed.nextVersionIdMarker,
            }),
          ),
        });
      },
    ),
  },
};
