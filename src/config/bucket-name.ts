/**
 * Checks bucket names, and derives a bucket name from a folder. A test compares these rules with the store's rules,
 * because this module must not import the store.
 */

import { basename } from 'node:path';

import { RESERVED_TARGETS } from './schema-words.ts';

const MIN_BUCKET_LENGTH = 3;
const MAX_BUCKET_LENGTH = 63;

const BUCKET_NAME = /^[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*$/;
const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

export function isBucketName(name: string): boolean {
  const fits = name.length >= MIN_BUCKET_LENGTH && name.length <= MAX_BUCKET_LENGTH;
  return fits && BUCKET_NAME.test(name) && !IP_ADDRESS.test(name);
}

/** Derives a valid target name from a host name. */
export function targetNameFor(host: string): string {
  const name = bucketNameFor(host);
  return RESERVED_TARGETS.has(name) ? `${name}-target` : name;
}

/**
 * Derives a valid bucket name (specification, "Bucket") from the folder's name. `My Photos` becomes `my-photos`,
 * and `Été` becomes `ete`. A name without usable characters becomes `folder`.
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
