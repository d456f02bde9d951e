/**
 * Reads a large object in several ranges at a time, because many services limit the rate of a single connection. The
 * content is nevertheless written and hashed in order, so that an interrupted restore can continue it.
 */

import { askAhead } from '../base/ask-ahead.ts';
import { defined } from '../base/defined.ts';
import { collect, discard } from '../object-store/body.ts';
import type {
  CallOptions,
  HeadObjectRequest,
  ObjectContent,
  ObjectReader,
} from '../object-store/object-store.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';

/** Size of a range in bytes. If the restore is killed, the ranges that are being read are lost. */
const RANGE_BYTES = 2 * 1024 ** 2;
const RANGES_AT_ONCE = 4;
/** Minimum number of bytes that are read in ranges. Each range costs a request. */
const MIN_BYTES = 2 * RANGES_AT_ONCE * RANGE_BYTES;

type Range = NonNullable<ObjectContent['range']>;

interface WantedBytes {
  /** Size of the object according to the listing. */
  readonly sizeBytes: number;
  readonly first: number;
}

/**
 * Returns the object's bytes from `first` to the end. Reads many bytes in ranges. The body rejects with MirrorError
 * `ContentDiffers` if the service returns other bytes than requested, and with the errors of `getObject`.
 */
export async function readInRanges(
  store: ObjectReader,
  request: HeadObjectRequest,
  { sizeBytes, first }: WantedBytes,
  options: CallOptions,
): Promise<ObjectContent> {
  if (sizeBytes - first < MIN_BYTES)
    return store.getObject({ ...request, ...(first > 0 && { range: { first } }) }, options);
  const range = { first, last: first + RANGE_BYTES - 1 };
  const content = await store.getObject({ ...request, range }, options);
  const { info } = content;
  // Some services ignore ranges and return the whole object.
  if (content.range === undefined) return content;
  const last = info.sizeBytes - 1;
  // The first range is read at once, so that no connection stays open if the caller discards the body.
  const begin = await bytesOf(content, { first, last: Math.min(range.last, last) });
  const versionId = request.versionId ?? info.versionId;
  const again = { ...request, ...defined({ versionId }), conditions: { ifMatch: [info.etag] } };
  const read = async (next: Range): Promise<Uint8Array> =>
    bytesOf(await store.getObject({ ...again, range: next }, options), next);
  const rest = askAhead(rangesFrom(range.last + 1, last), RANGES_AT_ONCE, read);
  return { ...content, range: { first, last }, body: joined(begin, rest) };
}

async function* joined(begin: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield begin;
  yield* rest;
}

function* rangesFrom(start: number, last: number): Generator<Range> {
  for (let first = start; first <= last; first += RANGE_BYTES)
    yield { first, last: Math.min(first + RANGE_BYTES - 1, last) };
}

async function bytesOf(
  { range, body }: ObjectContent,
  { first, last }: Range,
): Promise<Uint8Array> {
  if (range?.first === first && range.last === last) return collect(body, RANGE_BYTES, RANGE_BYTES);
  await discard(body);
  throw new MirrorError('ContentDiffers', `the service did not return the bytes ${first}-${last}`);
}
