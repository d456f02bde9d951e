/** `ObjectStore` over signed HTTP, in either dialect, against any service of the protocol. */

import { defined } from '../base/defined.ts';
import type { ListedBucket } from '../object-store/buckets.ts';
import type { CallOptions, ObjectStore } from '../object-store/object-store.ts';
import { multipartEtag } from '../object-store/rules/multipart.ts';
import { accessCalls } from './access-calls.ts';
import { checkedPage, checkedVersions, positionOf } from './checked-pages.ts';
import { type CallerOptions, OperationCaller } from './caller.ts';
import { inAskedOrder } from './bulk-order.ts';
import type { Concurrency } from './concurrency.ts';
import { refusePlain, refuseWhole } from './passed-over.ts';
import type { LinkRequest } from './sender.ts';
import { ResumableBody } from './resumable-body.ts';

export type SignedClientOptions = CallerOptions;

export interface SignedClient extends ObjectStore {
  /** How much the service is asked for at once, as it was seen to keep up. */
  readonly concurrency: Concurrency;
  /** The id of who owns what these credentials make, where the service tells it with the buckets. */
  findOwner(options?: CallOptions): Promise<string | undefined>;
  /** An address that opens one object for whoever has it. Rejects with InvalidArgument beyond seven days. */
  presign(request: LinkRequest): Promise<string>;
  /** Calls in flight fail with TransportError. */
  close(): Promise<void>;
}

/** The service that answers to this region takes no location constraint. */
const DEFAULT_REGION = 'us-east-1';

/** Connects when it is first used. Throws TypeError for an endpoint or a proxy that is no URL. */
export function openSignedClient(options: SignedClientOptions): SignedClient {
  const caller = new OperationCaller(options);
  const location = options.region === DEFAULT_REGION ? undefined : options.region;
  return {
    headObject: async (request, options) => {
      const head = await caller.call('HeadObject', request, options);
      await refuseWhole(request, head);
      return head;
    },
    getObject: async (request, options) => {
      const content = await caller.stream('GetObject', request, options);
      const body = new ResumableBody(caller, request, content, options?.signal);
      await refuseWhole(request, content.output, body);
      return { ...content.output, body };
    },
    getObjectAttributes: (request, options) => caller.call('GetObjectAttributes', request, options),
    listObjects: async (request, options) => {
      const before = positionOf(request);
      const asked = defined({ ...request, continuationToken: before.token });
      return checkedPage(request, before, await caller.call('ListObjectsV2', asked, options));
    },
    listVersions: async (request, options) =>
      checkedVersions(request, await caller.call('ListObjectVersions', request, options)),

    putObject: async ({ body, ...request }, options) => {
      const written = await caller.call('PutObject', request, { ...options, body });
      refusePlain('put object', request, written);
      return written;
    },
    copyObject: async (request, options) => {
      const copied = await caller.call('CopyObject', request, options);
      refusePlain('copy object', request, copied);
      return copied;
    },
    bulkWriter: undefined,
    deleteObject: (request, options) => caller.call('DeleteObject', request, options),
    deleteObjects: async (request, options) =>
      inAskedOrder(request, await caller.call('DeleteObjects', request, options)),

    createUpload: async (request, options) => {
      const created = await caller.call('CreateMultipartUpload', request, options);
      refusePlain('create upload', request, created);
      return created;
    },
    uploadPart: ({ body, ...request }, options) =>
      caller.call('UploadPart', request, { ...options, body }),
    copyPart: (request, options) => caller.call('UploadPartCopy', request, options),
    completeUpload: async (request, options) => {
      const completed = await caller.call('CompleteMultipartUpload', request, options);
      const { versionId, checksum, expiration } = completed;
      // A Ceph RGW of version 16 leaves it empty.
      const etag = completed.etag || multipartEtag(request.parts.map((part) => part.etag));
      return defined({ etag, versionId, checksum, expiration });
    },
    abortUpload: async (request, options) => {
      await caller.call('AbortMultipartUpload', request, options);
    },
    listParts: (request, options) => caller.call('ListParts', request, options),
    listUploads: (request, options) => caller.call('ListMultipartUploads', request, options),

    createBucket: async (request, options) => {
      await caller.call('CreateBucket', defined({ ...request, location }), options);
    },
    deleteBucket: async (request, options) => {
      await caller.call('DeleteBucket', request, options);
    },
    headBucket: async (request, options) => {
      const { usage, limits } = await caller.call('HeadBucket', request, options);
      return defined({ usage, limits });
    },
    listBuckets: async (options) => {
      const all: ListedBucket[] = [];
      let continuationToken: string | undefined;
      do {
        const asked = defined({ continuationToken });
        const { buckets, nextToken } = await caller.call('ListBuckets', asked, options);
        all.push(...buckets);
        continuationToken = nextToken;
      } while (continuationToken !== undefined);
      return all;
    },
    findOwner: async (options) => (await caller.call('ListBuckets', {}, options)).owner,
    getBucketLocation: async (request, options) =>
      (await caller.call('GetBucketLocation', request, options)).location,

    getVersioning: async (request, options) =>
      (await caller.call('GetBucketVersioning', request, options)).versioning,
    putVersioning: async (request, options) => {
      await caller.call('PutBucketVersioning', request, options);
    },
    getObjectLockConfiguration: (request, options) =>
      caller.call('GetObjectLockConfiguration', request, options),
    putObjectLockConfiguration: async (request, options) => {
      await caller.call('PutObjectLockConfiguration', request, options);
    },
    ...accessCalls(caller),
    getLifecycle: async (request, options) =>
      (await caller.call('GetBucketLifecycleConfiguration', request, options)).rules,
    putLifecycle: async (request, options) => {
      await caller.call('PutBucketLifecycleConfiguration', request, options);
    },
    deleteLifecycle: async (request, options) => {
      await caller.call('DeleteBucketLifecycle', request, options);
    },
    getCors: (request, options) => caller.call('GetBucketCors', request, options),
    putCors: async (request, options) => {
      await caller.call('PutBucketCors', request, options);
    },
    deleteCors: async (request, options) => {
      await caller.call('DeleteBucketCors', request, options);
    },
    getWebsite: (request, options) => caller.call('GetBucketWebsite', request, options),
    putWebsite: async (request, options) => {
      await caller.call('PutBucketWebsite', request, options);
    },
    deleteWebsite: async (request, options) => {
      await caller.call('DeleteBucketWebsite', request, options);
    },
    serviceTime: (request, options) => caller.serviceTime(request, options),
    getRetention: (request, options) => caller.call('GetObjectRetention', request, options),
    putRetention: async (request, options) => {
      await caller.call('PutObjectRetention', request, options);
    },
    getLegalHold: async (request, options) =>
      (await caller.call('GetObjectLegalHold', request, options)).legalHold,
    putLegalHold: async (request, options) => {
      await caller.call('PutObjectLegalHold', request, options);
    },

    getObjectTags: (request, options) => caller.call('GetObjectTagging', request, options),
    putObjectTags: (request, options) => caller.call('PutObjectTagging', request, options),
    deleteObjectTags: (request, options) => caller.call('DeleteObjectTagging', request, options),
    getBucketTags: async (request, options) =>
      (await caller.call('GetBucketTagging', request, options)).tags,
    putBucketTags: async (request, options) => {
      await caller.call('PutBucketTagging', request, options);
    },
    deleteBucketTags: async (request, options) => {
      await caller.call('DeleteBucketTagging', request, options);
    },

    presign: (request) => caller.presign(request),

    get concurrency() {
      return caller.concurrency;
    },
    close: () => caller.close(),
  };
}
