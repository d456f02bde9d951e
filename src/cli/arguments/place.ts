/** Parses `BUCKET/KEY`. The bucket name ends at the first slash, and the key is literal. */

import { usageError } from '../output/command-error.ts';

export interface Place {
  readonly bucket: string;
  /** A key or a prefix. Empty if only a bucket was typed. */
  readonly key: string;
}

/** Parses `BUCKET` or `BUCKET/KEY`. Throws a usage error if the bucket name is empty. */
export function parsePlace(text: string): Place {
  const slash = text.indexOf('/');
  const bucket = slash < 0 ? text : text.slice(0, slash);
  if (bucket === '') throw usageError(`read "${text}": it names no bucket`, 'write BUCKET/KEY');
  return { bucket, key: slash < 0 ? '' : text.slice(slash + 1) };
}

/** Parses `BUCKET/KEY`. Throws a usage error if the bucket name or the key is empty. */
export function parseObjectPlace(text: string): Place {
  const place = parsePlace(text);
  if (place.key !== '') return place;
  throw usageError(`read "${text}": it names a bucket but no key`, 'write BUCKET/KEY');
}

/** Parses `BUCKET` or `BUCKET/`. Throws a usage error if a key follows. */
export function parseBucket(text: string): string {
  const { bucket, key } = parsePlace(text);
  if (key === '') return bucket;
  throw usageError(`read "${text}": a bucket's name has no slash`);
}
