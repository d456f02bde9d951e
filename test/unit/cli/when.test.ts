import { describe, expect, it } from 'vitest';

import { parseWhen } from '../../../src/cli/arguments/when.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

describe('a point in time', () => {
  it.each([
    ['2h ago', NOW - 2 * HOUR_MS],
    ['2 hours ago', NOW - 2 * HOUR_MS],
    ['90m ago', NOW - 1.5 * HOUR_MS],
    ['1h 30m ago', NOW - 1.5 * HOUR_MS],
    ['1h30min ago', NOW - 1.5 * HOUR_MS],
    ['3 Days ago', NOW - 72 * HOUR_MS],
    ['1w ago', NOW - 168 * HOUR_MS],
    ['0s ago', NOW],
    ['now', NOW],
    ['2026-11-20T14:00:00Z', Date.UTC(2026, 10, 20, 14)],
    ['2026-11-20T14:00:00.250Z', Date.UTC(2026, 10, 20, 14, 0, 0, 250)],
    ['2026-11-20T14:00:00+02:00', Date.UTC(2026, 10, 20, 12)],
    ['2026-11-20T14:00-0530', Date.UTC(2026, 10, 20, 19, 30)],
    ['2026-11-20 14:00', new Date(2026, 10, 20, 14).getTime()],
    ['2026-11-20 14:00:05', new Date(2026, 10, 20, 14, 0, 5).getTime()],
    ['2026-11-20', new Date(2026, 10, 20).getTime()],
    [' 2024-02-29 ', new Date(2024, 1, 29).getTime()],
  ])('the time %j is accepted', (text, at) => {
    expect(parseWhen(text, NOW)).toBe(at);
  });

  it.each([
    '',
    'yesterday',
    '2 ago',
    'h ago',
    '2 months ago',
    '2h',
    '2026-02-29',
    '2026-13-01',
    '2026-11-20 24:00',
    '2026-11-20 12:60',
    '2026-11-20T14',
    '20.11.2026',
    '1732111200',
    '2026-11-21T12:00:01Z',
  ])('the time %j is refused as a usage error that quotes it', (text) => {
    expect(() => parseWhen(text, NOW)).toThrow(
      expect.objectContaining({
        code: 'Usage',
        message: expect.stringContaining(`"${text}"`),
        hint: expect.stringContaining('2h ago'),
      }),
    );
  });
});
