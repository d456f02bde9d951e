/** Tests that the dashboard truncates and wraps coloured text without losing its colours. */

import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { makeLook } from '../../../tui/theme/look.ts';
import { facts } from '../../../tui/widgets/facts.ts';
import { ends, exactly, wrapColoured } from '../../../tui/widgets/layout.ts';

const look = makeLook('dark');
const GREEN = look.paint('good', 'x').split('x')[0] ?? '';

test('the dashboard truncates a coloured line and keeps the colours of its parts', () => {
  const line = `health ${look.paint('good', 'no issues')}  disk ${look.paint('bad', 'full')}`;
  const cut = exactly(line, 13, look);
  expect(stripVTControlCharacters(cut)).toBe('health no is…');
  expect(cut).toContain(`${GREEN}no is…`);
  expect(stripVTControlCharacters(exactly(line, 30, look))).toHaveLength(30);
  expect(ends(line, 'end', 14, look)).toContain(`${GREEN}no…`);
});

test('the dashboard wraps a coloured value and colours each of its lines', () => {
  const value = look.paint('good', 'kept against mistakes only: same disk');
  const lines = wrapColoured(value, 20);
  expect(lines.map(stripVTControlCharacters)).toEqual([
    'kept against',
    'mistakes only: same',
    'disk',
  ]);
  for (const line of lines) expect(line).toContain(GREEN);
  const shown = facts([['protection', value]], look, 32);
  expect(shown.filter((line) => line.includes(GREEN))).toHaveLength(lines.length);
});
