/** Tests of mapping local paths to object keys, and file attributes to object metadata. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  decodeAttributes,
  encodeAttributes,
  keyOf,
  keyProblem,
  objectAttributes,
  pathOf,
} from '../../../src/mirror/objects/object-metadata.ts';
import { folderNeedsObject } from '../../../src/mirror/local/local-entry.ts';
import type { EntryKind, LocalEntry } from '../../../src/mirror/model/types.ts';

const kinds: readonly EntryKind[] = ['file', 'directory', 'symlink'];

function entry(members: Partial<LocalEntry> = {}): LocalEntry {
  const times = { mtimeMs: 1, ctimeMs: 1 };
  const numbers = { sizeBytes: 3, inode: 7, mode: 0o644, uid: 1000, gid: 100 };
  return { path: 'a/b.txt', kind: 'file', ...times, ...numbers, ...members };
}

test('a job reads file attributes back from object metadata unchanged', () => {
  fc.assert(
    fc.property(
      fc.record({
        kind: fc.constantFrom(...kinds),
        mode: fc.integer({ min: 0, max: 0o7777 }),
        uid: fc.nat(),
        gid: fc.nat(),
        mtimeNs: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 19n }),
        uploadedAt: fc.nat(4_102_444_800_000),
      }),
      fc.stringMatching(/^[0-9a-f]{64}$/),
      ({ kind, mode, uid, gid, mtimeNs, uploadedAt }, sha256) => {
        const own = { journalId: 'j', uploadedAt };
        const written = { entry: entry({ kind, mode, uid, gid }), mtimeNs, sha256, ...own };
        expect(decodeAttributes(encodeAttributes(written))).toEqual({
          kind,
          mode,
          uid,
          gid,
          mtimeNs,
          sha256,
          ...own,
        });
      },
    ),
  );
});

test('a job stores file attributes in object metadata as readable text', () => {
  const metadata = encodeAttributes({
    entry: entry(),
    mtimeNs: 1_700_000_000_000_000_123n,
    sha256: 'ab'.repeat(32),
    journalId: '01',
    uploadedAt: 1_763_832_553_007,
  });
  expect(metadata).toEqual({
    'holdfast-type': 'file',
    'holdfast-mode': '0644',
    'holdfast-mtime': '1700000000.000000123',
    'holdfast-uid': '1000',
    'holdfast-gid': '100',
    'holdfast-sha256': 'ab'.repeat(32),
    'holdfast-journal': '01',
    'holdfast-uploaded': '1763832553.007',
  });
});

test.each([
  ['no metadata', {}],
  ['metadata of other tools', { mtime: '1', mode: '33188' }],
  ['an invalid upload time', { 'holdfast-uploaded': '1763832553' }],
  [
    'malformed metadata',
    { 'holdfast-mode': '0999', 'holdfast-mtime': 'now', 'holdfast-uid': '-1' },
  ],
  ['an invalid type and digest', { 'holdfast-type': 'socket', 'holdfast-sha256': 'xyz' }],
])('a job treats an object with %s as an ordinary file without attributes', (_what, metadata) => {
  expect(decodeAttributes(metadata)).toEqual({ kind: 'file' });
});

test.each<[string, LocalEntry['kind'], string | undefined]>([
  ['a/photo.JPG', 'file', 'image/jpeg'],
  ['notes.txt', 'file', 'text/plain'],
  ['Makefile', 'file', undefined],
  ['src/main.ts', 'file', undefined],
  ['src/main.mts', 'file', undefined],
  ['src/main.rs', 'file', undefined],
  ['t/first.t', 'file', undefined],
  ['kernel.cu', 'file', undefined],
  ['configure.ac', 'file', undefined],
  ['graph.dot', 'file', undefined],
  ['link.png', 'symlink', undefined],
  ['folder.html', 'directory', undefined],
])('a job sets the Content-Type of %s, a %s, to %s', (path, kind, expected) => {
  const own = { journalId: 'j', uploadedAt: 1 };
  const attributes = { entry: entry({ path, kind }), mtimeNs: 0n, sha256: 'f', ...own };
  expect(objectAttributes(attributes).contentType).toBe(expected);
});

describe('mapping between paths and object keys', () => {
  test('a job appends a slash to the key of a folder and maps every key back to its path', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.stringMatching(/^[^/]{1,20}(\/[^/]{1,20}){0,3}$/),
        fc.constantFrom('', 'backup/', 'a/b/'),
        (kind, path, prefix) => {
          const key = keyOf({ kind, path }, prefix);
          expect(key.endsWith('/')).toBe(kind === 'directory');
          expect(pathOf(key, prefix)).toBe(path);
        },
      ),
    );
  });

  test("a job maps neither a key outside the job's prefix nor the prefix itself to a path", () => {
    expect([pathOf('other/a', 'job/'), pathOf('job/', 'job/')]).toEqual([undefined, undefined]);
  });

  test('a job reports key-too-long if the key, including the prefix, has more than 1024 UTF-8 bytes', () => {
    const path = 'é'.repeat(510);
    expect(keyProblem(entry({ path }), 'job/')).toBeUndefined();
    expect(keyProblem(entry({ path, kind: 'directory' }), 'job/')?.code).toBe('key-too-long');
  });
});

test.each([
  ['an empty folder', 0o755, 0, true],
  ['a folder with files', 0o755, 2, false],
  ['a folder of special mode', 0o700, 2, true],
])(
  'a job decides whether %s (mode %o, %i entries) needs an object in the bucket: %s',
  (_what, mode, count, needed) => {
    expect(folderNeedsObject(entry({ kind: 'directory', mode }), count)).toBe(needed);
  },
);
