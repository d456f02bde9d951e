/**
 * Stores anomalies: files whose new content looks encrypted, and their last good versions. A record is kept for a day,
 * and for as long as the user has not decided.
 */

import type { Records, RecordsTable, StoredRecord } from './records.ts';

export interface AnomalyRow {
  /** Key of the file whose good content is at risk. */
  readonly key: string;
  /** When the anomaly was detected, in milliseconds since 1970. */
  readonly at: number;
  /**
   * How the anomaly was detected. `beside`: a new file that looks encrypted has the file's name plus a suffix.
   * `overwritten`: the file's new content looks encrypted. `replaced`: as `beside`, and the file was deleted after
   * that.
   */
  readonly kind: 'beside' | 'overwritten' | 'replaced';
  /** Key of the new file, if any. */
  readonly other?: string;
  /** A message for the user. */
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

  /** Stores an anomaly durably. A `beside` record never replaces an existing record, which is at least as specific. */
  note({ key, ...anomaly }: AnomalyRow): void {
    if (anomaly.kind === 'beside' && this.#records.has({ key })) return;
    this.#records.put({ key }, anomaly, anomaly.at);
  }

  /** Marks files that have encrypted copies as deleted. The recorded time does not change. */
  markReplaced(keys: readonly string[]): void {
    for (const anomaly of this.among(keys))
      if (anomaly.kind === 'beside') this.note({ ...anomaly, kind: 'replaced' });
  }

  /** Returns the anomalies of these keys. */
  among(keys: readonly string[]): readonly AnomalyRow[] {
    return this.#records.among(keys).map(readAnomaly);
  }

  /**
   * Returns the files that lost their content, oldest first. Files that only have an encrypted copy are not included.
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
