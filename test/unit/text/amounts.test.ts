/** Tests of parsing and displaying sizes, counts, rates and percentages. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  bytesText,
  countText,
  exactBytesText,
  numberText,
  percentText,
  rateText,
  readAmount,
  readSize,
  readWholeNumber,
} from '../../../src/text/amounts.ts';

test.each([
  ['0', 0],
  ['1048576', 1_048_576],
  ['5,012', 5_012],
  ['5B', 5],
  ['1kB', 1_000],
  ['7kb', 7_000],
  ['1 KiB', 1_024],
  ['1.5GiB', 1.5 * 1024 ** 3],
  ['1.5 GB', 1.5e9],
  ['500 GB', 500e9],
  ['25TiB', 25 * 1024 ** 4],
  ['2.5 TiB', 2.5 * 2 ** 40],
  ['1.2345GB', 1_234_500_000],
  ['2T', 2e12],
  ['3 PiB', 3 * 2 ** 50],
  ['1E', 1e18],
  [' 7m ', 7e6],
  ['-2.5', -2.5],
  ['-1kB', -1_000],
  ['.5', 0.5],
  ['1e9', 1e9],
  ['1.5e-3', 0.0015],
])('Holdfast parses the amount %j as %d', (text, value) => {
  expect(readAmount(text)).toBe(value);
});

test.each([
  '',
  'much',
  'kB',
  '1,00',
  '1,0000',
  '5 apples',
  '1GiBs',
  '1i',
  '1iB',
  '0x10',
  '--5',
  '+5',
  'NaN',
  'Infinity',
  '1e999',
  '1.2.3',
])('Holdfast refuses the amount %j', (text) => {
  expect(readAmount(text)).toBeUndefined();
});

test.each([
  ['10TiB', 10 * 2 ** 40],
  ['1.5', 2],
  ['-1', undefined],
  ['-0.2', undefined],
  ['99999999999999TB', undefined],
  ['much', undefined],
])('Holdfast parses the size %j as %s bytes', (text, bytes) => {
  expect(readSize(text)).toBe(bytes);
});

test.each([
  ['0', 0],
  ['10000', 10_000],
  ['10,000', 10_000],
  [' 7 ', 7],
  ['10001', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['1,0', undefined],
  ['', undefined],
])('Holdfast parses %j as a whole number from 0 to 10,000: %s', (text, value) => {
  expect(readWholeNumber(text, 0, 10_000)).toBe(value);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [4_096, '4.1 kB'],
  [4_100_000, '4.1 MB'],
  [31_440_000, '31.4 MB'],
  [99_950_000, '100 MB'],
  [999_499, '999 kB'],
  [999_999, '1 MB'],
  [3_141_592_653, '3.14 GB'],
  [1_240_000_000_000, '1.24 TB'],
  [2e18, '2 EB'],
  [-1_500, '-1.5 kB'],
  [12.4, '12 B'],
])('Holdfast displays a size of %d bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

/** Sizes of all magnitudes. The largest is below the limit of `readSize`. */
const anySize = fc
  .double({ min: 0, max: 15.95, noNaN: true })
  .map((digits) => Math.floor(10 ** digits));

test('Holdfast displays sizes with three significant digits that parse back to the same size within half a percent', () => {
  fc.assert(
    fc.property(anySize, (bytes) => {
      const text = bytesText(bytes);
      expect(text).toMatch(/^(?:0|[1-9]\d{0,2}|[1-9]\d\.\d|[1-9]\.\d\d?) (?:|k|M|G|T|P|E)B$/);
      const read = readSize(text) ?? Number.NaN;
      expect(Math.abs(read - bytes)).toBeLessThanOrEqual(bytes * 0.005_000_1);
    }),
  );
});

test('Holdfast displays numbers that parse back to the same number within two decimals', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
      expect(Math.abs((readAmount(numberText(value)) ?? Number.NaN) - value)).toBeLessThan(0.005_1);
    }),
  );
  fc.assert(
    fc.property(fc.nat(), (value) => {
      expect(readWholeNumber(numberText(value), 0, Number.MAX_SAFE_INTEGER)).toBe(value);
    }),
  );
});

test.each([
  [0, '0'],
  [999, '999'],
  [5_012, '5,012'],
  [48_213_000, '48,213,000'],
  [-5_012, '-5,012'],
  [1_234.567_8, '1,234.57'],
  [0.5, '0.5'],
])('Holdfast displays the number %d as %s', (value, text) => {
  expect(numberText(value)).toBe(text);
});

test('Holdfast displays counts, rates and percentages with their units', () => {
  expect(countText(1, 'file')).toBe('1 file');
  expect(countText(5_012, 'file')).toBe('5,012 files');
  expect(rateText(31_440_000)).toBe('31.4 MB/s');
  expect([0, 0.29, 0.57, 0.999, 1].map(percentText)).toEqual([
    '0 %',
    '29 %',
    '57 %',
    '99 %',
    '100 %',
  ]);
});

test.each([
  [1e12, '1 TB'],
  [0, '0 B'],
  [-2_500, '-2.5 kB'],
  [1_234_567_890_123, '1,234,567,890,123'],
  [0.125, '0.125'],
])('Holdfast formats the size %d as %s, which it parses to the same size', (bytes, text) => {
  expect(exactBytesText(bytes)).toBe(text);
  expect(readAmount(text)).toBe(bytes);
});

test('Holdfast parses an exactly formatted size to the same size', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (bytes) => {
      expect(readAmount(exactBytesText(bytes)) === bytes).toBe(true);
    }),
  );
});
