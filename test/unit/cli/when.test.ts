import { describe, expect, it } from 'vitest';

import { parseAt, parseWhen } from '../../../src/cli/arguments/when.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('an invalid time', () => {
  it.each(['', '2 ago', '2026-02-29', '2026-11-21T12:00:01Z'])(
    'the time %j is refused as a usage error that quotes it',
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
])('a view of the time %s includes its whole second, but nothing in the future', (text, at) => {
  expect(parseAt(text, NOW)).toBe(at);
});
