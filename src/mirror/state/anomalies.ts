/**
 * Stores anomalies (files whose new content looks encrypted) and the last good version of each file. A record is stored
 * for at least a day, and until the user has decided.
 */

import type { Records, RecordsTable, StoredRecord } from './records.ts';

export interface AnomalyRow {
  /** Key of the file whose readable content is at risk. */
  readonly key: string;
  /** When the anomaly was detected, in milliseconds since 1970. */
  readonly at: number;
  /**
   * How the anomaly was detected. `overwritten`: the file's new content looks encrypted. `beside`: a new file looks
   * encrypted, and its name is the file's name plus a suffix. `replaced`: like `beside`, but the file was then deleted.
   */
  readonly kind: 'beside' | 'overwritten' | 'replaced';
  /** Key of the new file, if there is one. */
  readonly other?: string;
  /** Explanation of the anomaly for the user. */
  readonly why: string;
  /** ETag of the last good version. */
  readonly etag: string;
  readonly versionId?: string;
}

type Anomaly = Omit<AnomalyRow, 'key'>;

export class Anomalies {
  readonly #records: Records<Anomaly>;

  constructor(records: RecordsTable) {
    this.#records = records.of('anomaly');
  }

  /**
   * Stores an anomaly durably. A `beside` record never replaces an existing record, because the existing record is at
   * least as specific.
   */
  note({ key, ...anomaly }: AnomalyRow): void {
    if (anomaly.kind === 'beside' && this.#records.has({ key })) return;
    this.#records.put({ key }, anomaly, anomaly.at);
  }

  /**
   * Records that the files with these keys were deleted after encrypted copies of them appeared. The recorded time does
   * not change.
   */
  markReplaced(keys: readonly string[]): void {
    for (const anomaly of this.among(keys))
      if (anomaly.kind === 'beside') this.note({ ...anomaly, kind: 'replaced' });
  }

  /** Returns the recorded anomalies of these keys. */
  among(keys: readonly string[]): readonly AnomalyRow[] {
    return this.#records.among(keys).map(readAnomaly);
  }

  /**
   * Returns the files that lost their readable content, oldest first. Excludes files that still exist next to an
   * encrypted copy.
   */
  lost(): readonly AnomalyRow[] {
    return this.#records
      .earliest()
      .map(readAnomaly)
      .filter(({ kind }) => kind !== 'beside');
  }

  forgetAll(): void {
    this.#records.dropAll();
  }

  forgetBefore(at: number): void {
    this.#records.dropBefore(at);
  }
}

function readAnomaly({ key, value }: StoredRecord<Anomaly>): AnomalyRow {
  return { key, ...value };
}
