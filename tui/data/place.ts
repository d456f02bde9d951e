/** Which bucket, of which store: how it is asked for, and how it is written. */

import { defined } from '../../src/base/defined.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';

export interface BucketPlace {
  /** `local`: the embedded store. */
  readonly target: string;
  readonly bucket: string;
}

/** One object, or one of its versions. */
export interface ObjectPlace extends BucketPlace {
  readonly key: string;
  readonly versionId?: string | undefined;
}

/** What methods take: the embedded store is not named. */
export function asked<P extends BucketPlace>({ target, ...place }: P) {
  return defined({ ...place, target: target === LOCAL_TARGET ? undefined : target });
}

/** `photos`, or `eu:photos` of a target. */
export function bucketText({ target, bucket }: BucketPlace): string {
  return target === LOCAL_TARGET ? bucket : `${target}:${bucket}`;
}

export function isLocal({ target }: BucketPlace): boolean {
  return target === LOCAL_TARGET;
}

/** `photos/2026/`, `eu:photos`: a bucket and what follows its name. */
export function parsePlace(typed: string): { readonly place: BucketPlace; readonly rest: string } {
  const slash = typed.indexOf('/');
  const name = slash < 0 ? typed : typed.slice(0, slash);
  const colon = name.indexOf(':');
  const target = colon < 0 ? LOCAL_TARGET : name.slice(0, colon) || LOCAL_TARGET;
  const place = { target, bucket: name.slice(colon + 1) };
  return { place, rest: slash < 0 ? '' : typed.slice(slash + 1) };
}

/** The folder of a key, prefix or path: `2026/07/` of `2026/07/thumbs/`; empty at the root of a bucket or of a job. */
export function parentOf(path: string): string {
  const below = path.replace(/\/$/, '');
  return below.slice(0, below.lastIndexOf('/') + 1);
}
