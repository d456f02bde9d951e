/** Handlers of access rights, and of configurations that no bucket here has. */

import type { StorageErrorCode } from '../object-store/storage-error.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { BucketInput } from '../protocol/operations/buckets.ts';
import type { Call, Handlers } from './handlers.ts';

type AccessOperation =
  | 'DeleteBucketPolicy'
  | 'DeletePublicAccessBlock'
  | 'GetBucketAcl'
  | 'GetBucketEncryption'
  | 'GetBucketOwnershipControls'
  | 'GetBucketPolicy'
  | 'GetBucketPolicyStatus'
  | 'GetBucketReplication'
  | 'GetObjectAcl'
  | 'GetPublicAccessBlock'
  | 'PutBucketAcl'
  | 'PutBucketPolicy'
  | 'PutObjectAcl'
  | 'PutPublicAccessBlock';

export const ACCESS_HANDLERS: Pick<Handlers, AccessOperation> = {
  GetBucketAcl: (input, { store, signal }) => store.getBucketAcl(input, { signal }),
  PutBucketAcl: async (input, { store, signal }) => {
    await store.putBucketAcl(input, { signal });
    return {};
  },
  GetObjectAcl: (input, { store, signal }) => store.getObjectAcl(input, { signal }),
  PutObjectAcl: async (input, { store, signal }) => {
    await store.putObjectAcl(input, { signal });
    return {};
  },
  GetBucketPolicy: async (input, { store, signal }) => ({
    policy: await store.getBucketPolicy(input, { signal }),
  }),
  PutBucketPolicy: async (input, { store, signal }) => {
    await store.putBucketPolicy(input, { signal });
    return {};
  },
  DeleteBucketPolicy: async (input, { store, signal }) => {
    await store.deleteBucketPolicy(input, { signal });
    return {};
  },
  GetBucketPolicyStatus: async (input, { store, signal }) => ({
    isPublic: await store.isBucketPolicyPublic(input, { signal }),
  }),
  GetPublicAccessBlock: (input, { store, signal }) => store.getPublicAccessBlock(input, { signal }),
  PutPublicAccessBlock: async (input, { store, signal }) => {
    await store.putPublicAccessBlock(input, { signal });
    return {};
  },
  DeletePublicAccessBlock: async (input, { store, signal }) => {
    await store.deletePublicAccessBlock(input, { signal });
    return {};
  },
  GetBucketEncryption: unset('ServerSideEncryptionConfigurationNotFoundError'),
  GetBucketOwnershipControls: unset('OwnershipControlsNotFoundError'),
  GetBucketReplication: unset('ReplicationConfigurationNotFoundError'),
};

/** Who may not see how the bucket is configured is not told either. */
function unset(code: StorageErrorCode) {
  return async (
    input: BucketInput,
    { store, signal }: Pick<Call, 'signal' | 'store'>,
  ): Promise<never> => {
    await store.getVersioning(input, { signal });
    throw new StorageError(code, `read configuration of ${input.bucket}: it has none`, {
      details: { BucketName: input.bucket },
    });
  };
}
