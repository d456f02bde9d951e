/**
 * Lists the object keys and the object metadata that jobs write. They are taken from the requests
 * that a service received.
 */

import { attributesKey, encodeAttributes } from '../../../src/mirror/objects/object-metadata.ts';
import { byName, indented, memberNames } from './member-lines.ts';
import type { SampleHome, Sent } from './sample-home.ts';

const METADATA = /^x-(?:amz|svc)-meta-/;

export function objectLines({ sent, markers }: SampleHome): string[] {
  const byKey = new Map<string, Set<string>>();
  for (const request of sent.filter(isWrite)) {
    const key = generalKey(request.url);
    const names = byKey.get(key) ?? new Set();
    for (const [header, value] of request.headers)
      if (METADATA.test(header)) names.add(metadataName(header.replace(METADATA, ''), value));
    byKey.set(key, names);
  }
  return [
    ...groupLines(byKey),
    '',
    'metadata of a file that has all there is to store',
    ...indented(Object.keys(encodeAttributes(RARE))),
    '',
    `object ${attributesKey('<digest>')}: attributes too long for metadata`,
    ...Object.keys(encodeAttributes(LONG_ATTRIBUTES))
      .filter((name) => !(name in encodeAttributes(RARE)))
      .map((name) => `  ${name}`),
    '',
    'members of an ownership marker',
    ...indented(markers.flatMap((marker) => memberNames(JSON.parse(marker)))),
  ];
}

/**
 * Returns the name of a metadata header. If the value is a single word, such as a file type, it is
 * included.
 */
function metadataName(name: string, value: string): string {
  return /^[a-z]+$/.test(value) ? `${name}: ${value}` : name;
}

/** Groups object keys that have the same metadata names, because most objects have the same. */
function groupLines(byKey: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const keysOf = Map.groupBy(byKey, ([, names]) => indented(names).join('\n'));
  return byName(keysOf).flatMap(([names, objects]) => {
    const keys = objects.map(([key]) => `object ${key}`).toSorted();
    return [''].concat(keys, names === '' ? '  without metadata' : names);
  });
}

/** Returns true if the request puts or copies an object, or starts a multipart upload. */
function isWrite({ method, url }: Sent): boolean {
  const { pathname, searchParams } = new URL(url, 'http://service');
  if (pathname.split('/').length < 3) return false;
  return (method === 'PUT' && searchParams.size === 0) || searchParams.has('uploads');
}

/**
 * Removes the bucket from the path, and replaces random names, times and numbers with placeholders.
 */
function generalKey(url: string): string {
  const { pathname } = new URL(url, 'http://service');
  return decodeURIComponent(pathname)
    .replace(/^\/[^/]+\//, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
    .replaceAll(/\/[0-9a-f]{32}(?=\/)/g, '/<etag>')
    .replaceAll(/\/\d{8}(?=\/)/g, '/<day>')
    .replaceAll(/\/\d+/g, '/<number>');
}

const ENTRY = {
  path: 'file',
  kind: 'file',
  sizeBytes: 1,
  mtimeMs: 0,
  ctimeMs: 0,
  inode: 1,
  mode: 0o644,
  uid: 0,
  gid: 0,
  link: 1,
} as const;

const XATTRS = { text: '[]', digest: '<digest>' };

/**
 * Input for direct calls of the metadata encoder. A running job writes these metadata only on some file systems (sparse
 * files, extended attributes) or with some timing (unstable files).
 */
const RARE = {
  entry: ENTRY,
  mtimeNs: 0n,
  sha256: '',
  journalId: '',
  uploadedAt: 0,
  extras: { xattrs: XATTRS, isSparse: true, isInconsistent: true },
} as const;

const LONG_ATTRIBUTES = {
  ...RARE,
  extras: { ...RARE.extras, xattrs: { ...XATTRS, text: ' '.repeat(4096) } },
};
