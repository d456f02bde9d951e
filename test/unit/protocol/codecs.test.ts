/**
 * Tests of encoding and decoding header and query values such as ranges, ETags, dates and metadata.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
import {
  decodeAttribute,
  encodeAttribute,
  fromHeaderBytes,
  toHeaderBytes,
} from '../../../src/protocol/header-text.ts';

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=5-', { first: 5 }],
  ['bytes=-5', { suffix: 5 }],
  ['bytes=-0', { suffix: 0 }],
  ['bytes=5-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['items=0-1', undefined],
  ['bytes=a-b', undefined],
  // Some tools send a last byte beyond the end of the object to request everything to its end. RFC
  // 9110 section 14.1.2 allows that.
  ['bytes=5-9223372036854775806', { first: 5, last: Number.MAX_SAFE_INTEGER }],
  ['bytes=99999999999999999999-', { first: Number.MAX_SAFE_INTEGER }],
  ['bytes=-99999999999999999999', { suffix: Number.MAX_SAFE_INTEGER }],
  ['bytes=99999999999999999999-5', undefined],
])('the codec decodes the Range header %s as %o', (header, range) => {
  expect(byteRange.decode(header)).toEqual(range);
});

test.each([
  ['"a"', ['a']],
  ['a', ['a']],
  ['"a", W/"b" ,"c"', ['a', 'b', 'c']],
  ['*', ['*']],
])('the codec decodes the list of ETags %s as %o', (header, tags) => {
  expect(etagList.decode(header)).toEqual(tags);
});

test('the codec writes an ETag with quotes and reads it with or without quotes', () => {
  expect([etag.encode('a'), etag.decode('"a"'), etag.decode('a')]).toEqual(['"a"', 'a', 'a']);
  expect([expectedEtag.encode('*'), expectedEtag.encode('a')]).toEqual(['*', '"a"']);
});

test.each(['', '-1', '1.5', '1e3', 'abc', ' 1', '0x1', '11'])(
  'the codec refuses %j as an integer from 0 to 10',
  (digits) => {
    expect(integer(0, 10).decode(digits)).toBeUndefined();
  },
);

test.each(['yes', '1', '', 'constructor', 'toString'])('the codec refuses %j as a flag', (word) => {
  expect(flag.decode(word)).toBeUndefined();
});

describe('HTTP and ISO 8601 dates', () => {
  test('the codec reads every written HTTP date back unchanged, in whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253402300799 }), (seconds) => {
        expect(parseHttpDate(formatHttpDate(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  test.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])('the codec reads an HTTP date in the form %s', (form) => {
    expect(parseHttpDate(form)).toBe(784111777000);
  });

  test.each([
    '',
    'yesterday',
    '784111777',
    '1994-11-06T08:49:37Z',
    'Sun, 99 Nov 1994 08:49:37 GMT',
  ])('the codec refuses %j as an HTTP date', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });

  test('the codec reads every written ISO 8601 date back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253402300799999 }), (at) => {
        expect(parseIsoDate(formatIsoDate(at))).toBe(at);
      }),
    );
  });

  test('the codec writes an ISO 8601 date like Date.toISOString, also for times close to each other', () => {
    const at = fc.integer({ min: -62_000_000_000_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(at, fc.array(fc.integer({ min: -70_000, max: 70_000 })), (base, steps) => {
        for (const instant of [base, ...steps.map((step) => base + step)]) {
          expect(formatIsoDate(instant)).toBe(new Date(instant).toISOString());
        }
      }),
    );
  });

  test.each([
    ['2026-11-21', 1795219200000],
    ['2026-11-21T00:00:00Z', 1795219200000],
    ['2026-11-21T00:00:00.5Z', 1795219200500],
    ['2026-11-21T00:00:00.123456789Z', 1795219200123],
    ['2026-11-21T02:00:00+02:00', 1795219200000],
    ['2026-11-21T02:00:00+0200', 1795219200000],
  ])('the codec reads an ISO 8601 date in the form %s', (form, at) => {
    expect(parseIsoDate(form)).toBe(at);
  });

  test.each([
    '',
    '2026',
    '2026-13-01',
    '2026-02-29',
    '2026-04-31T00:00:00Z',
    '2026-11-21T00:00:00',
    'tomorrow',
  ])('the codec refuses %j as an ISO 8601 date', (text) => {
    expect(parseIsoDate(text)).toBeUndefined();
  });

  test('the codec accepts a leap day as an ISO 8601 date', () => {
    expect(parseIsoDate('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
  });
});

describe('text in header values', () => {
  const anyText = fc.string({ unit: 'grapheme' });

  test('the codec reads every written user metadata value back unchanged', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const written = encodeAttribute(value);
        expect(written).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeAttribute(written)).toBe(value);
      }),
    );
  });

  test('the codec keeps a leading byte order mark of a user metadata value', () => {
    for (const value of ['\ufeffa', '\ufeff']) {
      expect(decodeAttribute(encodeAttribute(value))).toBe(value);
      expect(fromHeaderBytes(toHeaderBytes(value))).toBe(value);
    }
  });

  test('the codec reads a user metadata value that looks like an encoded word back unchanged', () => {
    expect(decodeAttribute(encodeAttribute('=?UTF-8?B?eA==?='))).toBe('=?UTF-8?B?eA==?=');
  });

  test.each([
    ['=?UTF-8?Q?caf=C3=A9_au_lait?=', 'café au lait'],
    ['=?utf-8?b?Y2Fmw6k=?= =?utf-8?b?Y2Fmw6k=?=', 'cafécafé'],
    [Buffer.from('café').toString('latin1'), 'café'],
    ['caf\u00e9', 'café'],
  ])('the codec reads a user metadata value in the form %j', (header, value) => {
    expect(decodeAttribute(header)).toBe(value);
  });

  test('the codec never writes characters to a header that would split a response', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(toHeaderBytes(value)).not.toMatch(/(?![\t\u0080-\u009f])\p{Cc}/u);
      }),
    );
  });

  test('the codec reads header text without control characters back unchanged', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => !/\p{Cc}/u.test(text)),
        (value) => {
          expect(fromHeaderBytes(toHeaderBytes(value))).toBe(value);
        },
      ),
    );
  });
});
