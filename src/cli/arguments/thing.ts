/**
 * Parses the arguments that select the data of a command: a local path in the folder of a job, `BUCKET/KEY`, or
 * `TARGET:BUCKET/KEY`. A trailing `~N` selects an earlier version. These characters decide:
 *
 * - A leading `.`, `/` or `~` means a path.
 * - A colon before the first slash ends the name of a target. The bucket name ends at the first slash after the colon.
 * - The key is taken literally. It may contain colons and tildes.
 */

import { usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';

export interface Place {
  readonly bucket: string;
  /** A key or a prefix. Empty if the user typed only a bucket. */
  readonly key: string;
}

/** The possible meanings of a typed argument. There is at least one. */
export interface Thing {
  /** The text as a local path. Undefined for `TARGET:BUCKET/KEY`. */
  readonly path?: string;
  /** The text as an object or a bucket. Undefined for a text that can only be a path. */
  readonly place?: Place;
  /** The target in `TARGET:BUCKET/KEY`. */
  readonly target?: string;
}

const PLACE_HINT = 'write BUCKET/KEY or TARGET:BUCKET/KEY';

/** Parses an argument without `~N`. Throws a usage error for an empty bucket name, and for a URL. */
export function parseThing(text: string): Thing {
  if (/^[./~]/.test(text)) return { path: text };
  const [, target, rest = text] = /^([^/:]+):(.*)$/s.exec(text) ?? [];
  if (target !== undefined && rest.startsWith('//'))
    throw usageError(`cannot use "${text}": only a new target is named by a URL`, PLACE_HINT);
  const [bucket = '', ...names] = rest.split('/');
  if (bucket === '') throw usageError(`cannot use "${text}": it names no bucket`, PLACE_HINT);
  const place = { bucket, key: names.join('/') };
  return target === undefined ? { path: text, place } : { place, target };
}

export interface VersionedName {
  /** The typed text without a trailing `~N`. */
  readonly name: string;
  /** How many versions to go back from the current version. Undefined if the text does not end in `~N`. */
  readonly back?: number;
}

/** Splits `NAME~N` into the name and the number. A text that starts with `./` is always a whole name. */
export function splitVersion(text: string): VersionedName {
  const [, name, digits] = text.startsWith('./') ? [] : (/^(.*[^/])~(\d+)$/s.exec(text) ?? []);
  return name === undefined ? { name: text } : { name, back: Number(digits) };
}

/** Returns the target that the text specifies with `TARGET:`, or else `otherwise`. Returns undefined for a path. */
export function targetIn(text: string, otherwise: string): string | undefined {
  const { place, target = otherwise } = parseThing(text);
  return place && target;
}

/** Returns the bucket and the key of `[TARGET:]BUCKET[/KEY]`. Throws a usage error for a path. */
export function parsePlace(text: string): Place {
  const { place } = parseThing(text);
  if (place) return place;
  throw usageError(`cannot use "${text}": it names no bucket`, PLACE_HINT);
}

/**
 * Returns the bucket of `[TARGET:]BUCKET`, with or without a trailing slash. Throws a usage error if a key follows.
 */
export function parseBucket(text: string): string {
  const { bucket, key } = parsePlace(text);
  if (key === '') return bucket;
  throw usageError(`cannot use "${text}": a bucket name must not contain a slash`);
}

/**
 * The source or destination of a copy. It is a local file only if its text can only be a path. The folders of jobs are
 * not considered.
 */
export type Side =
  | { readonly kind: 'file'; readonly path: string; readonly typed: string }
  | ObjectSide;

export interface ObjectSide {
  readonly kind: 'object';
  readonly place: Place;
}

/** Parses the source or destination of a copy. Throws a usage error for `-`. */
export function parseSide(context: Context, typed: string): Side {
  if (typed === '-') {
    throw usageError(
      'cannot copy -: a stream is not a file',
      'use `holdfast s3 put - OBJECT` or `holdfast s3 get OBJECT -`',
    );
  }
  const { place } = parseThing(typed);
  return place ? { kind: 'object', place } : { kind: 'file', path: context.path(typed), typed };
}

/** Returns the bucket and key of an object. Throws a usage error for a bucket or a folder. */
export function requireKey({ bucket, key }: Place): Place {
  if (key !== '' && !key.endsWith('/')) return { bucket, key };
  throw usageError(
    `cannot use "${bucket}/${key}": it names no object`,
    'write BUCKET/KEY, or give --recursive for all objects below a prefix; a file of this machine begins with ./',
  );
}

/** Returns the prefix of the keys in a folder. It is empty for the whole bucket, and `name/` for the folder `name`. */
export function folderPrefix(key: string): string {
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

/** Returns the bucket and the prefix of all objects below an argument. */
export function folderOf({ bucket, key }: Place): Place {
  return { bucket, key: folderPrefix(key) };
}

/**
 * Returns the destination of a copy. If it is a bucket or a folder such as `photos/2026/`, the name of the source is
 * appended.
 */
export function underOwnName({ bucket, key }: Place, name: string): Place {
  return key === '' || key.endsWith('/') ? { bucket, key: key + name } : { bucket, key };
}
