/**
 * Configurations that no bucket here has. Tools ask for them, and take the 404 of each for "unset", where an answer that
 * they are not implemented would stop them (semantics B.1).
 */

import type { BucketInput, Nothing } from './buckets.ts';
import type { Operation } from './operation.ts';

function unset(subresource: string): Operation<BucketInput, Nothing> {
  return {
    method: 'GET',
    target: 'bucket',
    subresource,
    request: { parts: [] },
    response: { status: 200, parts: [] },
  };
}

export const getBucketEncryption = unset('encryption');
export const getBucketOwnershipControls = unset('ownershipControls');
export const getBucketReplication = unset('replication');
