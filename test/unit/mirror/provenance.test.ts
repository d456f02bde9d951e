import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { memoryContent } from '../../../src/mirror/local/file-content.ts';
import { encodeAttributes, fitsMetadata } from '../../../src/mirror/objects/object-metadata.ts';
import { writeXattrText } from '../../../src/mirror/local/xattrs.ts';
import { KEY_FILE, provenanceKey } from '../../../src/mirror/objects/provenance-key.ts';
import { md5Of, type Stored } from '../../../src/mirror/objects/provenance.ts';
import { testProvenance } from '../../helpers/provenance.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const CONTENT = memoryContent(Buffer.from('content'), 'c'.repeat(64));
const MD5 = md5Of(CONTENT);
const ETAG = '9a0364b9e99bb480dd25e1f0284c8555';

const METADATA = {
  'holdfast-type': 'file',
  'holdfast-mode': '0644',
  'holdfast-uid': '1000',
  'holdfast-gid': '100',
  'holdfast-sha256': 'ab'.repeat(32),
  'holdfast-journal': 'id',
  'holdfast-uploaded': '1763832553.007',
};

/** As it is stored where the service changes nothing. */
function uploaded(changes: Partial<Stored> & { readonly md5?: string } = {}): Stored {
  const { md5, ...others } = changes;
  const object = { key: 'a/f', sizeBytes: 7, metadata: METADATA, ...others };
  const { metadata = {} } = testProvenance().prove(object, { ...object, md5 });
  return { etag: ETAG, lastModifiedAt: 5, ...object, metadata };
}

const names = Object.keys(METADATA) as readonly (keyof typeof METADATA)[];

describe('a proof', () => {
  test('verifies for what was uploaded, also with metadata that other tools added', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat(),
        fc.dictionary(fc.stringMatching(/^holdfast-[a-z]{1,8}$/), fc.string({ unit: 'binary' })),
        (key, sizeBytes, more) => {
          const metadata = { 'holdfast-journal': 'id', ...more };
          const {
            'holdfast-proof': _,
            'holdfast-md5': __,
            ...given
          } = metadata as typeof METADATA & Record<string, string>;
          const stored = uploaded({ key, sizeBytes, metadata: given });
          const others = { ...stored.metadata, other: 'x' };
          expect(testProvenance().isOwn({ ...stored, metadata: others })).toBe(true);
        },
      ),
    );
  });

  test.each<[string, Partial<Stored>]>([
    ['under another key', { key: 'a/g' }],
    ['of another size', { sizeBytes: 8 }],
  ])('does not verify for an object %s', (_what, change) => {
    expect(testProvenance().isOwn({ ...uploaded(), ...change })).toBe(false);
  });

  test.each(names)('does not verify where %s is another one, or missing', (name) => {
    const { metadata, ...stored } = uploaded();
    const other = { ...metadata, [name]: '1' };
    const { [name]: _, ...without } = metadata;
    for (const changed of [other, without])
      expect(testProvenance().isOwn({ ...stored, metadata: changed })).toBe(false);
  });

  test('does not verify by the key of another job', () => {
    const other = testProvenance({ secret: Buffer.alloc(32, 'other') });
    expect(other.isOwn(uploaded())).toBe(false);
  });

  test('does not verify where it is malformed', () => {
    const { metadata, ...stored } = uploaded();
    for (const proof of ['', 'x', 'é'])
      expect(
        testProvenance().isOwn({ ...stored, metadata: { ...metadata, 'holdfast-proof': proof } }),
      ).toBe(false);
  });

  test('of two objects is not the same where a name ends in what the other begins with', () => {
    const one = uploaded({ metadata: { 'holdfast-a': 'b', 'holdfast-bc': '' } });
    const other = uploaded({ metadata: { 'holdfast-a': '', 'holdfast-b': 'bc' } });
    expect(one.metadata['holdfast-proof']).not.toBe(other.metadata['holdfast-proof']);
  });
});

describe('an upload without a proof', () => {
  const unproved = { ...uploaded(), metadata: METADATA, lastModifiedAt: 10 };

  test('is the job’s where it is older than the job’s key and has an id', () => {
    expect(testProvenance({ since: 11 }).isOwn(unproved)).toBe(true);
  });

  test('is another tool’s where it is newer than the key: the proof was removed', () => {
    expect(testProvenance({ since: 10 }).isOwn(unproved)).toBe(false);
  });

  test('is another tool’s where it has no id', () => {
    expect(testProvenance({ since: 11 }).isOwn({ ...unproved, metadata: {} })).toBe(false);
  });
});

describe('metadata that were copied onto other bytes of the same size', () => {
  const copied = { ...uploaded({ md5: ETAG }), etag: 'f'.repeat(32) };

  test('are not recognised where the service is known to make ETags of the content', () => {
    const provenance = testProvenance();
    provenance.learn(uploaded({ md5: ETAG }), { etag: ETAG });
    expect([provenance.isOwn(copied), provenance.isOtherContent(copied)]).toEqual([false, true]);
    expect(provenance.isOwn(uploaded({ md5: ETAG }))).toBe(true);
  });

  test('cannot be told where the service makes other ETags', () => {
    const provenance = testProvenance();
    provenance.learn(uploaded({ md5: ETAG }), { etag: 'random' });
    expect([provenance.isOwn(copied), provenance.isOtherContent(copied)]).toEqual([true, false]);
  });
});

test('the digest of content is what services of the protocol have for an ETag', () => {
  expect(MD5).toBe(ETAG);
  expect(md5Of(memoryContent(Buffer.alloc(256 * 1024 + 1), ''))).toBeUndefined();
});

describe('the key file', () => {
  test('is for its owner alone, and holds the same key when it is opened again', () => {
    const folder = temporaryFolder();
    const key = provenanceKey(folder, 5);
    expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(provenanceKey(folder, 9)).toEqual(key);
    expect([key.since, key.secret.length]).toEqual([5, 32]);
    expect(provenanceKey(temporaryFolder(), 5).secret).not.toEqual(key.secret);
  });

  test.each(['', 'null', '{}', '{"key":"AA","since":5}'])('that holds %o is refused', (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, KEY_FILE), text);
    expect(() => provenanceKey(folder, 5)).toThrow(/does not hold the key of this job/);
  });
});

test('the largest attributes that go into the metadata leave room for all else in its 2 KB', () => {
  const stats = { sizeBytes: 3, mtimeMs: 1, ctimeMs: 1, inode: 7, mode: 0o7777 };
  const largest = { uid: 2 ** 32 - 1, gid: 2 ** 32 - 1, link: Number.MAX_SAFE_INTEGER };
  const entry = { path: 'f', kind: 'directory' as const, ...stats, ...largest };
  const isLarge = (bytes: number) => writeXattrText(new Map([['user.x', Buffer.alloc(bytes)]]));
  let xattrs = isLarge(1);
  for (let bytes = 2; ; bytes++) {
    const next = isLarge(bytes);
    if (!next || !fitsMetadata(next)) break;
    xattrs = next;
  }
  const extras = { ...(xattrs && { xattrs }), isSparse: true, isInconsistent: true } as const;
  const id = '0'.repeat(36);
  const own = { journalId: id, uploadedAt: 999_999_999_999_999, sha256: 'a'.repeat(64) };
  const encoded = encodeAttributes({ entry, mtimeNs: -(10n ** 20n), extras, ...own });
  const { metadata } = uploaded({ metadata: encoded, md5: ETAG });
  const bytes = Object.entries(metadata).flat().join('').length;
  expect(bytes).toBeLessThanOrEqual(2048);
});
