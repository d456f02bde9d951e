/** The state of a list: cursor, visible window, marks, filter and order. It does not handle keys and does not draw. */

import type { Changes } from '../data/changes.ts';
import type { Measured } from './column-widths.ts';
import { makeFilter } from './filter.ts';
import type { Filter } from './filter.ts';
import { arraySource, derivedSource } from '../data/row-source.ts';
import type { RowSource, SearchedSource } from '../data/row-source.ts';
import { moveTo } from './window.ts';
import type { Window } from './window.ts';

export interface SortOrder<Row> {
  readonly name: string;
  readonly compare: (a: Row, b: Row) => number;
}

interface ListModelOptions<Row> {
  readonly changes: Changes;
  /** The sort orders that the user can select. The first one is the order in which the source returns the rows. */
  readonly orders?: readonly SortOrder<Row>[];
  /** Called after the user has selected another sort order. */
  readonly ordered?: () => void;
  /** Returns whether a row can be marked. The row of the parent folder cannot be marked. */
  readonly canMark?: (row: Row) => boolean;
  /** The number of rows above the first entry, such as the row of the parent folder. These rows are not counted. */
  readonly above?: () => number;
}

/** The part of a list that the list keys use. It does not depend on the type of the rows. */
export interface Movable {
  readonly rows: { readonly count: number; readonly more: boolean };
  readonly filter: Filter | undefined;
  readonly orderNames: readonly string[];
  /** Whether no row is loaded yet, although rows may follow. */
  readonly isUnread: boolean;
  /** The index of the row under the cursor. */
  readonly cursor: number;
  /** The drawn text of each visible row, by row index. */
  readonly drawn: ReadonlyMap<number, string>;
  /** Loads the visible rows that are not in memory. */
  needInView(): void;
  moveBy(rows: number): void;
  moveByPages(pages: number): void;
  moveTo(cursor: number): void;
  /** Moves the cursor to an entry by its number, counted from 1. */
  moveToNumber(number: number): void;
  moveToLast(): void;
  toggleMark(): void;
  markAll(): void;
  clearMarks(): boolean;
  setFilter(text: string): void;
  orderBy(name: string): void;
}

export class ListModel<Row> implements Movable {
  readonly measured: Measured = { cells: [], rests: [] };
  readonly #changes: Changes;
  readonly #orders: readonly SortOrder<Row>[];
  readonly #ordered: (() => void) | undefined;
  readonly #canMark: (row: Row) => boolean;
  readonly #above: () => number;
  #source: RowSource<Row> = arraySource<Row>([], { id: () => '' });
  /** The rows after filtering and sorting. Without a filter and an order, these are the rows of the source. */
  #shown: RowSource<Row> = this.#source;
  #searched: SearchedSource<Row> | undefined;
  /** The rows from the previous search, shown while the same search runs again. */
  #earlier: RowSource<Row> | undefined;
  #wasShown = false;
  #window: Window = { cursor: 0, top: 0 };
  /** The number of rows that were visible in the last draw. */
  height = 1;
  #filter: Filter | undefined;
  #order: SortOrder<Row> | undefined;
  #marks = new Map<string, Row>();
  /** The id of the row under the cursor. The cursor follows this row if rows are inserted above it. */
  #cursorId: string | undefined;
  /** Whether the cursor moves to the first entry as soon as this entry is loaded. */
  #isAtStart = true;
  drawn: ReadonlyMap<number, string> = new Map();

  constructor(options: ListModelOptions<Row>) {
    const { changes, orders = [], canMark = () => true, above = () => 0 } = options;
    this.#changes = changes;
    this.#orders = orders;
    this.#ordered = options.ordered;
    this.#canMark = canMark;
    this.#above = above;
  }

  get rows(): RowSource<Row> {
    return this.#shown;
  }

  get cursor(): number {
    return this.#window.cursor;
  }

  get top(): number {
    return this.#window.top;
  }

  get isUnread(): boolean {
    return this.#shown.count === 0 && (!this.#wasShown || this.#shown.isLoading);
  }

  /** The number of entries, and the position of the cursor's entry, counted from 1. It is 0 if no entry is selected. */
  get place(): { readonly number: number; readonly count: number } {
    const above = this.#rowsAbove;
    return {
      number: Math.max(0, Math.min(this.#window.cursor + 1, this.#shown.count) - above),
      count: Math.max(0, this.#shown.count - above),
    };
  }

  /** The number of rows above the entries. A filter hides these rows. */
  get #rowsAbove(): number {
    return this.#filter ? 0 : this.#above();
  }

  get filter(): Filter | undefined {
    return this.#filter;
  }

  get order(): SortOrder<Row> | undefined {
    return this.#order;
  }

  get marks(): ReadonlyMap<string, Row> {
    return this.#marks;
  }

  /** The row under the cursor. */
  get current(): Row | undefined {
    return this.#shown.row(this.#window.cursor);
  }

  /** The rows that an action applies to: the marked rows, or the row under the cursor if none is marked. */
  get chosen(): readonly Row[] {
    if (this.#marks.size > 0) return [...this.#marks.values()];
    return this.current === undefined ? [] : [this.current];
  }

  /** Returns those rows in memory that are among the `height` rows from the top. */
  inView(height = this.height): Row[] {
    const { rows, top } = this;
    const shown = Array.from({ length: height }, (_, index) => rows.row(top + index));
    return shown.filter((row) => row !== undefined);
  }

  isMarked(row: Row): boolean {
    return this.#marks.has(this.#shown.id(row));
  }

  /** Replaces the rows or updates their values. The cursor stays on its row as long as the row exists. */
  show(source: RowSource<Row>): void {
    this.replace(source);
    this.#changes.soon();
  }

  /** Replaces the rows without requesting a redraw. Used for rows that are computed during a redraw. */
  replace(source: RowSource<Row>): void {
    if (this.#source !== source) this.#search(source);
    this.#source = source;
    this.#wasShown = true;
    this.#derive();
    this.#follow();
    this.#freshenMarks();
  }

  /** Shows an array of rows. */
  showAll(rows: readonly Row[], id: (row: Row) => string, text?: (row: Row) => string): void {
    this.show(arraySource(rows, text ? { id, text } : { id }));
  }

  /** Sets the number of visible rows, without a redraw. */
  fitTo(height: number): void {
    this.height = Math.max(1, height);
    this.#window = moveTo(this.#window, this.#window.cursor, this.#shown.count, this.height);
  }

  needInView(): void {
    this.#shown.need(this.#window.top, this.#window.top + this.height);
  }

  moveBy(rows: number): void {
    this.moveTo(this.#window.cursor + rows);
  }

  moveByPages(pages: number): void {
    this.moveBy(Math.trunc(pages * Math.max(1, this.height - 1)));
  }

  moveTo(cursor: number): void {
    this.#isAtStart = false;
    this.#window = moveTo(this.#window, cursor, this.#shown.count, this.height);
    this.needInView();
    this.#remember();
    this.#changes.now();
  }

  moveToNumber(number: number): void {
    this.moveTo(number - 1 + this.#rowsAbove);
  }

  /** Moves to the first entry below the row of the parent folder, even if that entry is loaded later. */
  moveToStart(): void {
    this.moveTo(this.#rowsAbove);
    this.#isAtStart = true;
  }

  moveToLast(): void {
    this.moveTo(this.#shown.count - 1);
  }

  /** Moves the cursor to the row with this id. Returns false if the row is not in memory. */
  moveToId(id: string): boolean {
    const index = this.#indexOf(id);
    if (index !== undefined) this.moveTo(index);
    return index !== undefined;
  }

  setFilter(text: string): void {
    this.#filter = text === '' ? undefined : makeFilter(text);
    this.#search(this.#source);
    this.#derive();
    this.#follow();
    this.#changes.now();
  }

  get orderNames(): readonly string[] {
    return this.#orders.map(({ name }) => name);
  }

  orderBy(name: string): void {
    const order = this.#orders.find((each) => each.name === name);
    this.#order = order === this.#orders[0] ? undefined : order;
    this.#search(this.#source);
    this.#derive();
    this.#follow();
    this.#ordered?.();
    this.#changes.now();
  }

  /** Repeats the search or sort after a change of the source. Shows the previous result until it is complete. */
  searchAgain(): void {
    if (!this.#searched) return;
    this.#search(this.#source);
    this.#earlier = this.#shown;
    this.#derive();
  }

  toggleMark(): void {
    const row = this.current;
    if (row === undefined) return;
    const id = this.#shown.id(row);
    if (!this.#marks.delete(id) && this.#canMark(row)) this.#marks.set(id, row);
    this.moveBy(1);
  }

  /** Marks all rows in memory that match the filter. */
  markAll(): void {
    for (let index = 0; index < this.#shown.count; index += 1) {
      const row = this.#shown.row(index);
      if (row !== undefined && this.#canMark(row)) this.#marks.set(this.#shown.id(row), row);
    }
    this.#changes.now();
  }

  /** Removes all marks. Returns false if no rows were marked. */
  clearMarks(): boolean {
    const had = this.#marks.size > 0;
    this.#marks.clear();
    if (had) this.#changes.now();
    return had;
  }

  #search(source: RowSource<Row>): void {
    this.#searched?.stop();
    this.#earlier = undefined;
    const [filter, order] = [this.#filter, this.#order];
    const search = { matches: filter?.matches, compare: order?.compare };
    this.#searched = filter || order ? source.search?.(search) : undefined;
  }

  #derive(): void {
    const [filter, order] = [this.#filter, this.#order];
    if (this.#searched) {
      if (!this.#searched.isLoading) this.#earlier = undefined;
      this.#shown = this.#earlier ?? this.#searched;
      return;
    }
    if (!filter && !order) {
      this.#shown = this.#source;
      return;
    }
    const rows: Row[] = [];
    for (let index = 0; index < this.#source.count; index += 1) {
      const row = this.#source.row(index);
      if (row !== undefined && (filter?.matches(this.#source.text(row)) ?? true)) rows.push(row);
    }
    if (order) rows.sort(order.compare);
    this.#shown = derivedSource(this.#source, rows);
  }

  #follow(): void {
    const index = this.#cursorId === undefined ? undefined : this.#indexOf(this.#cursorId);
    const isFound = index !== undefined && (!this.#isAtStart || index >= this.#rowsAbove);
    const cursor = isFound ? index : this.#isAtStart ? this.#rowsAbove : this.#window.cursor;
    const shift = cursor - this.#window.cursor;
    const window = { cursor, top: this.#window.top + shift };
    this.#window = moveTo(window, cursor, this.#shown.count, this.height);
    if (this.#cursorId === undefined || !isFound) this.#remember();
  }

  #remember(): void {
    const row = this.current;
    this.#cursorId = row === undefined ? undefined : this.#shown.id(row);
  }

  /** Finds a row by its id. Searches near the cursor first, because most rows of a very long list are not in memory. */
  #indexOf(id: string): number | undefined {
    const isIt = (index: number) => {
      const row = this.#shown.row(index);
      return row !== undefined && this.#shown.id(row) === id;
    };
    if (isIt(this.#window.cursor)) return this.#window.cursor;
    const count = Math.min(this.#shown.count, MOST_SEARCHED);
    for (let index = 0; index < count; index += 1) if (isIt(index)) return index;
    return undefined;
  }

  /** Replaces the marked rows by their current values. */
  #freshenMarks(): void {
    if (this.#marks.size === 0) return;
    for (let index = 0; index < Math.min(this.#source.count, MOST_SEARCHED); index += 1) {
      const row = this.#source.row(index);
      if (row === undefined) continue;
      const id = this.#source.id(row);
      if (this.#marks.has(id)) this.#marks.set(id, row);
    }
  }
}

/**
 * Limits the number of rows that are searched for an id. Lists that change while they are visible are short or loaded
 * in pages.
 */
const MOST_SEARCHED = 10_000;
