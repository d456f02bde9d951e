/** Tests of sparklines and of the parsing of amounts and choices. */

import { describe, expect, it } from 'vitest';

import { amount } from '../../../src/cli/arguments/amounts.ts';
import { choice } from '../../../src/cli/arguments/choices.ts';
import { sparkline } from '../../../src/cli/output/sparkline.ts';

describe('a sparkline', () => {
  it.each([
    [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█'],
    [[5, 5, 5], '▁▁▁'],
    [[0, undefined, 10], '▁ █'],
    [[undefined], ' '],
    [[], ''],
    [[-10, 0, 10], '▁▅█'],
  ])('the sparkline of %j is "%s"', (values, line) => {
    expect(sparkline(values, 80)).toBe(line);
  });

  it('a sparkline merges values that do not fit and draws gaps as blanks', () => {
    expect(sparkline([0, 0, undefined, undefined, 10, undefined], 3)).toBe('▁ █');
    expect(
      sparkline(
        Array.from({ length: 1000 }, (_, index) => index),
        500,
      ),
    ).toHaveLength(80);
  });
});

describe('an amount', () => {
  it.each([
    ['100', 100],
    ['-2.5', -2.5],
    ['10GB', 1e10],
    ['2.5 TiB', 2.5 * 2 ** 40],
    ['7kb', 7000],
  ])('the amount "%s" is parsed as %d', (text, value) => {
    expect(amount('size', text)).toBe(value);
  });

  it.each(['', 'much', '1,000', '5 apples', '0x10', '1e3', '--5', 'NaN'])(
    '"%s" is not a valid amount',
    (text) => {
      expect(() => amount('size', text)).toThrow(`read size "${text}"`);
    },
  );
});

describe('a choice', () => {
  it('an option with fixed choices ignores case and accepts aliases', () => {
    expect(choice('colour', 'RED', ['Red', 'Blue'])).toBe('Red');
    expect(choice('colour', 'sky', ['Red', 'Blue'], { sky: 'Blue' })).toBe('Blue');
  });

  it('the error for an invalid choice lists all choices', () => {
    expect(() => choice('colour', 'green', ['Red'], { sky: 'Red' })).toThrow('one of Red, sky');
  });
});
