/** Tests that request paths and queries are decoded exactly once and never normalized. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPath, formatQuery, parsePath, parseQuery } from '../../../src/protocol/paths.ts';

describe('request paths', () => {
  test.each([
    ['/', {}],
    ['/b', { bucket: 'b' }],
    ['/b/', { bucket: 'b' }],
    ['/b/k', { bucket: 'b', key: 'k' }],
    ['/b//k', { bucket: 'b', key: '/k' }],
    ['/b/a//b/', { bucket: 'b', key: 'a//b/' }],
    ['/b/../c', { bucket: 'b', key: '../c' }],
    ['/b/%2e%2e/c', { bucket: 'b', key: '../c' }],
    ['/b/a%2Fb', { bucket: 'b', key: 'a/b' }],
    ['/b/a+b', { bucket: 'b', key: 'a+b' }],
    ['/b/a%2520b', { bucket: 'b', key: 'a%20b' }],
    ['/b/a%5Cb%3F%0A', { bucket: 'b', key: 'a\\b?\n' }],
    ['/b/%F0%9F%98%80', { bucket: 'b', key: '😀' }],
  ])('the codec parses the path %s as %o', (path, target) => {
    expect(parsePath(path)).toEqual(target);
  });

  test.each(['/b/%00', '/b/%', '/b/%zz', '/b/%ff', '/b/%ed%a0%80', '*', '', 'http://host/b'])(
    'the codec refuses the path %j with InvalidURI',
    (path) => {
      expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: 'InvalidURI' }));
    },
  );

  test.each(['//', '//k'])('the codec refuses the path %j because it has no bucket', (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: 'InvalidBucketName' }));
  });

  test('[svc-6] the codec reads any key back unchanged from a request path', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(key, (each) => {
        const path = formatPath({ bucket: 'b', key: each });
        expect(path).toMatch(/^[A-Za-z0-9\-._~%/]+$/);
        expect(parsePath(path)).toEqual({ bucket: 'b', key: each });
      }),
    );
  });
});

describe('request queries', () => {
  test.each([
    ['', []],
    ['acl', [['acl', '']]],
    ['acl=', [['acl', '']]],
    ['tagging=null', [['tagging', 'null']]],
    [
      'a=1&a=2&&b=c=d',
      [
        ['a', '1'],
        ['a', '2'],
        ['b', 'c=d'],
      ],
    ],
    ['prefix=a+b%20c%2Bd', [['prefix', 'a+b c+d']]],
  ])('the codec parses the query %j as %o', (query, pairs) => {
    expect(parseQuery(query)).toEqual(pairs);
  });

  test('the codec reads any name-value pairs back unchanged from a query', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
    const pairs = fc.array(
      fc.tuple(
        text.filter((each) => each !== ''),
        text,
      ),
    );
    fc.assert(
      fc.property(pairs, (each) => {
        expect(parseQuery(formatQuery(each))).toEqual(each);
      }),
    );
  });
});
