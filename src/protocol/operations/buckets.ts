/**
 * Defines the operations that list, create, read and delete buckets, and that read the location and configure the
 * versioning of a bucket.
 */

import { defined } from '../../base/defined.ts';
import type { AclRequest } from '../../object-store/access.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type {
  BucketLimits,
  BucketUsage,
  ListedBucket,
  Versioning,
} from '../../object-store/buckets.ts';
import { flag, headerText, integer, isoDate, text, words } from '../codecs.ts';
import { header, type Part, query, vendor } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required, wrapped, type Schema } from '../xml/schema.ts';
import { acl } from './acl-headers.ts';
import { continuationToken } from './listing.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

export interface BucketInput {
  readonly bucket: string;
}

export type Nothing = Readonly<Record<string, never>>;

/** The input of ListBuckets. It omits the caller, because the request signature identifies the caller. */
export interface ListBucketsInput {
  readonly prefix?: string;
  readonly continuationToken?: string;
  readonly maxBuckets?: number;
  /** If present, only buckets in this region are listed. */
  readonly region?: string;
  /** Must be absent, because the request targets the service and not a bucket. */
  readonly bucket?: never;
}

export interface ListBucketsOutput {
  readonly buckets: readonly ListedBucket[];
  /** Present only if there are more buckets. */
  readonly nextToken?: string;
  /** The storage user ID of the caller. */
  readonly owner?: string;
}

export interface CreateBucketInput extends BucketInput {
  readonly objectLockEnabled?: boolean;
  readonly acl?: AclRequest;
  /** The region in the request body, if any. */
  readonly location?: string;
}

export interface LocationOutput {
  readonly location: string;
}

export interface VersioningOutput {
  readonly versioning?: Versioning;
}

export interface PutVersioningInput extends BucketInput {
  readonly versioning: Versioning;
}

interface OwnerElement {
  readonly id: string;
  readonly displayName?: string;
}

/** The content of `Owner` and `Initiator` elements. Only the ID is read, because some services do not return a name. */
export const ownerSchema: Schema<string> = {
  write: (id) => ownerElement.write({ id, displayName: id }),
  parse: (content) => ownerElement.parse(content).id,
};
const ownerElement = record<OwnerElement>({
  id: required('ID', leaf(text)),
  displayName: optional('DisplayName', leaf(text)),
});

/** The maximum number of buckets per page that the protocol allows. */
export const MAX_LISTED_BUCKETS = 10_000;

const listedBucket = record<ListedBucket>({
  name: required('Name', leaf(text)),
  createdAt: required('CreationDate', leaf(isoDate)),
});

interface ListBucketsDocument extends ListBucketsOutput {
  readonly prefix?: string;
}

export const listBuckets: Operation<ListBucketsInput, ListBucketsOutput> = {
  method: 'GET',
  target: 'service',
  request: {
    parts: [
      query('prefix', 'prefix', text),
      continuationToken,
      query('maxBuckets', 'max-buckets', integer(1, MAX_LISTED_BUCKETS), { nonEmpty: true }),
      query('region', 'bucket-region', text),
    ],
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      document<ListBucketsDocument>(
        'ListAllMyBucketsResult',
        record<ListBucketsDocument>({
          owner: optional('Owner', ownerSchema),
          buckets: wrapped('Buckets', many('Bucket', listedBucket)),
          nextToken: optional('ContinuationToken', leaf(text)),
          prefix: optional('Prefix', leaf(text)),
        }),
      ),
      (output, { prefix }) => defined({ ...output, prefix }),
      ({ buckets, owner, nextToken }) => defined({ buckets, owner, nextToken }),
    ),
  },
};

export interface CreateBucketOutput {
  /** The URL path of the new bucket. */
  readonly location?: string;
}

export const createBucket: Operation<CreateBucketInput, CreateBucketOutput> = {
  method: 'PUT',
  target: 'bucket',
  request: {
    parts: [
      vendor('objectLockEnabled', 'bucket-object-lock-enabled', flag, { nonEmpty: true }),
      acl,
    ],
    body: requestDocument(
      document<Pick<CreateBucketInput, 'location'>>(
        'CreateBucketConfiguration',
        record<Pick<CreateBucketInput, 'location'>>({
          location: optional('LocationConstraint', leaf(text)),
        }),
      ),
      ({ location }) => (location === undefined ? undefined : { location }),
      (body) => body,
      { mayBeEmpty: true },
    ),
  },
  response: { status: 200, parts: [header('location', 'location', headerText)] },
};

/**
 * The headers with the limits of a bucket. The specification's service sends them without a vendor prefix. Other
 * services do not send them.
 */
const limits: Part<{ readonly limits?: BucketLimits | undefined }> = {
  encode: (message, writer) => {
    if (message.limits === undefined) return;
    const { sizeBytes, objects, buckets } = message.limits;
    writer.headers.push(['x-rgw-quota-max-buckets', String(buckets)]);
    writer.headers.push(['x-rgw-quota-bucket-size', String(sizeBytes)]);
    writer.headers.push(['x-rgw-quota-bucket-objects', String(objects)]);
  },
  decode: (reader, into) => {
    // A service without a limit sends -1.
    const read = (name: string) => integer().decode(reader.header(`x-rgw-quota-${name}`) ?? '');
    const [buckets, sizeBytes] = [read('max-buckets'), read('bucket-size')];
    const objects = read('bucket-objects');
    if (buckets === undefined || sizeBytes === undefined || objects === undefined) return;
    into.limits = { sizeBytes, objects, buckets };
  },
};

/** The headers with the usage of a bucket. Only the specification's service sends them. */
const usage: Part<{ readonly usage?: BucketUsage | undefined }> = {
  encode: (message, writer) => {
    if (message.usage === undefined) return;
    const { objects, sizeBytes } = message.usage;
    writer.headers.push(['x-rgw-object-count', String(objects)]);
    writer.headers.push(['x-rgw-bytes-used', String(sizeBytes)]);
  },
  decode: (reader, into) => {
    const read = (name: string) => integer().decode(reader.header(name) ?? '');
    const [objects, sizeBytes] = [read('x-rgw-object-count'), read('x-rgw-bytes-used')];
    if (objects !== undefined && sizeBytes !== undefined) into.usage = { objects, sizeBytes };
  },
};

/** The region, usage and limits of a bucket. */
export interface HeadBucketOutput extends Partial<LocationOutput> {
  readonly usage?: BucketUsage;
  readonly limits?: BucketLimits;
}

export const headBucket: Operation<BucketInput, HeadBucketOutput> = {
  method: 'HEAD',
  target: 'bucket',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [vendor('location', 'bucket-region', text), usage, limits],
  },
};

export const deleteBucket: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};

/**
 * The `LocationConstraint` document. Its root element contains only text:
 * `<LocationConstraint>us-east-1</LocationConstraint>`.
 */
const locationConstraint: Schema<LocationOutput> = {
  write: ({ location }) => leaf(text).write(location),
  parse: (content) => ({ location: leaf(text).parse(content) }),
};

export const getBucketLocation: Operation<BucketInput, LocationOutput> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'location',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      document('LocationConstraint', locationConstraint),
      (output) => output,
      (output) => output,
    ),
  },
};

interface VersioningElement {
  readonly status?: Versioning;
  readonly mfaDelete?: string;
}

const versioningConfiguration = document<VersioningElement>(
  'VersioningConfiguration',
  record<VersioningElement>({
    status: optional('Status', leaf(words('Enabled', 'Suspended'))),
    mfaDelete: optional('MfaDelete', leaf(text)),
  }),
);

export const getBucketVersioning: Operation<BucketInput, VersioningOutput> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'versioning',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      versioningConfiguration,
      ({ versioning }) => (versioning === undefined ? {} : { status: versioning }),
      ({ status }) => (status === undefined ? {} : { versioning: status }),
    ),
  },
};

export const putBucketVersioning: Operation<PutVersioningInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'versioning',
  request: {
    parts: [],
    body: requestDocument(
      versioningConfiguration,
      ({ versioning }) => ({ status: versioning }),
      ({ status, mfaDelete }) => {
        if (mfaDelete !== undefined && mfaDelete !== 'Disabled') {
          throw new StorageError('NotImplemented', 'put versioning: MfaDelete is not supported');
        }
        if (status === undefined) {
          throw new StorageError(
            'MalformedXML',
            'put versioning: Status must be Enabled or Suspended',
          );
        }
        return { versioning: status };
      },
    ),
  },
  response: { status: 200, parts: [] },
};
