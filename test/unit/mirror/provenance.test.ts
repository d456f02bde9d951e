/**
 * Tests of the signed metadata by which a job recognizes its own uploads, and of the key file for
 * the signatures.
 */

import { createSecretKey } from 'node:crypto';
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

/**
 * Returns an object with a valid proof (a MAC in its metadata), as a service stores it. `changes`
 * apply before the proof is computed.
 */
function uploaded(changes: Partial<Stored> & { readonly md5?: string } = {}): Stored {
  const { md5, ...others } = changes;
  const object = { key: 'a/f', sizeBytes: 7, metadata: METADATA, ...others };
  const { metadata = {} } = testProvenance().prove(object, { ...object, md5 });
  return { etag: ETAG, lastModifiedAt: 5, ...object, metadata };
}

const names = Object.keys(METADATA) as readonly (keyof typeof METADATA)[];

describe('the proof in object metadata that a job uploaded the object', () => {
  test('property: a job verifies the proof of an upload even if other tools added metadata', () => {
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
    ['a different key', { key: 'a/g' }],
    ['a different size', { sizeBytes: 8 }],
  ])('a job does not verify the proof of an object with %s', (_what, change) => {
    expect(testProvenance().isOwn({ ...uploaded(), ...change })).toBe(false);
  });

  test.each(names)(
    'a job does not verify the proof of an object if the metadata entry %s was changed or removed',
    (name) => {
      const { metadata, ...stored } = uploaded();
      const other = { ...metadata, [name]: '1' };
      const { [name]: _, ...without } = metadata;
      for (const changed of [other, without])
        expect(testProvenance().isOwn({ ...stored, metadata: changed })).toBe(false);
    },
  );

  test('a job does not verify the proof of an object with the key of another job', () => {
    const other = testProvenance({ secret: createSecretKey(Buffer.alloc(32, 'other')) });
    expect(other.isOwn(uploaded())).toBe(false);
  });

  test('a job does not verify a malformed proof', () => {
    const { metadata, ...stored } = uploaded();
    for (const proof of ['', 'x', 'é'])
      expect(
        testProvenance().isOwn({ ...stored, metadata: { ...metadata, 'holdfast-proof': proof } }),
      ).toBe(false);
  });

  test('a job computes different proofs for metadata that differs only in the split between names and values', () => {
    const one = uploaded({ metadata: { 'holdfast-a': 'b', 'holdfast-bc': '' } });
    const other = uploaded({ metadata: { 'holdfast-a': '', 'holdfast-b': 'bc' } });
    expect(one.metadata['holdfast-proof']).not.toBe(other.metadata['holdfast-proof']);
  });
});

describe('an object that was uploaded without a proof', () => {
  const unproved = { ...uploaded(), metadata: METADATA, lastModifiedAt: 10 };

  test("a job recognizes an upload without a proof as the job's own if its metadata has an upload id and the upload is older than the job's key", () => {
    expect(testProvenance({ since: 11 }).isOwn(unproved)).toBe(true);
  });

  test("a job does not recognize an upload without a proof as the job's own if the upload is newer than the job's key", () => {
    expect(testProvenance({ since: 10 }).isOwn(unproved)).toBe(false);
  });

  test("a job does not recognize an upload without a proof and without an upload id as the job's own", () => {
    expect(testProvenance({ since: 11 }).isOwn({ ...unproved, metadata: {} })).toBe(false);
  });
});

describe('metadata that was copied to other content of the same size', () => {
  const copied = { ...uploaded({ md5: ETAG }), etag: 'f'.repeat(32) };

  test('a job detects metadata that was copied to other content if the service computes ETags from the content', () => {
    const provenance = testProvenance();
    provenance.learn(uploaded({ md5: ETAG }), { etag: ETAG });
    expect([provenance.isOwn(copied), provenance.isOtherContent(copied)]).toEqual([false, true]);
    expect(provenance.isOwn(uploaded({ md5: ETAG }))).toBe(true);
  });

  test("a job cannot detect metadata that was copied to other content if the service's ETags do not depend on the content", () => {
    const provenance = testProvenance();
    provenance.learn(uploaded({ md5: ETAG }), { etag: 'random' });
    expect([provenance.isOwn(copied), provenance.isOtherContent(copied)]).toEqual([true, false]);
  });
});

test('a job computes the MD5 that S3 services return as the ETag, for content of at most 256 KiB', () => {
  expect(MD5).toBe(ETAG);
  expect(md5Of(memoryContent(Buffer.alloc(256 * 1024 + 1), ''))).toBeUndefined();
});

describe('the key file for upload proofs', () => {
  test('a job creates the key file for upload proofs with mode 0600 and reads the same key from the file later', () => {
    const folder = temporaryFolder();
    const key = provenanceKey(folder, 5);
    expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600);
    const again = provenanceKey(folder, 9);
    expect([again.since, again.secret.equals(key.secret)]).toEqual([5, true]);
    expect([key.since, key.secret.symmetricKeySize]).toEqual([5, 32]);
    expect(provenanceKey(temporaryFolder(), 5).secret.equals(key.secret)).toBe(false);
  });

  test.each(['', 'null', '{}', '{"key":"AA","since":5}'])(
    'a job refuses a key file for upload proofs that contains %o',
    (text) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, KEY_FILE), text);
      expect(() => provenanceKey(folder, 5)).toThrow(/does not contain a valid key of this job/);
    },
  );
});

test('a job leaves enough of the 2 KB of object metadata for all other entries if the extended attributes have their maximum size', () => {
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
