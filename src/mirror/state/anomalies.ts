/**
 * Anomalies: files whose new content looks encrypted, and their last good versions. Records stay for a day,
 * and while the user decides.
 */

import type { Records, RecordsTable, StoredRecord } from './records.ts';

export interface AnomalyRow {
  /** Of the file whose good content is at risk. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `beside`: a new file that looks encrypted has its name plus a suffix; `replaced`: and then the file was
   * deleted.
   */
  readonly kind: 'beside' | 'overwritten' | 'replaced';
  /** Key of the new file, if any. */
  readonly other?: string;
  /** A message for the user. */
  readonly why: string;
  /** Of the last good version. */
  readonly etag: string;
  readonly versionId?: string;
}

type Anomaly = Omit<AnomalyRow, 'key'>;

export class Anomalies {
  readonly #records: Records<Anomaly>;

  constructor(records: RecordsTable) {
    this.#records = records.of('anomaly');
  }

  /** Durable when it returns. A `beside` record never replaces an existing one, which says at least as much. */
  note({ key, ...anomaly }: AnomalyRow): void {
    if (anomaly.kind === 'beside' && this.#records.has({ key })) return;
    this.#records.put({ key }, anomaly, anomaly.at);
  }

  /** Marks files with encrypted copies as deleted. The time stays that of the copies. */
  markReplaced(keys: readonly string[]): void {
    for (const anomaly of this.among(keys))
      if (anomaly.kind === 'beside') this.note({ ...anomaly, kind: 'replaced' });
  }

  /** The anomalies of these keys. */
  among(keys: readonly string[]): readonly AnomalyRow[] {
    return this.#records.among(keys).map(readAnomaly);
  }

  /** Files that lost their content, without those that merely have an encrypted copy. Oldest first. */
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
