/** The interface of a source of list rows: an array, or pages that are fetched on demand. */

export interface RowSource<Row> {
  /** The number of rows known so far. */
  readonly count: number;
  /** Whether more rows than `count` may exist. */
  readonly more: boolean;
  readonly isLoading: boolean;
  /** Why the rows could not be read, as a message for the user. */
  readonly problem?: string | undefined;
  /** Returns a row. Returns undefined if the row exists but is not in memory; `need` fetches such a row. */
  row(index: number): Row | undefined;
  /** Loads these rows, and further rows if `to` is near the end. */
  need(from: number, to: number): void;
  /** Returns a row's unique id. Marks use it, and the cursor finds its row by the id after a reload. */
  id(row: Row): string;
  /** Returns the text of a row that a filter searches. */
  text(row: Row): string;
  /** The progress of a long search. The text must be safe to draw. */
  readonly note?: string | undefined;
  /** Searches all rows, including rows that are not in memory. Absent if all rows are in memory. */
  search?(search: Search<Row>): SearchedSource<Row>;
}

export interface Search<Row> {
  /** The filter. If absent, all rows match. */
  readonly matches?: ((row: string) => boolean) | undefined;
  /** The sort order. If absent, rows keep the order of the source. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined;
}

/** The rows that a search has found so far. The search adds rows until it has read all pages. */
export interface SearchedSource<Row> extends RowSource<Row> {
  stop(): void;
}

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. Absent on the last page. */
  readonly next?: Cursor | undefined;
}

/** Returns a row source for an array of rows. */
export function arraySource<Row>(
  rows: readonly Row[],
  describe: { readonly id: (row: Row) => string; readonly text?: (row: Row) => string },
): RowSource<Row> {
  return {
    count: rows.length,
    more: false,
    isLoading: false,
    row: (index) => rows[index],
    need: () => undefined,
    id: describe.id,
    text: describe.text ?? describe.id,
  };
}

/** Returns a source for filtered or sorted rows. It fetches further rows of `source` when the user is near the end. */
export function derivedSource<Row>(source: RowSource<Row>, rows: readonly Row[]): RowSource<Row> {
  return {
    count: rows.length,
    more: source.more,
    isLoading: source.isLoading,
    problem: source.problem,
    row: (index) => rows[index],
    need: (_from, to) => {
      if (source.more && to >= rows.length) source.need(source.count, source.count + 1);
    },
    id: (row) => source.id(row),
    text: (row) => source.text(row),
  };
}
