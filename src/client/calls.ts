/**
 * Creates those methods of `ObjectStore` that call a single operation. The operation table defines their requests and
 * responses.
 */

import type { CallOptions, ObjectStore } from '../object-store/object-store.ts';
import type { Input, OperationName, Output } from '../protocol/operations.ts';
import type { OperationCaller } from './caller.ts';

type Method<I, O> = (request: I, options?: CallOptions) => Promise<O>;

/** Creates a method that returns the whole output of the operation. */
function whole<N extends OperationName>(name: N) {
  return (caller: OperationCaller): Method<Input<N>, Output<N>> =>
    (request, options) =>
      caller.call(name, request, options);
}

/** Creates a method that returns a single property of the output. */
function member<N extends OperationName, K extends keyof Output<N>>(name: N, key: K) {
  return (caller: OperationCaller): Method<Input<N>, Output<N>[K]> =>
    async (request, options) =>
      (await caller.call(name, request, options))[key];
}

/** Creates a method that returns no value. */
function done<N extends OperationName>(name: N) {
  return (caller: OperationCaller): Method<Input<N>, void> =>
    async (request, options) => {
      await caller.call(name, request, options);
    };
}

const CALLS = {
  getObjectAttributes: whole('GetObjectAttributes'),
  deleteObject: whole('DeleteObject'),
  copyPart: whole('UploadPartCopy'),
  abortUpload: done('AbortMultipartUpload'),
  listParts: whole('ListParts'),
  listUploads: whole('ListMultipartUploads'),
  deleteBucket: done('DeleteBucket'),
  getBucketLocation: member('GetBucketLocation', 'location'),
  getVersioning: member('GetBucketVersioning', 'versioning'),
  putVersioning: done('PutBucketVersioning'),
  getObjectLockConfiguration: whole('GetObjectLockConfiguration'),
  putObjectLockConfiguration: done('PutObjectLockConfiguration'),
  getRetention: whole('GetObjectRetention'),
  putRetention: done('PutObjectRetention'),
  getLegalHold: member('GetObjectLegalHold', 'legalHold'),
  putLegalHold: done('PutObjectLegalHold'),
  getBucketAcl: whole('GetBucketAcl'),
  putBucketAcl: done('PutBucketAcl'),
  getObjectAcl: whole('GetObjectAcl'),
  putObjectAcl: done('PutObjectAcl'),
  getBucketPolicy: member('GetBucketPolicy', 'policy'),
  putBucketPolicy: done('PutBucketPolicy'),
  deleteBucketPolicy: done('DeleteBucketPolicy'),
  isBucketPublic: member('GetBucketPolicyStatus', 'isPublic'),
  getPublicAccessBlock: whole('GetPublicAccessBlock'),
  putPublicAccessBlock: done('PutPublicAccessBlock'),
  deletePublicAccessBlock: done('DeletePublicAccessBlock'),
  getLifecycle: member('GetBucketLifecycleConfiguration', 'rules'),
  putLifecycle: done('PutBucketLifecycleConfiguration'),
  deleteLifecycle: done('DeleteBucketLifecycle'),
  getCors: whole('GetBucketCors'),
  putCors: done('PutBucketCors'),
  deleteCors: done('DeleteBucketCors'),
  getWebsite: whole('GetBucketWebsite'),
  putWebsite: done('PutBucketWebsite'),
  deleteWebsite: done('DeleteBucketWebsite'),
  getObjectTags: whole('GetObjectTagging'),
  putObjectTags: whole('PutObjectTagging'),
  deleteObjectTags: whole('DeleteObjectTagging'),
  getBucketTags: member('GetBucketTagging', 'tags'),
  putBucketTags: done('PutBucketTagging'),
  deleteBucketTags: done('DeleteBucketTagging'),
} satisfies { readonly [M in keyof ObjectStore]?: (caller: OperationCaller) => ObjectStore[M] };

type Calls = Pick<ObjectStore, keyof typeof CALLS>;

export function callsOf(caller: OperationCaller): Calls {
  const calls = Object.entries(CALLS).map(([method, make]) => [method, make(caller)] as const);
  return Object.fromEntries(calls) as unknown as Calls;
}
