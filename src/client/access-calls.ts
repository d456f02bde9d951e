/** Access rights, asked of a service. */

import type { AccessKeeper } from '../object-store/access.ts';
import type { OperationCaller } from './caller.ts';

export function accessCalls(caller: OperationCaller): AccessKeeper {
  return {
    getBucketAcl: (request, options) => caller.call('GetBucketAcl', request, options),
    putBucketAcl: async (request, options) => {
      await caller.call('PutBucketAcl', request, options);
    },
    getObjectAcl: (request, options) => caller.call('GetObjectAcl', request, options),
    putObjectAcl: async (request, options) => {
      await caller.call('PutObjectAcl', request, options);
    },
    getBucketPolicy: async (request, options) =>
      (await caller.call('GetBucketPolicy', request, options)).policy,
    putBucketPolicy: async (request, options) => {
      await caller.call('PutBucketPolicy', request, options);
    },
    deleteBucketPolicy: async (request, options) => {
      await caller.call('DeleteBucketPolicy', request, options);
    },
    isBucketPublic: async (request, options) =>
      (await caller.call('GetBucketPolicyStatus', request, options)).isPublic,
    getPublicAccessBlock: (request, options) =>
      caller.call('GetPublicAccessBlock', request, options),
    putPublicAccessBlock: async (request, options) => {
      await caller.call('PutPublicAccessBlock', request, options);
    },
    deletePublicAccessBlock: async (request, options) => {
      await caller.call('DeletePublicAccessBlock', request, options);
    },
  };
}
