import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { numbered } from '../../../daemon/settings/names.ts';
import { bucketNameFor } from '../../../src/config/bucket-name.ts';
import { checkBucketName } from '../../../src/object-store/rules/naming.ts';

describe('the bucket name that is derived from a folder', () => {
  it.each([
    ['/home/ann/My Photos', 'my-photos'],
    ['/home/ann/Été 2026', 'ete-2026'],
    ['/srv/a', 'folder-a'],
    ['/', 'folder'],
    ['/home/ann/写真', 'folder'],
    [`/x/${'a'.repeat(80)}`, 'a'.repeat(63)],
    ['/x/..hidden..', 'hidden'],
  ])('the daemon derives the bucket name of the folder %s: %s', (folder, name) => {
    expect(bucketNameFor(folder)).toBe(name);
  });

  it('the daemon derives a valid bucket name from any folder, also with a number appended', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        for (const each of numbered(bucketNameFor(`/x/${name.replaceAll('/', '')}`), 12)) {
          checkBucketName(each);
        }
      }),
    );
  });
});
