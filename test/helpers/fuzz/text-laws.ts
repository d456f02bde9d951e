/** Laws of the parsers of single texts: paths, queries, dates, numbers, ranges, header text, ids. */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { addressOf } from '../../../src/gateway/addressing.ts';
import { sequenceOf } from '../../../src/engine/sequence-id.ts';
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
/** As Node hands on the bytes of a request: one character each. */
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

/** What a parser gives must be written and read again as itself. */
function readsBack<T>(parse: (text: string) => T, format: (value: T) => string) {
  return (text: string) => {
    const value = unlessRefused(() => parse(text));
    if (value !== undefined) assert.deepEqual(parse(format(value)), value);
  };
}

/** The same for a codec that gives undefined for what it cannot read. */
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
    'a path is refused, or read again as it was written',
    1_000,
    mutated(paths, PATH_TOKENS).map(asReceived),
    (text) => {
      readsBack(parsePath, formatPath)(text);
      assert(!unlessRefused(() => parsePath(text))?.key?.includes('\0'));
    },
  ),
  law(
    'a query is refused, or read again as it was written',
    1_000,
    mutated(queries, [...PATH_TOKENS, '&', '&&', '=', '==']).map(asReceived),
    readsBack(
      (text) => parseQuery(text).filter(([name, value]) => name !== '' || value !== ''),
      formatQuery,
    ),
  ),
  law(
    'a date of HTTP is an instant or nothing',
    1_000,
    mutated(instant.map(formatHttpDate), DATE_TOKENS),
    (text) => {
      assert(Number.isSafeInteger(parseHttpDate(text) ?? 0));
    },
  ),
  law(
    'a date of ISO 8601 is an instant or nothing',
    1_000,
    mutated(instant.map(formatIsoDate), DATE_TOKENS),
    (text) => {
      assert(Number.isSafeInteger(parseIsoDate(text) ?? 0));
    },
  ),
  law(
    'a timestamp is the one instant that is written so, or nothing',
    1_000,
    mutated(instant.map(formatTimestamp), DATE_TOKENS),
    (text) => {
      const at = parseTimestamp(text);
      if (at !== undefined) assert.equal(formatTimestamp(at), text);
    },
  ),
  law(
    'a range lies within the object, or is refused',
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
    'an ETag, a list of them and a flag are read or not, never otherwise',
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
    'a number is within its bounds or nothing',
    500,
    mutated(fc.nat(20_000).map(String)),
    (text) => {
      const value = integer(1, 10_000).decode(text);
      if (value !== undefined) assert(value >= 1 && value <= 10_000 && /^\d+$/.test(text));
    },
  ),
  law(
    'header text is read whatever it is, and what was read is written and read again',
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
    'the id of a version or an upload names a sequence or nothing',
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
    'a token of a listing is refused, or the one that was made',
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
    'a host names a bucket that can be one, or none, or is refused',
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
    'names of a listing have their order and their prefixes, whatever they are',
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
