/** Filters or sorts the rows of all pages. Found rows are shown while further pages are read. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { SearchedSource } from './row-source.ts';
import { numberText } from '../../src/text/amounts.ts';
import type { Page } from './row-source.ts';

export interface SearchedRowsOptions<Row, Cursor> {
  /** Reads page `index`, which starts at the cursor. */
  readonly read: (
    index: number,
    cursor: Cursor | undefined,
    signal: AbortSignal,
  ) => Promise<Page<Row, Cursor>>;
  /** The filter. If absent, all rows match. */
  readonly matches?: ((row: string) => boolean) | undefined;
  /** The sort order. If absent, rows keep the order of the pages. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined;
  readonly id: (row: Row) => string;
  readonly text: (row: Row) => string;
  readonly changed: () => void;
}

/**
 * A search stops after this many matches. Users do not read more and can narrow the filter instead.
 */
export const MOST_MATCHES = 10_000;
/**
 * Sorting stops after this many rows. Reading them takes minutes, and each request may cost money.
 */
export const MOST_SORTED = 200_000;

export class SearchedRows<Row, Cursor> implements SearchedSource<Row> {
  readonly #options: SearchedRowsOptions<Row, Cursor>;
  #rows: Row[] = [];
  #pages = 0;
  #looked = 0;
  #next: { readonly cursor: Cursor | undefined } | undefined = { cursor: undefined };
  #running: AbortController | undefined;
  #problem: string | undefined;

  constructor(options: SearchedRowsOptions<Row, Cursor>) {
    this.#options = options;
    this.need();
  }

  get count(): number {
    return this.#rows.length;
  }

  get more(): boolean {
    return this.#next !== undefined;
  }

  get isLoading(): boolean {
    return this.#running !== undefined;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get note(): string | undefined {
    if (this.#options.compare) return this.#sortNote;
    const looked = `searched ${numberText(this.#looked)}`;
    if (this.#isFull) return `${looked}: enough matches, narrow the filter`;
    return this.#next ? `${looked} so far` : looked;
  }

  get #sortNote(): string | undefined {
    const read = numberText(this.#looked);
    if (this.#next && this.#isFull) return `of the first ${read} only`;
    if (this.#next) return `read ${read} so far`;
    return this.#looked > MOST_MATCHES ? `of ${read} in all` : undefined;
  }

  row(index: number): Row | undefined {
    return this.#rows[index];
  }

  id(row: Row): string {
    return this.#options.id(row);
  }

  text(row: Row): string {
    return this.#options.text(row);
  }

  /** Continues a stopped search, because the visible rows need the complete result. */
  need(): void {
    if (this.#running || this.#problem !== undefined || !this.#next || this.#isFull) return;
    this.#running = new AbortController();
    void this.#search(this.#running);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  get #isFull(): boolean {
    const { compare } = this.#options;
    return compare ? this.#looked >= MOST_SORTED : this.#rows.length >= MOST_MATCHES;
  }

  async #search(running: AbortController): Promise<void> {
    try {
      while (this.#running === running && this.#next && !this.#isFull) {
        const page = await this.#options.read(this.#pages, this.#next.cursor, running.signal);
        if (this.#running !== running) return;
        this.#take(page);
      }
    } catch (error) {
      if (this.#running !== running) return;
      if (!isAbort(error)) this.#problem = errorMessage(error);
    }
    this.#running = undefined;
    this.#options.changed();
  }

  #take(page: Page<Row, Cursor>): void {
    const { matches, compare, text, changed } = this.#options;
    // The row of the parent folder has no text, so the search skips it.
    const texts = page.rows.map((row) => [row, text(row)] as const).filter(([, each]) => each);
    const found = matches
      ? texts.filter(([, each]) => matches(each)).map(([row]) => row)
      : page.rows;
    const rows = [...this.#rows, ...found];
    // If too many rows match, only the first ones in the sort order are kept.
    this.#rows = (compare ? rows.sort(compare) : rows).slice(0, MOST_MATCHES);
    this.#pages += 1;
    this.#looked += texts.length;
    this.#next = page.next === undefined ? undefined : { cursor: page.next };
    changed();
  }
}
