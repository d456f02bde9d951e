import { describe, expect, it } from 'vitest';

import { parseWhen } from '../../../src/cli/arguments/when.ts';

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
