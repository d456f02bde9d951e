/**
 * Configurations that no bucket here has. Tools read them, and take the 404 of each for "unset", where an answer that
 * they are not implemented would stop them (semantics B.1). To delete one that is not set succeeds, as for any other.
 */

import type { BucketInput, Nothing } from './buckets.ts';
import type { Operation } from './operation.ts';

function readUnset(subresource: string): Operation<BucketInput, Nothing> {
  return {
    method: 'GET',
    target: 'bucket',
    subresource,
    request: { parts: [] },
    response: { status: 200, parts: [] },
  };
}

function deleteUnset(subresource: string): Operation<BucketInput, Nothing> {
  const { target, request } = readUnset(subresource);
  return { method: 'DELETE', target, subresource, request, response: { status: 204, parts: [] } };
}

export const getBucketEncryption = readUnset('encryption');
export const getBucketOwnershipControls = readUnset('ownershipControls');
export const getBucketReplication = readUnset('replication');

export const deleteBucketEncryption = deleteUnset('encryption');
export const deleteBucketOwnershipControls = deleteUnset('ownershipControls');
export const deleteBucketReplication = deleteUnset('replication');
