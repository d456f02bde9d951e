import { describe, expect, it } from 'vitest';

import { parseAt, parseEnd, parseUntil, parseWhen } from '../../../src/cli/arguments/when.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('times in arguments', () => {
  it.each(['', '2 ago', '2026-02-29', '2026-11-21T12:00:01Z'])(
    'the command line refuses the time %j as a usage error that quotes the value',
    (text) => {
      expect(() => parseWhen(text, NOW)).toThrow(
        expect.objectContaining({
          code: 'Usage',
          message: expect.stringContaining(`"${text}"`),
          hint: expect.stringContaining('2h ago'),
        }),
      );
    },
  );
});

it.each([
  ['2026-11-20T14:00:05Z', Date.UTC(2026, 10, 20, 14, 0, 5, 999)],
  ['2026-11-20T14:00:05.250Z', Date.UTC(2026, 10, 20, 14, 0, 5, 250)],
  ['2026-11-20T14:00Z', Date.UTC(2026, 10, 20, 14)],
  ['2026-11-21T12:00:00Z', NOW],
])(
  'the command line resolves the time %s to the end of the second that it names, but to no future time',
  (text, at) => {
    expect(parseAt(text, NOW)).toBe(at);
  },
);

it.each([
  ['30d', Date.UTC(2026, 11, 21, 12)],
  ['7y', Date.UTC(2033, 10, 21, 12)],
  ['100y', Date.UTC(2126, 10, 21, 12)],
])('the command line computes the end of the period %s as %d, with calendar years', (text, at) => {
  expect(parseEnd(text, NOW, 36_500 * 86_400_000)).toBe(at);
  expect(parseUntil(text, NOW)).toBe(at);
});

it.each(['2027-12-31', '101y', 'soon', ''])('the command line refuses the period %j', (text) => {
  expect(() => parseEnd(text, NOW, 36_500 * 86_400_000)).toThrow('invalid duration');
});
