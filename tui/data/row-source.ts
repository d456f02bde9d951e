/** A source of list rows: an array, or pages that are fetched when they are needed. */

export interface RowSource<Row> {
  /** The number of rows known so far. */
  readonly count: number;
  /** Whether the source may have more rows than `count`. */
  readonly more: boolean;
  readonly isLoading: boolean;
  /** Why the rows could not be read, as text for the user. */
  readonly problem?: string | undefined;
  /** Returns a row. Undefined if the row exists but is not in memory: `need` fetches it. */
  row(index: number): Row | undefined;
  /** Loads these rows, and more rows when `to` is near the end. */
  need(from: number, to: number): void;
  /** Returns the identity of a row, which marks use and which finds the row again after a reload. */
  id(row: Row): string;
  /** Returns the text that a filter searches. */
  text(row: Row): string;
  /** The progress of a long search. Safe to draw. */
  readonly note?: string | undefined;
  /** Searches all rows, including those that are not in memory. Absent if all rows are in memory. */
  search?(search: Search<Row>): SearchedSource<Row>;
}

export interface Search<Row> {
  /** Without it, all rows match. */
  readonly matches?: ((row: string) => boolean) | undefined;
  /** Without it, rows keep the order of the source. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined;
}

/** Rows of a search, which adds rows until it has read all pages. */
export interface SearchedSource<Row> extends RowSource<Row> {
  stop(): void;
}

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. Absent on the last page. */
  readonly next?: Cursor | undefined;
}

/** Returns a source of rows that are all in memory. */
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

/** Returns a source of filtered or sorted rows. It fetches more rows of `source` when the end is near. */
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
