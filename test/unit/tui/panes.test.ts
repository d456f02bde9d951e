/** Tests of panes in frames: shared borders, titles, footers, and the color of the focused pane. */

import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { framed, pane } from '../../../tui/widgets/panes.ts';
import type { Pane } from '../../../tui/widgets/panes.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const look = makeLook('mono');
const text = (lines: readonly string[]) => lines.map((line) => stripVTControlCharacters(line));
const box = (title: string, width: number, more: Partial<Pane> = {}): Pane => {
  return { title, width, draw: () => [title.toLowerCase()], ...more };
};

test('the dashboard draws one border between adjacent panes', () => {
  const rows = [
    { height: 2, panes: [box('One', 10), box('Two', 10)] },
    { height: 2, panes: [box('Three', 20)] },
    { height: 3, panes: [box('Four', 7), box('Five', 13)] },
  ];
  expect(text(framed(rows, look))).toEqual([
    '╭─ One ───┬─ Two ──╮',
    '│one      │two     │',
    '├─ Three ─┴────────┤',
    '│three             │',
    '├─ F… ─┬─ Five ────┤',
    '│four  │five       │',
    '╰──────┴───────────╯',
  ]);
});

test('the dashboard draws a crossing where the vertical borders of two rows are in the same column', () => {
  const row = (height: number) => ({ height, panes: [box('', 6), box('', 6)] });
  expect(text(framed([row(2), row(3)], look))).toEqual([
    '╭─────┬────╮',
    '│     │    │',
    '├─────┼────┤',
    '│     │    │',
    '╰─────┴────╯',
  ]);
});

test('the dashboard draws each pane in the size that remains within its frame', () => {
  const areas: unknown[] = [];
  const draw: Pane['draw'] = (area) => {
    areas.push(area);
    return [];
  };
  const panes = [box('a', 12, { draw }), box('b', 8, { draw })];
  framed(
    [
      { height: 4, panes },
      { height: 5, panes: [box('c', 20, { draw })] },
    ],
    look,
  );
  expect(areas).toEqual([
    { columns: 11, rows: 3 },
    { columns: 6, rows: 3 },
    { columns: 18, rows: 3 },
  ]);
});

test('the dashboard shows the list position in the lower border of the focused pane, and a legend if it fits', () => {
  const foot = { place: '1 of 9', legend: 'L lock' };
  const last = (width: number) =>
    text(framed([{ height: 3, panes: [box('a', width, { foot, focused: true })] }], look)).at(-1);
  expect(last(26)).toBe('╰─ L lock ────── 1 of 9 ─╯');
  expect(last(16)).toBe('╰───── 1 of 9 ─╯');
  expect(last(10)).toBe('╰────────╯');
});

test('the dashboard omits the last parts of a legend that do not fit into the border', () => {
  const foot = { place: '1 of 9', legend: 'L lock  H hold  C conflict' };
  const last = (width: number) =>
    text(framed([{ height: 3, panes: [box('a', width, { foot, focused: true })] }], look)).at(-1);
  expect(last(41)).toBe('╰─ L lock  H hold  C conflict ─ 1 of 9 ─╯');
  expect(last(40)).toBe('╰─ L lock  H hold ──────────── 1 of 9 ─╯');
  expect(last(27)).toBe('╰─ L lock ─────── 1 of 9 ─╯');
});

test('the dashboard omits a row of panes without height', () => {
  const rows = [
    { height: 0, panes: [box('a', 8)] },
    { height: 3, panes: [box('b', 8)] },
  ];
  expect(text(framed(rows, look))).toEqual(['╭─ b ──╮', '│b     │', '╰──────╯']);
});

test('the dashboard draws the frame of the focused pane in the focus color, even where panes share a border', () => {
  const dark = makeLook('dark', 'unicode', '16');
  const rows = [
    { height: 2, panes: [box('', 4), box('', 5, { focused: true })] },
    { height: 3, panes: [box('', 9)] },
  ];
  const focus = (line: string) => dark.paint('focus', line);
  const border = (line: string) => dark.paint('border', line);
  expect(framed(rows, dark).slice(0, 3)).toEqual([
    border('╭───') + focus('┬───╮'),
    `${border('│')}   ${focus('│')}   ${focus('│')}`,
    border('├───') + focus('┴───┤'),
  ]);
});

test('the dashboard draws frames from ASCII characters without Unicode', () => {
  const plain = makeLook('mono', 'ascii');
  const lines = pane(['a'], { title: 'T', width: 8, height: 3 }, plain);
  expect(text(lines)).toEqual(['+- T --+', '|a     |', '+------+']);
});
