/** `BUCKET/KEY` as it is typed: the bucket to the first slash, the rest is taken literally. */

import { usageError } from '../output/command-error.ts';

export interface Place {
  readonly bucket: string;
  /** A key or a prefix; empty when there is none. */
  readonly key: string;
}

export function parsePlace(text: string): Place {
  const slash = text.indexOf('/');
  const bucket = slash < 0 ? text : text.slice(0, slash);
  if (bucket === '') throw usageError(`read "${text}": it names no bucket`, 'write BUCKET/KEY');
  return { bucket, key: slash < 0 ? '' : text.slice(slash + 1) };
}

export function parseObjectPlace(text: string): Place {
  const place = parsePlace(text);
  if (place.key !== '') return place;
  throw usageError(`read "${text}": it names a bucket but no key`, 'write BUCKET/KEY');
}

export function parseBucket(text: string): string {
  const { bucket, key } = parsePlace(text);
  if (key === '') return bucket;
  throw usageError(`read "${text}": a bucket's name has no slash`);
}
