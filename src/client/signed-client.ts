/**
 * Implements `ObjectStore` with signed HTTP requests in either dialect. It works with any
 * S3-compatible service.
 */

import { defined } from '../base/defined.ts';
import { bytesBody } from '../object-store/body.ts';
import type { ListedBucket } from '../object-store/buckets.ts';
import type { CallOptions, ObjectStore } from '../object-store/object-store.ts';
import { multipartEtag } from '../object-store/rules/multipart.ts';
import { inAskedOrder } from './bulk-order.ts';
import { type CallerOptions, OperationCaller } from './caller.ts';
import { callsOf } from './calls.ts';
import { checkedPage, checkedVersions, positionOf } from './checked-pages.ts';
import type { Concurrency } from './concurrency.ts';
import { refusePlain, refuseWhole } from './passed-over.ts';
import { ResumableBody } from './resumable-body.ts';
import type { LinkRequest } from './sender.ts';

export type SignedClientOptions = CallerOptions;

export interface SignedClient extends ObjectStore {
  /** The current limit of concurrent requests, and the number of running and waiting requests. */
  readonly concurrency: Concurrency;
  /**
   * Returns the owner ID from ListBuckets for these credentials, or undefined if the service does
   * not return one.
   */
  findOwner(options?: CallOptions): Promise<string | undefined>;
  /**
   * Returns a presigned URL for one object. Rejects with InvalidArgument if the lifetime exceeds
   * seven days.
   */
  presign(request: LinkRequest): Promise<string>;
  /** Closes the connections. Calls in progress and future calls fail with TransportError. */
  close(): Promise<void>;
}

/** The region whose endpoint does not accept a location constraint. */
const DEFAULT_REGION = 'us-east-1';

/**
 * Returns a client. The client connects when it is first called. Throws TypeError if the endpoint
 * or the proxy is not a valid URL.
 */
export function openSignedClient(options: SignedClientOptions): SignedClient {
  const caller = new OperationCaller(options);
  return {
    ...callsOf(caller),
    ...readCalls(caller),
    ...writeCalls(caller),
    ...uploadCalls(caller),
    ...bucketCalls(caller, options.region),
    bulkWriter: undefined,
    serviceTime: (request, options) => caller.serviceTime(request, options),
    findOwner: async (options) => (await caller.call('ListBuckets', {}, options)).owner,
    presign: (request) => caller.presign(request),
    get concurrency() {
      return caller.concurrency;
    },
    close: () => caller.close(),
  };
}

type Calls<M extends keyof ObjectStore> = Pick<ObjectStore, M>;

function readCalls(
  caller: OperationCaller,
): Calls<'getObject' | 'headObject' | 'listObjects' | 'listVersions'> {
  return {
    headObject: async (request, options) => {
      const head = await caller.call('HeadObject', request, options);
      await refuseWhole(request, head);
      return head;
    },
    getObject: async (request, options) => {
      const content = await caller.getObject(request, options);
      const { output, bytes } = content;
      const body =
        bytes === undefined
          ? new ResumableBody(caller, request, content, options?.signal)
          : bytesBody(bytes).open();
      await refuseWhole(request, output, body[Symbol.asyncIterator]());
      return { ...output, body, ...(bytes !== undefined && { bytes }) };
    },
    listObjects: async (request, options) => {
      const before = positionOf(request);
      const asked = defined({ ...request, continuationToken: before.token });
      return checkedPage(request, before, await caller.call('ListObjectsV2', asked, options));
    },
    listVersions: async (request, options) =>
      checkedVersions(request, await caller.call('ListObjectVersions', request, options)),
  };
}

function writeCalls(caller: OperationCaller): Calls<'copyObject' | 'deleteObjects' | 'putObject'> {
  return {
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
    deleteObjects: async (request, options) =>
      inAskedOrder(request, await caller.call('DeleteObjects', request, options)),
  };
}

function uploadCalls(
  caller: OperationCaller,
): Calls<'completeUpload' | 'createUpload' | 'uploadPart'> {
  return {
    createUpload: async (request, options) => {
      const created = await caller.call('CreateMultipartUpload', request, options);
      refusePlain('create upload', request, created);
      return created;
    },
    uploadPart: ({ body, ...request }, options) =>
      caller.call('UploadPart', request, { ...options, body }),
    completeUpload: async (request, options) => {
      const completed = await caller.call('CompleteMultipartUpload', request, options);
      const { versionId, checksum, expiration } = completed;
      // Ceph RGW 16 returns an empty ETag.
      const etag = completed.etag || multipartEtag(request.parts.map((part) => part.etag));
      return defined({ etag, versionId, checksum, expiration });
    },
  };
}

function bucketCalls(
  caller: OperationCaller,
  region: string,
): Calls<'createBucket' | 'headBucket' | 'listBuckets'> {
  const location = region === DEFAULT_REGION ? undefined : region;
  return {
    createBucket: async (request, options) => {
      await caller.call('CreateBucket', defined({ ...request, location }), options);
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
  };
}
