/**
 * Lists the caller's buckets in pages. `ObjectStore` returns all buckets at once, because a project has at most a
 * thousand buckets.
 */

import { defined } from '../base/defined.ts';
import { principalId } from '../base/principal.ts';
import { compareUtf8, decodeListToken, encodeListToken } from '../object-store/rules/listing.ts';
import type { Input, Output } from '../protocol/operations.ts';
import { MAX_LISTED_BUCKETS } from '../protocol/operations/buckets.ts';
import type { Call } from './handlers.ts';

/**
 * Returns a page of the buckets whose names begin with `prefix`, sorted by name. Throws
 * InvalidArgument for an invalid continuation token.
 */
export async function listBuckets(
  {
    prefix = '',
    continuationToken = '',
    maxBuckets = MAX_LISTED_BUCKETS,
    region,
  }: Input<'ListBuckets'>,
  {
    store,
    signal,
    caller,
    region: ownRegion,
  }: Pick<Call, 'caller' | 'region' | 'signal' | 'store'>,
): Promise<Output<'ListBuckets'>> {
  const after = continuationToken === '' ? '' : decodeListToken(continuationToken).name;
  const all = await store.listBuckets({ signal });
  const asked = all.filter(
    ({ name }) => name.startsWith(prefix) && name > after && (region ?? ownRegion) === ownRegion,
  );
  asked.sort((a, b) => compareUtf8(a.name, b.name));
  const buckets = asked.slice(0, maxBuckets);
  const last = buckets.at(-1);
  const isMore = last !== undefined && asked.length > buckets.length;
  const { principal } = caller;
  return defined({
    buckets,
    owner: principal.kind === 'user' ? principalId(principal) : undefined,
    nextToken: isMore ? encodeListToken({ kind: 'key', name: last.name }) : undefined,
  });
}
