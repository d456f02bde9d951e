/** Parses the source and the destination of a copy. An argument that begins with `.` or `/` is a local file. */

import { usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { parsePlace } from './place.ts';
import type { Place } from './place.ts';

export type Side =
  | { readonly kind: 'file'; readonly path: string; readonly typed: string }
  | ObjectSide;

export interface ObjectSide {
  readonly kind: 'object';
  readonly place: Place;
}

/** The optional scheme of an object, which other tools require. */
const SCHEME = 's3://';

/** Parses a local file or an object. Throws a usage error for `-`. */
export function parseSide(context: Context, typed: string): Side {
  if (typed === '-') {
    throw usageError(
      'copy -: one stream is no file',
      'use `holdfast s3 put - OBJECT` or `holdfast s3 get OBJECT -`',
    );
  }
  if (/^[./]/.test(typed)) return { kind: 'file', path: context.path(typed), typed };
  return parseObjectSide(typed);
}

/** Parses `BUCKET/KEY` or `s3://BUCKET/KEY`. */
export function parseObjectSide(typed: string): ObjectSide {
  const place = typed.startsWith(SCHEME) ? typed.slice(SCHEME.length) : typed;
  return { kind: 'object', place: parsePlace(place) };
}

/** Returns the place of one object. Throws a usage error for a bucket or a folder. */
export function requireKey({ bucket, key }: Place): Place {
  if (key !== '' && !key.endsWith('/')) return { bucket, key };
  throw usageError(
    `read "${bucket}/${key}": it names no object`,
    'write BUCKET/KEY, or give --recursive for all below it; a file of this machine begins with ./',
  );
}

/** Returns the prefix of the keys in a folder: empty for the whole bucket, and `name/` for the folder `name`. */
export function folderPrefix(key: string): string {
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

/** Returns the bucket and prefix whose objects a copy with `--recursive` copies. */
export function folderOf({ place: { bucket, key } }: ObjectSide): Place {
  return { bucket, key: folderPrefix(key) };
}

/**
 * Returns the destination of a copy. For a bucket or a folder such as `photos/2026/`, appends the name of the source.
 */
export function underOwnName({ bucket, key }: Place, name: string): Place {
  return key === '' || key.endsWith('/') ? { bucket, key: key + name } : { bucket, key };
}
