import { expect, test } from 'vitest';

import { parseByteSize } from '../../../src/base/byte-size.ts';

test.each([
  ['0', 0],
  ['1048576', 1_048_576],
  ['5B', 5],
  ['1kB', 1000],
  ['1 KiB', 1024],
  ['1.5GiB', 1.5 * 1024 ** 3],
  ['500 GB', 500e9],
  ['25TiB', 25 * 1024 ** 4],
  ['2T', 2e12],
  [' 7m ', 7e6],
])('the size %s is parsed as %i bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each(['', 'much', '-1', '1e9', '1PiB', '1.2345GB', '99999999999999TB', '1GiBs', '0x10'])(
  '%j is not a valid size',
  (text) => {
    expect(parseByteSize(text)).toBeUndefined();
  },
);
