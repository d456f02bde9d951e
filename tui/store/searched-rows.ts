/** The rows of all pages that match a filter, found one page after the other while the first are shown already. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { SearchedSource } from '../components/row-source.ts';
import { numberText } from '../../src/text/amounts.ts';
import type { Page } from './paged-rows.ts';

export interface SearchedRowsOptions<Row, Cursor> {
  /** Page `index`, which begins at the cursor. */
  readonly read: (
    index: number,
    cursor: Cursor | undefined,
    signal: AbortSignal,
  ) => Promise<Page<Row, Cursor>>;
  readonly matches: (row: string) => boolean;
  readonly id: (row: Row) => string;
  readonly text: (row: Row) => string;
  readonly changed: () => void;
}

/** More than anybody reads; the filter is to be narrowed then. */
export const MOST_MATCHES = 10_000;

export class SearchedRows<Row, Cursor> implements SearchedSource<Row> {
  readonly #options: SearchedRowsOptions<Row, Cursor>;
  readonly #rows: Row[] = [];
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

  get note(): string {
    const looked = `searched ${numberText(this.#looked)}`;
    if (this.#isFull) return `${looked}: these are enough, narrow the filter`;
    return this.#next ? `${looked} so far` : looked;
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

  /** Goes on with a search that was stopped; who looks at the rows wants all there are. */
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
    return this.#rows.length >= MOST_MATCHES;
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
    const { matches, text, changed } = this.#options;
    // The row that leads up has no text, and is not one of the things searched.
    const texts = page.rows.map((row) => [row, text(row)] as const).filter(([, each]) => each);
    const found = texts.filter(([, each]) => matches(each)).map(([row]) => row);
    this.#rows.push(...found.slice(0, MOST_MATCHES - this.#rows.length));
    this.#pages += 1;
    this.#looked += texts.length;
    this.#next = page.next === undefined ? undefined : { cursor: page.next };
    changed();
  }
}
