/**
 * Opens the monitoring database. Writes to its tables are either durable transactions or fast
 * transactions without a sync.
 */

import type { Database } from 'better-sqlite3';

import { AlarmTable } from './alarm-table.ts';
import { BucketTable } from './bucket-table.ts';
import { openMonitoringFile } from './monitoring-file.ts';
import { RecentTable } from './recent-table.ts';
import { SeriesTable } from './series-table.ts';

export class Tables {
  readonly buckets: BucketTable;
  readonly series: SeriesTable;
  readonly alarms: AlarmTable;
  readonly recent: RecentTable;
  /** The new path of the damaged file that was replaced. Undefined if the file was not damaged. */
  readonly damaged: string | undefined;
  readonly #database: Database;

  constructor(path: string) {
    const { database, damaged } = openMonitoringFile(path);
    this.#database = database;
    this.damaged = damaged;
    this.buckets = new BucketTable(this.#database);
    this.series = new SeriesTable(this.#database);
    this.alarms = new AlarmTable(this.#database);
    this.recent = new RecentTable(this.#database);
  }

  /**
   * Runs `write` in a transaction and returns its result. The transaction is durable when this
   * method returns.
   */
  durably<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  /**
   * Runs `write` in a transaction without a sync, and returns its result. A power failure may lose the samples of the
   * last minutes, which leaves a gap in the series.
   */
  loosely<T>(write: () => T): T {
    this.#database.pragma('synchronous = NORMAL');
    try {
      return this.#database.transaction(write).immediate();
    } finally {
      this.#database.pragma('synchronous = FULL');
    }
  }

  close(): void {
    this.#database.close();
  }
}
