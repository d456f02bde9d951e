/** The target and bucket of a request, as request parameters and as text. */

import { defined } from '../../src/base/defined.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';

export interface BucketPlace {
  /** The target's name. `local` is the embedded store. */
  readonly target: string;
  readonly bucket: string;
}

/** An object or one of its versions. */
export interface ObjectPlace extends BucketPlace {
  readonly key: string;
  readonly versionId?: string | undefined;
}

/** Returns the request parameters for a bucket or object. They omit the target if it is the embedded store. */
export function asked<P extends BucketPlace>({ target, ...place }: P) {
  return defined({ ...place, target: target === LOCAL_TARGET ? undefined : target });
}

/** Returns `photos` for a local bucket, and `eu:photos` for a bucket on the target `eu`. */
export function bucketText({ target, bucket }: BucketPlace): string {
  return target === LOCAL_TARGET ? bucket : `${target}:${bucket}`;
}

export function isLocal({ target }: BucketPlace): boolean {
  return target === LOCAL_TARGET;
}

/** Parses `photos/2026/` or `eu:photos` into the bucket and the text after its name. */
export function parsePlace(typed: string): { readonly place: BucketPlace; readonly rest: string } {
  const slash = typed.indexOf('/');
  const name = slash < 0 ? typed : typed.slice(0, slash);
  const colon = name.indexOf(':');
  const target = colon < 0 ? LOCAL_TARGET : name.slice(0, colon) || LOCAL_TARGET;
  const place = { target, bucket: name.slice(colon + 1) };
  return { place, rest: slash < 0 ? '' : typed.slice(slash + 1) };
}

/**
 * Returns the parent of a key, prefix or path, such as `2026/07/` for `2026/07/thumbs/`. Returns an empty string at the
 * root.
 */
export function parentOf(path: string): string {
  const below = path.replace(/\/$/, '');
  return below.slice(0, below.lastIndexOf('/') + 1);
}
