/**
 * Tests of column widths, and of the space that a list leaves for the details of the selected row.
 */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { fitColumns, measure, neededWidth } from '../../../tui/widgets/column-widths.ts';
import type { Column, Measured } from '../../../tui/widgets/column-widths.ts';
import { listAndDetail } from '../../../tui/widgets/list-detail.ts';
import { ListModel } from '../../../tui/widgets/list-model.ts';
import { tableLines } from '../../../tui/widgets/table.ts';
import { Changes } from '../../../tui/data/changes.ts';
import { widthOf } from '../../../tui/text/width.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const look = makeLook('mono');

interface Row {
  readonly name: string;
  readonly job: string;
  readonly note?: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', width: 'grow', least: 20, cell: ({ name }) => name },
  { title: 'JOB', width: 'fit', cell: ({ job }) => job },
  {
    title: 'STATE',
    width: 8,
    drop: 1,
    cell: () => 'watching',
    rest: ({ note }) => note,
  },
  {
    title: 'DATE',
    width: 10,
    drop: 2,
    cell: () => '2026-11-21',
    short: { width: 5, cell: () => '11-21' },
  },
  { title: 'FILES', width: 5, spare: true, cell: () => '48213' },
];

function measured(...rows: readonly Row[]): Measured {
  const result = { cells: [], rests: [] };
  measure(COLUMNS, rows, result, look);
  return result;
}

const shown = (width: number, of: Measured) =>
  fitColumns(COLUMNS, width, of).map(({ column, width: cells }) => `${column.title} ${cells}`);

test('in a narrower list, the dashboard first omits spare columns, then shortens columns, then omits others, then truncates names', () => {
  const rows = measured({ name: 'x'.repeat(30), job: 'photos' });
  expect(neededWidth(COLUMNS, rows, { withSpare: false })).toBe(62);
  expect(neededWidth(COLUMNS, rows, { withSpare: true })).toBe(69);
  expect(shown(69, rows)).toEqual(['NAME 30', 'JOB 6', 'STATE 8', 'DATE 10', 'FILES 5']);
  expect(shown(68, rows)).toEqual(['NAME 36', 'JOB 6', 'STATE 8', 'DATE 10']);
  expect(shown(61, rows)).toEqual(['NAME 34', 'JOB 6', 'STATE 8', 'DATE 5']);
  expect(shown(46, rows)).toEqual(['NAME 26', 'JOB 6', 'STATE 8']);
  expect(shown(36, rows)).toEqual(['NAME 26', 'JOB 6']);
  expect(shown(24, rows)).toEqual(['NAME 14', 'JOB 6']);
});

test('the dashboard shows an omitted narrow column again if omitting a wider column makes space for it', () => {
  const columns: Column<Row>[] = [
    { title: 'NAME', width: 'grow', least: 10, cell: ({ name }) => name },
    { title: 'DATE', width: 16, drop: 1, cell: () => '' },
    { title: 'V', width: 3, drop: 2, cell: () => '' },
  ];
  const titles = (width: number, name: string) => {
    const rows = { cells: [], rests: [] };
    measure(columns, [{ name, job: '' }], rows, look);
    return fitColumns(columns, width, rows).map(({ column }) => column.title);
  };
  expect(titles(29, 'a.jpg')).toEqual(['NAME', 'V']);
  expect(titles(29, 'a name that needs all cells')).toEqual(['NAME']);
});

test('the dashboard makes a column of names 60 cells wide on a wide terminal, or more for longer names', () => {
  const nameCells = (name: string) => shown(200, measured({ name, job: '' }))[0];
  expect(nameCells('notes.md')).toBe('NAME 60');
  expect(nameCells('x'.repeat(90))).toBe('NAME 90');
});

test('the dashboard leaves space in a name column for a sentence that replaces the last cells of the row', () => {
  const note = 'in sync except for 5 conflicts, which 4 shows';
  const rows = measured({ name: 'notes.md', job: 'home', note });
  const [name] = fitColumns(COLUMNS, 100, rows);
  expect(name?.width).toBe(100 - 2 - 2 - 4 - 2 - note.length);
});

test('property: columns fit the width of the list, and a cell that is shown in full stays in full in a wider list', () => {
  const rows = fc.record({
    name: fc.string({ maxLength: 100, unit: 'grapheme-ascii' }),
    job: fc.string({ maxLength: 30, unit: 'grapheme-ascii' }),
  });
  fc.assert(
    fc.property(fc.array(rows), fc.integer({ min: 30, max: 300 }), (some, width) => {
      const seen = measured(...some);
      const fitted = fitColumns(COLUMNS, width, seen);
      const taken = fitted.reduce((sum, each) => sum + each.width + 2, 0);
      expect(taken).toBeLessThanOrEqual(width);
      if (neededWidth(COLUMNS, seen, { withSpare: false }) > width) return;
      const wider = fitColumns(COLUMNS, width + 7, seen);
      for (const [index, { column, width: cells }] of fitted.entries()) {
        const widest = seen.cells[index] ?? 0;
        if (column.width !== 'grow' || cells < widest) continue;
        expect(wider[index]?.width).toBeGreaterThanOrEqual(widest);
      }
    }),
  );
});

function listOf(...rows: readonly Row[]): ListModel<Row> {
  const list = new ListModel<Row>({ changes: new Changes(new FakeClock()) });
  list.showAll(rows, ({ name }) => name);
  return list;
}

test('the dashboard keeps the column positions of a list while the user scrolls', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    name: `IMG_${index}`,
    job: index === 0 ? 'photographs' : 'home',
  }));
  const list = listOf(...rows);
  const title = () =>
    tableLines(list, { columns: COLUMNS, width: 90, height: 10, empty: '' }, look)[0];
  const atTop = title();
  list.moveToLast();
  expect(title()).toBe(atTop);
});

test.each([
  ['beside the list if no cell of the list is truncated', 120, 30, 'beside'],
  ['below the list if a name beside the details would be truncated', 120, 59, 'below'],
  ['beside a list with long names on a terminal of 200 columns', 200, 59, 'beside'],
  ['below the list on a terminal of 80 columns', 80, 10, 'below'],
])(
  'the dashboard shows the details of the selected row %s',
  (_claim, columns, nameCells, place) => {
    const list = listOf({ name: 'x'.repeat(nameCells), job: 'photos' });
    const options = {
      list,
      table: { columns: COLUMNS, empty: '' },
      title: 'Details',
      details: () => ['folder'],
      below: 4,
      listTitle: 'Rows',
    };
    const lines = listAndDetail({ columns, rows: 30 }, options, look);
    const row = lines.find((line) => line.includes('Details'));
    expect(row?.includes('Rows') ? 'beside' : 'below').toBe(place);
    expect(lines.join('\n').includes('x'.repeat(nameCells))).toBe(true);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    expect(lines).toHaveLength(30);
  },
);

test('the dashboard shows a legend that is too long for the border of the details below the list', () => {
  const list = listOf({ name: 'x'.repeat(50), job: 'photos' });
  const options = {
    list,
    table: { columns: COLUMNS, empty: '' },
    title: 'Details',
    details: () => ['folder'],
    below: 4,
    listTitle: 'Rows',
  };
  const borderWith = (legend: string, columns: number) =>
    listAndDetail({ columns, rows: 12 }, { ...options, legend }, look).at(-1);
  const long = 'L lock  H hold  C conflict  D deleted';
  expect(borderWith('L lock', 120)).toMatch(/1 of 1 .*┴.* L lock /);
  expect(borderWith(long, 120)).toMatch(/ L lock  H hold  C conflict  D deleted .* 1 of 1 .*┴/);
});
