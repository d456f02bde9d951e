/** Contract tests of object listings: order, prefixes and pages. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, listAll, put } from './subject.ts';
import type { Subject } from './subject.ts';

const TREE = ['a', 'a/1', 'a/2', 'a/b/3', 'a/b/4', 'a0', 'b', 'b/', 'b/1', 'c//x', 'c/1', 'd'];

/**
 * Keys in the order of their UTF-8 bytes. JavaScript strings sort in UTF-16 order, where some keys are
 * in another order.
 */
const UNICODE = [
  '\u0001',
  'A',
  'Z',
  'a',
  '\u007f',
  'ä',
  '\u0800',
  '\ud7ff',
  '\ue000',
  'Ａ',
  '\uffff',
  '😀',
  '\u{10ffff}',
];

export function testListings(subject: Subject): void {
  const filled = async (keys: readonly string[], bucket?: string) => {
    const filledBucket = bucket ?? (await subject.bucket());
    await Promise.all(keys.map((key) => put(subject.store, { bucket: filledBucket, key }, '')));
    return filledBucket;
  };

  describe('object listings', () => {
    test('a listing returns keys in the order of their UTF-8 bytes', async () => {
      const bucket = await filled([...UNICODE].reverse());
      expect((await listAll(subject.store, { bucket })).keys).toEqual(UNICODE);
      expect((await listAll(subject.store, { bucket, maxKeys: 1 })).keys).toEqual(UNICODE);
    });

    test('a listing returns owners only on request', async () => {
      const bucket = await filled(['a', 'b/1']);
      const owners = async (fetchOwner: boolean) => {
        const page = await subject.store.listObjects({ bucket, fetchOwner, delimiter: '/' });
        return page.objects.map(({ owner }) => owner);
      };
      expect(await owners(true)).toEqual([subject.opened.people.owner]);
      expect(await owners(false)).toEqual([undefined]);
    });

    test.each(UNICODE)(
      'a listing with the prefix %j returns only keys that begin with it',
      async (prefix) => {
        const keys = UNICODE.flatMap((each) => [each, `${each}/x`, `${each}😀`]);
        const bucket = await filled(keys);
        const listed = (await listAll(subject.store, { bucket, prefix })).keys;
        expect(new Set(listed)).toEqual(new Set(keys.filter((key) => key.startsWith(prefix))));
      },
    );

    test.each([
      ['Ａ', '😀', []],
      ['😀', 'Ａ', ['😀/x']],
      ['Ａ', 'Ａ', ['Ａ/x']],
      ['Ａ', 'Ａ/x', []],
    ])(
      'a listing with the prefix %s and the start key %s returns the keys %j',
      async (prefix, startAfter, keys) => {
        const bucket = await filled(['Ａ', 'Ａ/x', '😀/x']);
        const page = await subject.store.listObjects({ bucket, prefix, startAfter });
        expect(page.objects.map(({ key }) => key)).toEqual(keys);
      },
    );

    test.each<[string, string, string[], string[]]>([
      ['', '/', ['a', 'a0', 'b', 'd'], ['a/', 'b/', 'c/']],
      ['a', '/', ['a', 'a0'], ['a/']],
      ['a/', '/', ['a/1', 'a/2'], ['a/b/']],
      ['a/b', '/', [], ['a/b/']],
      ['b/', '/', ['b/', 'b/1'], []],
      ['c/', '/', ['c/1'], ['c//']],
      ['', 'b/', ['a', 'a/1', 'a/2', 'a0', 'b', 'c//x', 'c/1', 'd'], ['a/b/', 'b/']],
      ['none', '/', [], []],
      ['a/', '', ['a/1', 'a/2', 'a/b/3', 'a/b/4'], []],
    ])(
      'a listing with prefix %j and delimiter %j has the keys %j and the common prefixes %j',
      async (...row) => {
        const [prefix, delimiter, keys, prefixes] = row;
        const bucket = await filled(TREE);
        const request = { bucket, prefix, delimiter };
        expect(await listAll(subject.store, request)).toEqual({ keys, prefixes, pages: 1 });
      },
    );

    test.each([1, 2, 3, 4, 5, 6, 7])(
      'a listing in pages of %i returns each key and each common prefix exactly once',
      async (maxKeys) => {
        const bucket = await filled(TREE);
        const flat = await listAll(subject.store, { bucket, maxKeys });
        expect(flat).toEqual({ keys: TREE, prefixes: [], pages: Math.ceil(TREE.length / maxKeys) });
        const folded = await listAll(subject.store, { bucket, delimiter: '/', maxKeys });
        expect(folded).toEqual({
          keys: ['a', 'a0', 'b', 'd'],
          prefixes: ['a/', 'b/', 'c/'],
          pages: Math.ceil(7 / maxKeys),
        });
      },
    );

    test('a listing page that ends with a common prefix continues after all keys below the prefix', async () => {
      const bucket = await filled(TREE);
      const request = { bucket, delimiter: '/', maxKeys: 2 };
      const first = await subject.store.listObjects(request);
      expect(first.commonPrefixes).toEqual(['a/']);
      await filled(['a/9', 'a/b/9'], bucket);
      const continuationToken = String(first.nextToken);
      const second = await subject.store.listObjects({ ...request, continuationToken });
      expect(second.objects.map(({ key }) => key)).toEqual(['a0', 'b']);
      expect(second.commonPrefixes).toEqual([]);
    });

    test('a listing finds the next page even if the last key of the page was deleted in the meantime', async () => {
      const bucket = await filled(['a', 'b', 'c']);
      const first = await subject.store.listObjects({ bucket, maxKeys: 2 });
      await subject.store.deleteObject({ bucket, key: 'b' });
      const continuationToken = String(first.nextToken);
      const second = await subject.store.listObjects({ bucket, continuationToken });
      expect(second.objects.map(({ key }) => key)).toEqual(['c']);
    });

    test.each<[string, string | undefined, string[], string[]]>([
      ['a/2', undefined, ['a/b/3', 'a/b/4', 'a0', 'b', 'b/', 'b/1', 'c//x', 'c/1', 'd'], []],
      ['b/0', undefined, ['b/1', 'c//x', 'c/1', 'd'], []],
      ['zzz', undefined, [], []],
      ['a', '/', ['a0', 'b', 'd'], ['a/', 'b/', 'c/']],
      ['a/', '/', ['a0', 'b', 'd'], ['b/', 'c/']],
      ['a/1', '/', ['a0', 'b', 'd'], ['b/', 'c/']],
    ])(
      'a listing with start key %j and delimiter %j has the keys %j and the common prefixes %j',
      async (...row) => {
        const [startAfter, delimiter, keys, prefixes] = row;
        const bucket = await filled(TREE);
        const request = { bucket, startAfter, ...(delimiter && { delimiter }) };
        expect(await listAll(subject.store, request)).toEqual({ keys, prefixes, pages: 1 });
      },
    );

    test('a listing with a continuation token and a start key ignores the start key', async () => {
      const bucket = await filled(['a', 'b', 'c', 'd']);
      const { nextToken } = await subject.store.listObjects({ bucket, maxKeys: 2 });
      const request = { bucket, startAfter: 'c', continuationToken: String(nextToken) };
      const page = await subject.store.listObjects(request);
      expect(page.objects.map(({ key }) => key)).toEqual(['c', 'd']);
    });

    test('a listing with a page size of 0 is empty and has no next page', async () => {
      const bucket = await filled(['a']);
      const page = await subject.store.listObjects({ bucket, maxKeys: 0 });
      expect(page).toEqual({ objects: [], commonPrefixes: [] });
    });

    test('a listing with a page size equal to the number of keys has no next page', async () => {
      const bucket = await filled(['a', 'b']);
      expect(await subject.store.listObjects({ bucket, maxKeys: 2 })).not.toHaveProperty(
        'nextToken',
      );
    });

    test('a listing returns at most 1,000 keys per page, which is also the default', async () => {
      const keys = Array.from({ length: 1002 }, (_, n) => `k${String(n).padStart(4, '0')}`);
      const bucket = await filled(keys);
      for (const request of [{ bucket }, { bucket, maxKeys: 1000 }, { bucket, maxKeys: 5000 }]) {
        const page = await subject.store.listObjects(request);
        expect(page.objects.map(({ key }) => key)).toEqual(keys.slice(0, 1000));
        expect(await listAll(subject.store, request)).toEqual({ keys, prefixes: [], pages: 2 });
      }
    });

    test('a listing with a negative page size fails with InvalidArgument', async () => {
      const bucket = await subject.bucket();
      await expectRefusal(subject.store.listObjects({ bucket, maxKeys: -1 }), 'InvalidArgument');
    });

    test.each(['forged', 'a/1', 'AAAA'])(
      'a listing with the forged continuation token %s fails with InvalidArgument',
      async (token) => {
        const bucket = await filled(['a', 'b']);
        const attempt = subject.store.listObjects({ bucket, continuationToken: token });
        await expectRefusal(attempt, 'InvalidArgument');
      },
    );

    test('a listing returns only current versions, and no delete markers', async () => {
      const bucket = await filled(['a', 'b', 'c/1', 'd/1'], await subject.bucket('Enabled'));
      await filled(['a', 'b'], bucket);
      for (const key of ['b', 'd/1']) await subject.store.deleteObject({ bucket, key });
      const request = { bucket, delimiter: '/' };
      expect(await listAll(subject.store, request)).toEqual({
        keys: ['a'],
        prefixes: ['c/'],
        pages: 1,
      });
      const paged = await listAll(subject.store, { ...request, maxKeys: 1 });
      expect(paged).toEqual({ keys: ['a'], prefixes: ['c/'], pages: 2 });
    });
  });
}
