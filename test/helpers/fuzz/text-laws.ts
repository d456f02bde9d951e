/**
 * Fuzz tests of the parsers for short texts: paths, queries, dates, numbers, ranges, header values
 * and ids.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { addressOf } from '../../../src/gateway/addressing.ts';
import { sequenceOf } from '../../../src/engine/schema/sequence-id.ts';
import { resolveRange } from '../../../src/object-store/rules/ranges.ts';
import {
  afterPrefix,
  commonPrefix,
  compareUtf8,
  decodeListToken,
  encodeListToken,
} from '../../../src/object-store/rules/listing.ts';
import { checkBucketName } from '../../../src/object-store/rules/naming.ts';
import {
  byteRange,
  etag,
  etagList,
  expectedEtag,
  flag,
  integer,
} from '../../../src/protocol/codecs.ts';
import {
  formatHttpDate,
  formatIsoDate,
  parseHttpDate,
  parseIsoDate,
} from '../../../src/protocol/dates.ts';
import { decodeAttribute, encodeAttribute } from '../../../src/protocol/header-text.ts';
import { formatPath, formatQuery, parsePath, parseQuery } from '../../../src/protocol/paths.ts';
import { formatTimestamp, parseTimestamp } from '../../../src/protocol/signing/timestamp.ts';
import { unlessRefused, type Law } from './law.ts';
import { mutated } from './mutated.ts';

const instant = fc.integer({ min: 0, max: 4_102_444_800 }).map((seconds) => seconds * 1000);
const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
/**
 * Converts a text to a string in which each character stands for one byte. Node returns headers and
 * URLs in this form.
 */
const asReceived = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const PATH_TOKENS = [
  '%2e%2e',
  '%2F',
  '%00',
  '%ff',
  '%C3',
  '%25',
  '%zz',
  '//',
  '/./',
  '?',
  '#',
  '+',
];
const DATE_TOKENS = [
  'Feb',
  '30',
  '24:00',
  '60',
  'GMT',
  'Z',
  '+14:00',
  '-99:99',
  'T',
  '.999999999',
  ',',
];

/**
 * Returns a test that parses a text, formats the value and parses it again. Both parsed values must
 * be equal.
 */
function readsBack<T>(parse: (text: string) => T, format: (value: T) => string) {
  return (text: string) => {
    const value = unlessRefused(() => parse(text));
    if (value !== undefined) assert.deepEqual(parse(format(value)), value);
  };
}

/**
 * Returns the same test as `readsBack` for a parser that returns undefined if a text is invalid.
 */
function readsBackOrNot<T>(parse: (text: string) => T | undefined, format: (value: T) => string) {
  return (text: string) => {
    const value = parse(text);
    if (value !== undefined) assert.deepEqual(parse(format(value)), value);
  };
}

const law = (
  claim: string,
  runs: number,
  texts: fc.Arbitrary<string>,
  check: (text: string) => void,
) => ({ claim, runs, property: fc.property(texts, check) }) as Law;

const paths = fc
  .record({ bucket: fc.constant('box'), key })
  .map((target) => unlessRefused(() => formatPath(target)) ?? '/box/k');
const queries = fc
  .array(fc.tuple(fc.constantFrom('prefix', 'marker', 'acl', 'versionId'), key), { maxLength: 4 })
  .map((pairs) => unlessRefused(() => formatQuery(pairs)) ?? 'a=b');

export const TEXT_LAWS: readonly Law[] = [
  law(
    'the path parser refuses a path, or formatting and parsing it again gives the same result',
    1_000,
    mutated(paths, PATH_TOKENS).map(asReceived),
    (text) => {
      readsBack(parsePath, formatPath)(text);
      assert(!unlessRefused(() => parsePath(text))?.key?.includes('\0'));
    },
  ),
  law(
    'the query parser refuses a query, or formatting and parsing it again gives the same result',
    1_000,
    mutated(queries, [...PATH_TOKENS, '&', '&&', '=', '==']).map(asReceived),
    readsBack(
      (text) => parseQuery(text).filter(([name, value]) => name !== '' || value !== ''),
      formatQuery,
    ),
  ),
  law(
    'the parser of HTTP dates returns a whole number or undefined',
    1_000,
    mutated(instant.map(formatHttpDate), DATE_TOKENS),
    (text) => {
      assert(Number.isSafeInteger(parseHttpDate(text) ?? 0));
    },
  ),
  law(
    'the parser of ISO 8601 dates returns a whole number or undefined',
    1_000,
    mutated(instant.map(formatIsoDate), DATE_TOKENS),
    (text) => {
      assert(Number.isSafeInteger(parseIsoDate(text) ?? 0));
    },
  ),
  law(
    'formatting a parsed timestamp returns the same text, or the text is not a timestamp',
    1_000,
    mutated(instant.map(formatTimestamp), DATE_TOKENS),
    (text) => {
      const at = parseTimestamp(text);
      if (at !== undefined) assert.equal(formatTimestamp(at), text);
    },
  ),
  law(
    'a byte range is inside the object, or the parser refuses it',
    1_000,
    mutated(
      fc.oneof(
        fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${a + b}`),
        fc.nat().map((suffix) => `bytes=-${suffix}`),
      ),
      ['bytes', '-', ',', '0-0', '=', ' '],
    ),
    (text) => {
      const range = byteRange.decode(text);
      if (range === undefined) return;
      for (const sizeBytes of [0, 1, 1000, 2 ** 40]) {
        const { first = 0, last = 0 } = unlessRefused(() => resolveRange(range, sizeBytes)) ?? {};
        assert(first >= 0 && first <= last && last < Math.max(sizeBytes, 1));
      }
    },
  ),
  law(
    'the parsers of ETags, ETag lists and flags return a value or undefined and never throw',
    500,
    mutated(fc.constantFrom('"abc"', '*', '"a", W/"b"', 'true'), ['"', '*', 'W/', ', ']),
    (text) => {
      readsBackOrNot(etag.decode, etag.encode)(text);
      expectedEtag.decode(text);
      assert(Array.isArray(etagList.decode(text)));
      flag.decode(text);
    },
  ),
  law(
    'the integer parser returns a number within its bounds or undefined',
    500,
    mutated(fc.nat(20_000).map(String)),
    (text) => {
      const value = integer(1, 10_000).decode(text);
      if (value !== undefined) assert(value >= 1 && value <= 10_000 && /^\d+$/.test(text));
    },
  ),
  law(
    'the parser of header text accepts any text, and encoding and decoding its result gives the same result',
    1_500,
    mutated(
      fc
        .string({ unit: 'grapheme', maxLength: 20 })
        .map((text) => encodeAttribute(asReceived(text))),
      ['=?UTF-8?B?', '=?utf-8?q?', '?=', '?=  =?', '=E4=BD', '_', '=?', '=?x?y?z?='],
    ),
    (text) => {
      const value = decodeAttribute(asReceived(text));
      assert.equal(decodeAttribute(encodeAttribute(value)), value);
    },
  ),
  law(
    'the parser of version and upload ids returns a whole number or undefined',
    500,
    mutated(
      fc
        .uint8Array({ minLength: 24, maxLength: 24 })
        .map((id) => Buffer.from(id).toString('base64url')),
    ),
    (text) => {
      assert(Number.isSafeInteger(sequenceOf(text) ?? 0));
    },
  ),
  law(
    'the parser of listing tokens refuses a token, or encoding its result returns the same token',
    500,
    mutated(
      key.map((name) => encodeListToken({ kind: 'key', name })),
      ['AQ', 'AQA', '=', '-', '_', '+'],
    ),
    (text) => {
      const position = unlessRefused(() => decodeListToken(text));
      if (position !== undefined) assert.equal(encodeListToken(position), text);
    },
  ),
  law(
    'the parser of Host headers returns a valid bucket name or none, or refuses the host',
    500,
    mutated(fc.constantFrom('box.localhost:9010', 'localhost', '127.0.0.1:80', '[::1]:80'), [
      '..',
      '.localhost',
      'box.',
      '@',
      ':1:2',
      '%2f',
      '../',
    ]).map(asReceived),
    (host) => {
      const addressed = unlessRefused(() => addressOf({ path: '/k', host }, ['localhost']));
      if (addressed?.bucketOfHost !== undefined) checkBucketName(addressed.bucketOfHost);
    },
  ),
  law(
    'the order and the prefixes of listed names are correct for any names',
    500,
    mutated(
      key.filter((text) => text.isWellFormed()),
      ['\u{10ffff}', '\uffff', '\ud7ff', '/'],
    ),
    (text) => {
      if (!text.isWellFormed()) return;
      const after = afterPrefix(text);
      if (after !== undefined && text !== '') {
        assert(compareUtf8(text, after) < 0);
        assert(compareUtf8(`${text}\u{10ffff}`, after) < 0);
      }
      assert((commonPrefix(text, '', '/') ?? '/').endsWith('/'));
    },
  ),
];
