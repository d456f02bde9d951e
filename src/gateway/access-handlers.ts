/**
 * Handles the operations on ACLs, policies and public access blocks. Also handles bucket configurations that Holdfast
 * does not support.
 */

import type { StorageErrorCode } from '../object-store/storage-error.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { BucketInput, Nothing } from '../protocol/operations/buckets.ts';
import type { Call, Handlers } from './handlers.ts';

type AccessOperation =
  | 'DeleteBucketEncryption'
  | 'DeleteBucketOwnershipControls'
  | 'DeleteBucketPolicy'
  | 'DeleteBucketReplication'
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
    isPublic: await store.isBucketPublic(input, { signal }),
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
  DeleteBucketEncryption: deleteUnset,
  DeleteBucketOwnershipControls: deleteUnset,
  DeleteBucketReplication: deleteUnset,
  GetBucketEncryption: readUnset('ServerSideEncryptionConfigurationNotFoundError'),
  GetBucketOwnershipControls: readUnset('OwnershipControlsNotFoundError'),
  GetBucketReplication: readUnset('ReplicationConfigurationNotFoundError'),
};

type Reading = Pick<Call, 'signal' | 'store'>;

/**
 * Returns a handler that throws `code`, because no bucket has this configuration. To fail for a missing bucket or a
 * missing permission, the handler reads the bucket's versioning first.
 */
function readUnset(code: StorageErrorCode) {
  return async (input: BucketInput, { store, signal }: Reading): Promise<never> => {
    await store.getVersioning(input, { signal });
    throw new StorageError(
      code,
      `read configuration of ${input.bucket}: the bucket does not have this configuration`,
      {
        details: { BucketName: input.bucket },
      },
    );
  };
}

/**
 * Deletes a bucket configuration that Holdfast does not support. Changes nothing, because no bucket has such a
 * configuration. So the caller needs only the permission to read the bucket's versioning.
 */
async function deleteUnset(input: BucketInput, { store, signal }: Reading): Promise<Nothing> {
  await store.getVersioning(input, { signal });
  return {};
}
