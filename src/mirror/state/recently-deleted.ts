/** Versions that deletes of this job hid. If the file returns, its bytes need not be uploaded again. */

import type { BaselineEntry } from '../model/types.ts';
import type { Records, RecordsTable } from './records.ts';

/** The latest deletes: enough for a folder that is moved away and returns, in a few megabytes. */
const REMEMBERED = 10_000;
/** Smaller files are uploaded as fast as copied. */
const WORTH_BYTES = 64 * 1024;

export class RecentlyDeleted {
  readonly #records: Records<BaselineEntry>;
  /** The number of the next delete. */
  #next: number;

  constructor(records: RecordsTable) {
    this.#records = records.of('deleted_file');
    this.#next = (this.#records.range().last ?? 0) + 1;
  }

  /** The caller runs this inside a transaction. */
  remember(key: string, entry: BaselineEntry): void {
    if (entry.versionId === undefined || entry.sizeBytes < WORTH_BYTES) return;
    this.#records.put({ key }, entry, this.#next);
    this.#next += 1;
    this.#records.dropBefore(this.#next - REMEMBERED);
  }

  forget(key: string): void {
    this.#records.drop({ key });
  }

  /** The baseline row of the version of the key with this content. The version may no longer exist. */
  get(key: string, sha256: string): BaselineEntry | undefined {
    const entry = this.#records.get({ key });
    return entry?.sha256 === sha256 ? entry : undefined;
  }
}
