/** One prefix of a bucket, with its rows and the cursor position. */

import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import type { BucketPlace } from '../../data/place.ts';
import { BY_NAME, BY_VERSIONS, objectOrders } from './object-orders.ts';
import type { SumsOf } from './object-orders.ts';
import { fetchObjects, idOf, nameOf } from './object-rows.ts';
import type { Listing, ObjectCursor, ObjectRow } from './object-rows.ts';

export class ObjectsLevel {
  readonly prefix: string;
  readonly list: ListModel<ObjectRow>;
  readonly rows: PagedRows<ObjectRow, ObjectCursor>;
  readonly #showDeleted: () => boolean;
  /**
   * The listing that the loaded rows come from. A page cursor is valid only in the listing that
   * returned it.
   */
  #listing: Pick<Listing, 'showDeleted' | 'byVersions'> = { showDeleted: false, byVersions: false };
  /** The id of the row that the cursor moves to once this row is loaded. */
  #wantedId: string | undefined;

  constructor(ui: Ui, options: LevelOptions) {
    const { prefix } = options;
    this.prefix = prefix;
    this.#showDeleted = options.showDeleted;
    this.list = new ListModel<ObjectRow>({
      changes: ui.changes,
      canMark: (row) => row.kind !== 'up',
      above: () => 1,
      orders: objectOrders(options.sumsOf),
      ordered: () => this.#isAnotherListing && void this.restart(),
    });
    this.rows = new PagedRows<ObjectRow, ObjectCursor>({
      fetch: (cursor, signal) => {
        const listing = { place: options.place, prefix, ...this.#listing };
        return fetchObjects(ui, listing, cursor, signal);
      },
      id: idOf,
      text: (row) => nameOf(row).slice(prefix.length),
      changed: () => this.#changed(),
    });
    this.list.show(this.rows);
  }

  /** Sorts the rows again after the folder sizes have changed. */
  sortAgain(): void {
    this.#changed();
  }

  /** Moves the cursor to the row with this id, once the row is loaded. */
  goTo(id: string): void {
    this.#wantedId = id;
    this.#changed();
  }

  /**
   * Loads more pages until it finds the row with this id. Returns false if the row does not exist.
   */
  async seek(id: string, signal: AbortSignal): Promise<boolean> {
    if (this.list.order) this.list.orderBy(BY_NAME);
    await this.rows.reload();
    if (this.list.moveToId(id)) return true;
    const found = new AbortController();
    let from = 0;
    const look = (count: number) => {
      for (let index = from; index < count; index += 1) {
        const row = this.rows.row(index);
        if (row === undefined || idOf(row) !== id) continue;
        this.#changed();
        this.list.moveTo(index);
        found.abort();
      }
      from = count;
    };
    await this.rows.loadAll(look, AbortSignal.any([signal, found.signal]));
    return found.signal.aborted;
  }

  /** Reloads the visible rows. */
  async refresh(): Promise<void> {
    if (this.#isAnotherListing) return this.restart();
    await this.rows.reload(this.list.filter || this.list.order ? 0 : this.list.top);
    // If the row was not on this page, the cursor must not jump to the row later.
    this.#wantedId = undefined;
    this.list.searchAgain();
  }

  /** Reloads from the first page, because another listing of the same prefix was selected. */
  async restart(): Promise<void> {
    this.#listing = this.#wantedListing;
    const { current } = this.list;
    if (current) this.#wantedId = idOf(current);
    this.list.moveToStart();
    await this.rows.reload();
    this.list.searchAgain();
    this.#wantedId = undefined;
  }

  get #wantedListing(): Pick<Listing, 'showDeleted' | 'byVersions'> {
    const byVersions = this.list.order?.name === BY_VERSIONS;
    return { showDeleted: this.#showDeleted(), byVersions };
  }

  get #isAnotherListing(): boolean {
    const { showDeleted, byVersions } = this.#wantedListing;
    const now = this.#listing;
    return now.showDeleted !== showDeleted || now.byVersions !== byVersions;
  }

  #changed(): void {
    this.list.show(this.rows);
    if (this.#wantedId !== undefined && this.list.moveToId(this.#wantedId)) {
      this.#wantedId = undefined;
    }
  }
}

interface LevelOptions {
  readonly place: BucketPlace;
  readonly prefix: string;
  readonly showDeleted: () => boolean;
  readonly sumsOf: SumsOf;
}
