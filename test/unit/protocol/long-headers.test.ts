/**
 * Tests that the time to parse a header grows linearly with its spaces. With quadratic time, each
 * header here would take minutes, and a 16 KiB header from a client that is not authenticated yet
 * would take one second.
 */

import { expect, test } from 'vitest';

import { amzDialect } from '../../../src/protocol/dialect.ts';
import { decodeRequest } from '../../../src/protocol/operations.ts';
import { claimedHeaders } from '../../../src/protocol/signing/canonical-request.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const BLANKS = ' '.repeat(200_000);

function signedValue(value: string): string | undefined {
  const { lines } = claimedHeaders(new Headers([['x-amz-meta-a', value]]), ['x-amz-meta-a']);
  return /^x-amz-meta-a:(.*)$/m.exec(lines)?.[1];
}

function grantsOf(value: string): unknown {
  const headers = new Headers([['x-amz-grant-read', value]]);
  const target = { bucket: 'bucket', key: 'key' };
  return decodeRequest('PutObject', { target, query: [], headers }, amzDialect).acl;
}

test.each([
  ['between two words', `a${BLANKS}b`, 'a b'],
  ['before and after its value', `${BLANKS}a\t${BLANKS}`, 'a'],
  [
    'in the form of tabs between two words',
    `a${BLANKS.replaceAll(' ', '\t')}b`,
    `a${BLANKS.replaceAll(' ', '\t')}b`,
  ],
  ['as its whole value', BLANKS, ''],
])(
  'the gateway computes the canonical form of a signed header with many spaces %s',
  (_, value, signed) => {
    expect(signedValue(value)).toBe(signed);
  },
);

test.each([
  ['within a name', `id=a${BLANKS}b`, [`a${BLANKS}b`]],
  ['after a name', `id=a${BLANKS}, id=b`, ['a', 'b']],
  ['after a quoted name', `id="a"${BLANKS},${BLANKS}id${BLANKS}=${BLANKS}b`, ['a', 'b']],
])('the gateway parses a grant with many spaces %s', (_, value, grantees) => {
  const grants = grantees.map((grantee) => ({ grantee, permission: 'READ' }));
  expect(grantsOf(value)).toEqual({ grants });
});

test.each([`id=a${BLANKS}"`, `id="a"${BLANKS}b`, BLANKS, `id${BLANKS}`])(
  'the gateway refuses a malformed grant with many spaces',
  (value) => {
    expect(() => grantsOf(value)).toThrow(/a grantee must be/);
  },
);

test('the gateway accepts a grantee without quotes that ends in a letter whose last UTF-8 byte is 0xA0', () => {
  const name = 'project:und\u00e0';
  const bytes = Buffer.from(name).toString('latin1');
  expect(grantsOf(`id=${bytes}`)).toEqual({ grants: [{ grantee: name, permission: 'READ' }] });
});
