/**
 * Tests of detecting whether a request uses x-amz- or x-svc- headers (its dialect), and of refusing
 * a header with both prefixes.
 */

import { describe, expect, test } from 'vitest';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { readDialect, unifyHeaderFamilies } from '../../../src/protocol/header-families.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const dialects = { svc: svcDialect('ACME'), amz: amzDialect };

describe('detection of the dialect of a request', () => {
  test.each<[string, [string, string][], [string, string][], 'amz' | 'svc']>([
    [
      'a signature of the svc dialect',
      [['authorization', 'ACME4-HMAC-SHA256 Credential=x']],
      [],
      'svc',
    ],
    [
      'a signature of the amz dialect',
      [['authorization', 'AWS4-HMAC-SHA256 Credential=x']],
      [],
      'amz',
    ],
    [
      'a signature that contradicts its headers',
      [
        ['x-svc-date', ''],
        ['authorization', 'AWS4-HMAC-SHA256 x'],
      ],
      [],
      'amz',
    ],
    ['a presigned query of the svc dialect', [], [['X-Svc-Algorithm', '']], 'svc'],
    ['a presigned query of the amz dialect', [['x-svc-acl', '']], [['X-Amz-Algorithm', '']], 'amz'],
    ['headers of the amz dialect only', [['x-amz-acl', '']], [], 'amz'],
    [
      'headers of both dialects',
      [
        ['x-amz-acl', ''],
        ['x-svc-date', ''],
      ],
      [],
      'svc',
    ],
    ['a request without any header of either dialect', [], [], 'svc'],
  ])('[svc-13] the gateway detects the dialect of a request from %s', (_, headers, query, name) => {
    expect(readDialect({ headers: new Headers(headers), query }, dialects).name).toBe(name);
  });
});

describe('headers with either vendor prefix', () => {
  test("the gateway renames headers with a vendor prefix to the prefix of the request's dialect", () => {
    const headers = new Headers([
      ['x-amz-date', '1'],
      ['x-svc-meta-a', '2'],
      ['host', 'h'],
    ]);
    expect(unifyHeaderFamilies(headers, amzDialect, dialects).list).toEqual([
      ['x-amz-date', '1'],
      ['x-amz-meta-a', '2'],
      ['host', 'h'],
    ]);
  });

  test('the gateway refuses a header that is sent with both vendor prefixes', () => {
    const headers = new Headers([
      ['x-svc-acl', 'private'],
      ['x-amz-acl', 'private'],
    ]);
    expect(() => unifyHeaderFamilies(headers, dialects.svc, dialects)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    );
  });
});
