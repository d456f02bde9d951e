/** Names made for people: of a bucket from its folder, of a job, and the next one when a name is taken. */

import { basename } from 'node:path';

const MIN_BUCKET_LENGTH = 3;
const MAX_BUCKET_LENGTH = 63;

/**
 * A valid bucket name (specification, "Bucket") that a person recognises the folder by: `My Photos` becomes
 * `my-photos`, `Été` becomes `ete`. A name with nothing to keep becomes `folder`.
 */
export function bucketNameFor(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_BUCKET_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  if (name === '') return 'folder';
  return name.length < MIN_BUCKET_LENGTH ? `folder-${name}` : name;
}

/** `photos`, `photos-2`, `photos-3`, … within the length of a bucket's name. */
export function* numbered(name: string, limit: number): Generator<string> {
  yield name;
  for (let count = 2; count <= limit; count += 1) {
    const suffix = `-${count}`;
    yield name.slice(0, MAX_BUCKET_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
  }
}
