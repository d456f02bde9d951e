/**
 * Rows of a paged listing. Only some pages stay in memory, because a bucket may hold millions of objects. The start
 * cursor of each page is saved, so that a dropped page can be fetched again.
 */

import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { Page, RowSource, Search } from './row-source.ts';
import { SearchedRows } from './searched-rows.ts';

export interface PagedRowsOptions<Row, Cursor> {
  readonly fetch: (cursor: Cursor | undefined, signal: AbortSignal) => Promise<Page<Row, Cursor>>;
  readonly id: (row: Row) => string;
  readonly text?: (row: Row) => string;
  /** Called after rows were read or a read failed. */
  readonly changed: () => void;
}

/** Eight pages of 1,000 rows take about 3 MB. Users rarely scroll through more rows at once. */
const MOST_PAGES = 8;
/** The next page is fetched when fewer rows than this follow the visible rows. */
const AHEAD_ROWS = 200;

interface Known<Row, Cursor> {
  readonly cursor: Cursor | undefined;
  readonly start: number;
  count: number;
  rows: readonly Row[] | undefined;
}

export class PagedRows<Row, Cursor> implements RowSource<Row> {
  readonly #options: PagedRowsOptions<Row, Cursor>;
  #pages: Known<Row, Cursor>[] = [];
  /** The indexes of the pages in memory, least recently used first. */
  #used: number[] = [];
  #next: { readonly cursor: Cursor | undefined } | undefined = { cursor: undefined };
  #fetching: AbortController | undefined;
  #problem: string | undefined;
  #searched: SearchedRows<Row, Cursor> | undefined;

  constructor(options: PagedRowsOptions<Row, Cursor>) {
    this.#options = options;
  }

  get count(): number {
    const last = this.#pages.at(-1);
    return last ? last.start + last.count : 0;
  }

  get more(): boolean {
    return this.#next !== undefined;
  }

  get isLoading(): boolean {
    return this.#fetching !== undefined;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  row(index: number): Row | undefined {
    const page = this.#pages[this.#pageOf(index)];
    return page?.rows?.[index - page.start];
  }

  id(row: Row): string {
    return this.#options.id(row);
  }

  text(row: Row): string {
    return (this.#options.text ?? this.#options.id)(row);
  }

  need(from: number, to: number): void {
    if (this.#fetching || this.#problem !== undefined) return;
    const dropped = this.#droppedBetween(from, to);
    if (dropped !== undefined) return this.#start(dropped);
    if (this.#next && to + AHEAD_ROWS >= this.count) this.#start(this.#pages.length);
  }

  /**
   * Reloads the page that contains row `at`. The old rows remain visible until the new page has arrived. Earlier pages
   * are reloaded when they are needed, and later pages are dropped.
   */
  async reload(at = 0): Promise<void> {
    this.stop();
    this.#problem = undefined;
    const page = this.#pages.length === 0 ? 0 : this.#pageOf(at);
    await this.#load(page, { cursor: this.#pages[page]?.cursor }, true);
  }

  search({ matches, compare }: Search<Row>): SearchedRows<Row, Cursor> {
    const { fetch, id, text = id, changed } = this.#options;
    const read = (index: number, cursor: Cursor | undefined, signal: AbortSignal) => {
      const inMemory = this.#inMemory(index);
      return inMemory ? Promise.resolve(inMemory) : fetch(cursor, signal);
    };
    this.#searched = new SearchedRows({ read, matches, compare, id, text, changed });
    return this.#searched;
  }

  /**
   * Loads all pages when the user presses `G`. Calls `onPage` with the number of rows after each page. Resolves early
   * if the signal is aborted.
   */
  async loadAll(onPage: (count: number) => void, signal: AbortSignal): Promise<void> {
    const stop = () => this.stop();
    signal.addEventListener('abort', stop, { once: true });
    while (this.#next && this.#problem === undefined && !signal.aborted) {
      this.stop();
      await this.#load(this.#pages.length, this.#next, false);
      onPage(this.count);
    }
    signal.removeEventListener('abort', stop);
  }

  /** Cancels the fetch and the search that are in progress. */
  stop(): void {
    this.#fetching?.abort();
    this.#fetching = undefined;
    this.#searched?.stop();
  }

  #start(page: number): void {
    const known = this.#pages[page];
    const from = known ? { cursor: known.cursor } : this.#next;
    if (from) void this.#load(page, from, false);
  }

  async #load(page: number, from: { cursor: Cursor | undefined }, anew: boolean): Promise<void> {
    const fetching = new AbortController();
    this.#fetching = fetching;
    try {
      const fetched = await this.#options.fetch(from.cursor, fetching.signal);
      if (this.#fetching !== fetching) return;
      if (anew) this.#forgetFrom(page);
      this.#keep(page, from.cursor, fetched);
    } catch (error) {
      if (this.#fetching !== fetching) return;
      if (!isAbort(error)) this.#problem = errorMessage(error);
    }
    this.#fetching = undefined;
    this.#options.changed();
  }

  #forgetFrom(page: number): void {
    this.#pages = this.#pages.slice(0, page);
    for (const before of this.#pages) before.rows = undefined;
    this.#used = [];
  }

  #inMemory(index: number): Page<Row, Cursor> | undefined {
    const rows = this.#pages[index]?.rows;
    if (rows === undefined) return undefined;
    const after = this.#pages[index + 1];
    return { rows, next: after ? after.cursor : this.#next?.cursor };
  }

  #keep(index: number, cursor: Cursor | undefined, page: Page<Row, Cursor>): void {
    const known = this.#pages[index];
    if (known) {
      // The reloaded page may have more rows than before. Later pages keep their row numbers, so the extra rows are
      // dropped.
      known.rows = page.rows.slice(0, known.count);
    } else {
      this.#pages.push({ cursor, start: this.count, count: page.rows.length, rows: page.rows });
      this.#next = page.next === undefined ? undefined : { cursor: page.next };
    }
    this.#used = [...this.#used.filter((each) => each !== index), index];
    for (const old of this.#used.splice(0, this.#used.length - MOST_PAGES)) {
      const dropped = this.#pages[old];
      if (dropped) dropped.rows = undefined;
    }
  }

  #droppedBetween(from: number, to: number): number | undefined {
    const last = Math.min(to, this.count - 1);
    for (let page = this.#pageOf(Math.max(0, from)); page <= this.#pageOf(last); page += 1) {
      const known = this.#pages[page];
      if (known && known.rows === undefined) return page;
    }
    return undefined;
  }

  /** Returns the index of the page that contains row `index`. A page may be shorter than the requested size. */
  #pageOf(index: number): number {
    let [low, high] = [0, this.#pages.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pages[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}
