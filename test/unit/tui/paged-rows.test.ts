/** Tests of lists with up to a million rows: pages in memory, reloading, searching and sorting. */

import { expect, test } from 'vitest';

import { Changes } from '../../../tui/data/changes.ts';
import { ListModel } from '../../../tui/widgets/list-model.ts';
import type { SortOrder } from '../../../tui/widgets/list-model.ts';
import { PagedRows } from '../../../tui/data/paged-rows.ts';
import { MOST_MATCHES, MOST_SORTED } from '../../../tui/data/searched-rows.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const PAGE = 1_000;

/** Creates the rows `0` to `count - 1` and records the first row of each requested page. */
function pages(count: number, orders: readonly SortOrder<string>[] = []) {
  const asked: number[] = [];
  let extra = 0;
  const rows = new PagedRows<string, number>({
    fetch: async (cursor = 0) => {
      asked.push(cursor);
      const end = Math.min(cursor + PAGE + extra, count);
      const page = Array.from({ length: end - cursor }, (_, index) => String(cursor + index));
      return end < count ? { rows: page, next: end } : { rows: page };
    },
    id: (row) => row,
    changed: () => list.show(rows),
  });
  const list: ListModel<string> = new ListModel({
    changes: new Changes(new FakeClock()),
    orders,
  });
  return { rows, list, asked, grow: (by: number) => void (extra = by) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the dashboard loads all pages to reach the last row but keeps only a few in memory', async () => {
  const { rows } = pages(100_000);
  await rows.loadAll(() => undefined, new AbortController().signal);
  expect(rows.count).toBe(100_000);
  expect(rows.row(0)).toBeUndefined();
  expect(rows.row(99_999)).toBe('99999');
  rows.need(0, 20);
  await settled();
  expect(rows.row(0)).toBe('0');
});

test('the dashboard requests the visible page first when a list is reloaded, and keeps the position', async () => {
  const { rows, asked, grow } = pages(5_000);
  await rows.loadAll(() => undefined, new AbortController().signal);
  grow(5);
  asked.length = 0;
  await rows.reload(2_500);
  expect(asked).toEqual([2_000]);
  expect([rows.count, rows.row(3_004), rows.more]).toEqual([3_005, '3004', true]);
});

test('the dashboard finds rows with a filter in pages that were not loaded', async () => {
  const { rows, list } = pages(20_000);
  await rows.reload();
  list.setFilter('1999');
  while (list.rows.more) await settled();
  expect(list.rows.count).toBe(12);
  expect(list.current).toBe('1999');
  expect(list.rows.note).toBe('searched 20,000');
  list.setFilter('');
  expect(list.rows.count).toBe(PAGE);
});

test('the dashboard stops a search at a maximum number of matches and recommends a narrower filter', async () => {
  const { rows, list } = pages(1_000_000);
  await rows.reload();
  list.setFilter('1');
  while (list.rows.isLoading) await settled();
  expect(list.rows.count).toBe(MOST_MATCHES);
  expect(list.rows.note).toContain('narrow the filter');
});

test('the dashboard continues a stopped search when the user scrolls to further rows', async () => {
  const { rows, list, asked } = pages(50_000);
  await rows.reload();
  list.setFilter('49999');
  rows.stop();
  const before = asked.length;
  await settled();
  expect(asked.length).toBe(before);
  list.fitTo(20);
  list.needInView();
  while (list.rows.more) await settled();
  expect(list.current).toBe('49999');
});

test('the dashboard requests rows that come into view only after the list was drawn', async () => {
  const { rows, list, asked } = pages(50_000);
  await rows.reload();
  const before = asked.length;
  list.fitTo(PAGE);
  await settled();
  expect(asked.length).toBe(before);
  list.needInView();
  await settled();
  expect(asked.length).toBeGreaterThan(before);
});

test('the dashboard refuses to mark a row that is not an item of the list, such as ".."', () => {
  const list = new ListModel<string>({
    changes: new Changes(new FakeClock()),
    canMark: (row) => row !== '..',
  });
  list.showAll(['..', 'a', 'b'], (row) => row);
  list.toggleMark();
  list.markAll();
  expect([...list.marks.keys()]).toEqual(['a', 'b']);
});

test('the dashboard does not count the row of the parent folder as a filter match', async () => {
  const rows = new PagedRows<string, number>({
    fetch: async () => ({ rows: ['..', 'a', 'b'] }),
    id: (row) => row,
    text: (row) => (row === '..' ? '' : row),
    changed: () => list.show(rows),
  });
  const list: ListModel<string> = new ListModel({ changes: new Changes(new FakeClock()) });
  await rows.reload();
  list.setFilter('!b');
  while (list.rows.more) await settled();
  expect([list.rows.count, list.rows.note]).toEqual([1, 'searched 2']);
});

const LARGEST_FIRST = {
  name: 'size',
  compare: (a: string, b: string) => Number(b) - Number(a),
};
const AS_THEY_COME = { name: 'name', compare: () => 0 };

function sortedPages(count: number) {
  const made = pages(count, [AS_THEY_COME, LARGEST_FIRST]);
  return { ...made, sort: (name: string) => made.list.orderBy(name) };
}

test('the dashboard reads all pages to sort a list and shows the first rows in that order', async () => {
  const { rows, list, sort } = sortedPages(30_000);
  await rows.reload();
  sort('size');
  expect(list.rows.note).toBe('read 0 so far');
  while (list.rows.more) await settled();
  expect([list.rows.row(0), list.rows.row(9_999)]).toEqual(['29999', '20000']);
  expect(list.rows.count).toBe(MOST_MATCHES);
  expect(list.rows.note).toBe('of 30,000 in all');
  sort('name');
  expect(list.rows.row(0)).toBe('0');
});

test('the dashboard stops sorting at a limit and states that not all rows were compared', async () => {
  const { rows, list, sort } = sortedPages(MOST_SORTED + 5_000);
  await rows.reload();
  sort('size');
  while (list.rows.isLoading) await settled();
  expect(list.rows.row(0)).toBe(String(MOST_SORTED - 1));
  expect(list.rows.note).toBe('of the first 200,000 only');
});

test('the dashboard filters a sorted list, and sorts it again after a reload without losing rows', async () => {
  const { rows, list, sort } = sortedPages(3_000);
  await rows.reload();
  list.setFilter('9');
  sort('size');
  while (list.rows.more) await settled();
  expect([list.rows.row(0), list.rows.row(1)]).toEqual(['2999', '2998']);
  list.moveToId('2989');
  await rows.reload();
  list.searchAgain();
  expect(list.current).toBe('2989');
  while (list.rows.isLoading) await settled();
  expect([list.rows.row(0), list.current]).toEqual(['2999', '2989']);
});
