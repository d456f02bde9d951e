/** The two sides of a copy: a file of this machine, or an object. What begins with `.` or `/` is a file. */

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

/** As other tools write what is no file. */
const SCHEME = 's3://';

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

export function parseObjectSide(typed: string): ObjectSide {
  const place = typed.startsWith(SCHEME) ? typed.slice(SCHEME.length) : typed;
  return { kind: 'object', place: parsePlace(place) };
}

/** The key of one object. Throws `Usage` for a bucket or a folder. */
export function requireKey({ bucket, key }: Place): Place {
  if (key !== '' && !key.endsWith('/')) return { bucket, key };
  throw usageError(
    `read "${bucket}/${key}": it names no object`,
    'write BUCKET/KEY, or give --recursive for all below it; a file of this machine begins with ./',
  );
}

/** What a folder's keys begin with: all of the bucket, or `name/`. */
export function folderPrefix(key: string): string {
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

/** Below which a copy with `--recursive` looks for objects. */
export function folderOf({ place: { bucket, key } }: ObjectSide): Place {
  return { bucket, key: folderPrefix(key) };
}

/** `photos/2026/` means: below it, under the name that it has. */
export function underOwnName({ bucket, key }: Place, name: string): Place {
  return key === '' || key.endsWith('/') ? { bucket, key: key + name } : { bucket, key };
}
