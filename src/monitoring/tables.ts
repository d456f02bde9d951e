/** The tables of one file, and the two ways of writing to them. */

import type { Database } from 'better-sqlite3';

import { AlarmTable } from './alarm-table.ts';
import { BucketTable } from './bucket-table.ts';
import { openMonitoringFile } from './monitoring-file.ts';
import { SeriesTable } from './series-table.ts';

export class Tables {
  readonly buckets: BucketTable;
  readonly series: SeriesTable;
  readonly alarms: AlarmTable;
  /** Where the damaged file is in whose place this one was made. */
  readonly damaged: string | undefined;
  readonly #database: Database;

  constructor(path: string) {
    const { database, damaged } = openMonitoringFile(path);
    this.#database = database;
    this.damaged = damaged;
    this.buckets = new BucketTable(this.#database);
    this.series = new SeriesTable(this.#database);
    this.alarms = new AlarmTable(this.#database);
  }

  /** One transaction, synced before this returns. */
  durably<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  /** One transaction without a sync: a power cut may take the last minutes, which are a gap then. */
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
