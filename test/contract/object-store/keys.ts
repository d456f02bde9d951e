/**
 * Contract tests of object keys. A key is any text of 1 to 1,024 bytes in UTF-8, and the store never
 * interprets it.
 */

import { describe, expect, test } from 'vitest';

import { expectNoTrace, expectRefusal, listAll, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';

/** Keys that have a special meaning in a path, a URL, a header, an XML document or a shell. */
const ODD_KEYS = [
  'a//b',
  '/lead',
  '//',
  './c',
  '.',
  '..',
  '../x',
  'a/../b',
  'a/./b',
  'folder/',
  ' ',
  ' a ',
  'null',
  'a\nb',
  'a\tb',
  'a\r\nb',
  '\u0001',
  '\u007f',
  '%',
  '%41',
  '%2F',
  '%2e%2e/',
  '+',
  'a+b c',
  '?',
  'a?b=c',
  '#',
  '&',
  '<k>&amp;"\'',
  ';',
  '=',
  '~',
  '*',
  '(")!',
  '@:$,',
  'a\\b',
  '|^{}[]`',
  'ä',
  'a\u0308',
  'é/ß',
  '日本語',
  'Ａ',
  '😀',
  '👨‍👩‍👧',
  '\uffff',
  '\u{10ffff}',
  'acl',
  'x?acl',
  'uploads',
];

export function testKeys(subject: Subject): void {
  describe('object keys', () => {
    test('the store puts, lists, reads and deletes unusual keys literally', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      await Promise.all(ODD_KEYS.map((key) => put(store, { bucket, key }, `of ${key}`)));
      expect(new Set((await listAll(store, { bucket })).keys)).toEqual(new Set(ODD_KEYS));
      const texts = await Promise.all(ODD_KEYS.map((key) => readText(store, { bucket, key })));
      expect(texts).toEqual(ODD_KEYS.map((key) => `of ${key}`));
      await Promise.all(ODD_KEYS.map((key) => store.deleteObject({ bucket, key })));
      expect((await listAll(store, { bucket })).keys).toEqual([]);
    });

    test.each(['a'.repeat(1024), 'ä'.repeat(512), `${'%'.repeat(1023)}/`])(
      'the store accepts a key of 1,024 bytes: case %#',
      async (key) => {
        const bucket = await subject.bucket();
        await put(subject.store, { bucket, key }, 'text');
        expect((await listAll(subject.store, { bucket })).keys).toEqual([key]);
        expect(await readText(subject.store, { bucket, key })).toBe('text');
      },
    );

    test.each(['a'.repeat(1025), 'ä'.repeat(513)])(
      'the store rejects a key of more than 1,024 bytes: case %#',
      async (key) => {
        const bucket = await subject.bucket();
        await expectRefusal(put(subject.store, { bucket, key }, 'text'), 'KeyTooLongError');
        await expectNoTrace(subject.store, bucket);
      },
    );
  });
}
