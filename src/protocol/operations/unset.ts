/**
 * Defines operations on configurations that Holdfast does not support. Some tools read such a configuration and treat
 * 404 as "not set", but fail on 501 (semantics B.1). Deleting such a configuration succeeds, because deleting an absent
 * configuration always succeeds.
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
