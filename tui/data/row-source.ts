/** Where the rows of a list come from: an array, or pages that are fetched as they are needed. */

export interface RowSource<Row> {
  /** Rows known so far. */
  readonly count: number;
  /** Whether there may be more than `count`. */
  readonly more: boolean;
  readonly isLoading: boolean;
  /** Why the rows could not be read, for people. */
  readonly problem?: string | undefined;
  /** Undefined: known to be there, and not in memory now. `need` fetches it. */
  row(index: number): Row | undefined;
  /** Sees to it that these rows come into memory, and more after them when `to` is near the end. */
  need(from: number, to: number): void;
  /** What a row is known by, for marks and to find it again after a reload. */
  id(row: Row): string;
  /** The text that a filter searches. */
  text(row: Row): string;
  /** How far it is, where that takes time; safe to draw. */
  readonly note?: string | undefined;
  /** All rows that match, those not in memory too. Absent where all are at hand. */
  search?(search: Search<Row>): SearchedSource<Row>;
}

export interface Search<Row> {
  /** Absent: all rows. */
  readonly matches?: ((row: string) => boolean) | undefined;
  /** Absent: in the order of the source. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined;
}

/** Rows of a search. More are added until it ends. */
export interface SearchedSource<Row> extends RowSource<Row> {
  stop(): void;
}

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: Cursor | undefined;
}

/** All rows at hand. */
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

/** The rows that a filter left, or in another order. More are fetched when the end is near. */
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
