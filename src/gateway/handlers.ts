/**
 * Defines the handler of each operation. A handler calls the store with the input of the request and returns the
 * output.
 */

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Body } from '../object-store/body.ts';
import type { Caller } from '../object-store/caller.ts';
import type { HeadObjectRequest, ObjectHead, ObjectStore } from '../object-store/object-store.ts';
import { compareUtf8 } from '../object-store/rules/listing.ts';
import { isStorageError, StorageError } from '../object-store/storage-error.ts';
import { parseHttpDate } from '../protocol/dates.ts';
import type { Input, OperationName, Output } from '../protocol/operations.ts';
import { formatPath } from '../protocol/paths.ts';
import { ACCESS_HANDLERS } from './access-handlers.ts';
import { listBuckets } from './list-buckets.ts';

export interface Call {
  readonly store: ObjectStore;
  readonly caller: Caller;
  /** The request body. A handler reads the body only if the body is the content of an object. */
  readonly body: Body;
  readonly signal: AbortSignal;
  readonly region: string;
  readonly clock: Clock;
  /** Returns the request's URL without the query: `http://localhost:9010/bucket/key`. */
  readonly url: () => string;
}

/** The content of an object, which is sent after the headers. `bytes` is the whole content, if it is in memory. */
export interface Bytes {
  readonly body?: AsyncIterable<Uint8Array>;
  readonly bytes?: Uint8Array;
}

type Handler<N extends OperationName> = (input: Input<N>, call: Call) => Promise<Output<N> & Bytes>;

export type Handlers = { readonly [N in OperationName]: Handler<N> };

/**
 * The handlers of all operations. The type requires an entry for every operation name, so that a missing handler is a
 * compile error.
 */
export const HANDLERS: Handlers = {
  ...ACCESS_HANDLERS,
  ListBuckets: listBuckets,
  CreateBucket: async ({ location, ...request }, { store, signal, region }) => {
    if (location !== undefined && location !== '' && location !== region) {
      throw new StorageError(
        'InvalidLocationConstraint',
        `create bucket: the only region of this service is ${region}`,
        {
          details: { LocationConstraint: location },
        },
      );
    }
    await store.createBucket(request, { signal });
    return { location: formatPath({ bucket: request.bucket }) };
  },
  HeadBucket: async (input, { store, signal, region }) => {
    const { usage, limits } = await store.headBucket(input, { signal });
    return defined({ location: region, usage, limits });
  },
  DeleteBucket: async (input, { store, signal }) => {
    await store.deleteBucket(input, { signal });
    return {};
  },
  GetBucketLocation: async (input, { store, signal }) => ({
    location: await store.getBucketLocation(input, { signal }),
  }),
  GetBucketVersioning: async (input, { store, signal }) =>
    defined({ versioning: await store.getVersioning(input, { signal }) }),
  PutBucketVersioning: async (input, { store, signal }) => {
    await store.putVersioning(input, { signal });
    return {};
  },
  GetObjectLockConfiguration: (input, { store, signal }) =>
    store.getObjectLockConfiguration(input, { signal }),
  PutObjectLockConfiguration: async (input, { store, signal }) => {
    await store.putObjectLockConfiguration(input, { signal });
    return {};
  },
  GetObjectRetention: (input, { store, signal }) => store.getRetention(input, { signal }),
  PutObjectRetention: async (input, { store, signal }) => {
    await store.putRetention(input, { signal });
    return {};
  },
  GetObjectLegalHold: async (input, { store, signal }) => ({
    legalHold: await store.getLegalHold(input, { signal }),
  }),
  PutObjectLegalHold: async (input, { store, signal }) => {
    await store.putLegalHold(input, { signal });
    return {};
  },
  GetBucketLifecycleConfiguration: async (input, { store, signal }) => ({
    rules: await store.getLifecycle(input, { signal }),
  }),
  PutBucketLifecycleConfiguration: async (input, { store, signal }) => {
    await store.putLifecycle(input, { signal });
    return {};
  },
  DeleteBucketLifecycle: async (input, { store, signal }) => {
    await store.deleteLifecycle(input, { signal });
    return {};
  },
  GetBucketCors: (input, { store, signal }) => store.getCors(input, { signal }),
  PutBucketCors: async (input, { store, signal }) => {
    await store.putCors(input, { signal });
    return {};
  },
  DeleteBucketCors: async (input, { store, signal }) => {
    await store.deleteCors(input, { signal });
    return {};
  },
  GetBucketWebsite: (input, { store, signal }) => store.getWebsite(input, { signal }),
  PutBucketWebsite: async (input, { store, signal }) => {
    await store.putWebsite(input, { signal });
    return {};
  },
  DeleteBucketWebsite: async (input, { store, signal }) => {
    await store.deleteWebsite(input, { signal });
    return {};
  },
  ListObjectsV2: (input, { store, signal }) => store.listObjects(input, { signal }),
  ListObjects: async (input, { store, signal }) => {
    // Version 1 of the listing always contains owners, and some clients depend on that.
    const request = { ...input, fetchOwner: true };
    const { objects, commonPrefixes, nextToken } = await store.listObjects(request, { signal });
    if (nextToken === undefined) return { objects, commonPrefixes };
    const names = [objects.at(-1)?.key ?? '', commonPrefixes.at(-1) ?? ''];
    return { objects, commonPrefixes, nextMarker: names.sort(compareUtf8)[1] ?? '' };
  },
  ListObjectVersions: (input, { store, signal }) => store.listVersions(input, { signal }),
  ListMultipartUploads: (input, { store, signal }) => store.listUploads(input, { signal }),
  PutObject: (input, { store, signal, body }) => store.putObject({ ...input, body }, { signal }),
  GetObject: (input, { store, signal, caller }) =>
    answerRead(input, caller, (request) =>
      // Chunks may be reused, because `sendBytes` reads the next chunk only after writing the previous one, and keeps
      // only the last chunk.
      store.getObject(request, { signal, reusesChunks: true }),
    ),
  HeadObject: (input, { store, signal, caller }) =>
    answerRead(input, caller, (request) => store.headObject(request, { signal })),
  GetObjectAttributes: (input, { store, signal }) => store.getObjectAttributes(input, { signal }),
  GetObjectTagging: (input, { store, signal }) => store.getObjectTags(input, { signal }),
  PutObjectTagging: (input, { store, signal }) => store.putObjectTags(input, { signal }),
  DeleteObjectTagging: (input, { store, signal }) => store.deleteObjectTags(input, { signal }),
  GetBucketTagging: async (input, { store, signal }) => ({
    tags: await store.getBucketTags(input, { signal }),
  }),
  PutBucketTagging: async (input, { store, signal }) => {
    await store.putBucketTags(input, { signal });
    return {};
  },
  DeleteBucketTagging: async (input, { store, signal }) => {
    await store.deleteBucketTags(input, { signal });
    return {};
  },
  CopyObject: (input, { store, signal }) => store.copyObject(input, { signal }),
  DeleteObject: (input, { store, signal }) => store.deleteObject(input, { signal }),
  DeleteObjects: (input, { store, signal }) => store.deleteObjects(input, { signal }),
  CreateMultipartUpload: (input, { store, signal }) => store.createUpload(input, { signal }),
  UploadPart: (input, { store, signal, body }) => store.uploadPart({ ...input, body }, { signal }),
  UploadPartCopy: (input, { store, signal }) => store.copyPart(input, { signal }),
  CompleteMultipartUpload: async (input, { store, signal, url }) => ({
    ...(await store.completeUpload(input, { signal })),
    location: url(),
  }),
  AbortMultipartUpload: async (input, { store, signal }) => {
    await store.abortUpload(input, { signal });
    return {};
  },
  ListParts: (input, { store, signal }) => store.listParts(input, { signal }),
};

type Read<R> = (request: HeadObjectRequest) => Promise<R>;

/**
 * Reads an object, evaluates `If-Range`, and replaces response headers with the values of `response-*` parameters
 * (semantics B.11.2, B.14). Throws InvalidRequest for `response-*` parameters in an anonymous request.
 */
export async function answerRead<R extends ObjectHead>(
  { overrides, ifRange, ...request }: Input<'GetObject'>,
  caller: Caller,
  read: Read<R>,
): Promise<R> {
  if (overrides !== undefined && caller.principal.kind === 'anonymous') {
    throw new StorageError(
      'InvalidRequest',
      'read object: response-* parameters require a signed request',
    );
  }
  const answer =
    ifRange === undefined ? await read(request) : await readIfRange(request, ifRange, read);
  return overrides === undefined ? answer : { ...answer, info: { ...answer.info, ...overrides } };
}

/**
 * Reads the requested range if the ETag or date in `If-Range` still matches the object; otherwise reads the whole
 * object.
 */
async function readIfRange<R>(
  { range, ...whole }: HeadObjectRequest,
  validator: string,
  read: Read<R>,
): Promise<R> {
  const unchanged = stillIs(validator);
  if (range === undefined || unchanged === undefined || whole.conditions !== undefined)
    return read(whole);
  try {
    return await read({ ...whole, range, conditions: unchanged });
  } catch (error) {
    if (isStorageError(error, 'PreconditionFailed')) return read(whole);
    throw error;
  }
}

function stillIs(validator: string): HeadObjectRequest['conditions'] {
  if (validator.startsWith('"')) return { ifMatch: [validator.slice(1, -1)] };
  const since = parseHttpDate(validator);
  return since === undefined ? undefined : { ifUnmodifiedSince: since };
}
