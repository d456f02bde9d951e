/**
 * Stores versions that deletes of this job hid. If the file returns, the service copies its version, so that no bytes
 * are uploaded.
 */

import type { BaselineEntry } from '../model/types.ts';
import type { Records, RecordsTable } from './records.ts';

/**
 * Maximum number of remembered deletes. It suffices for a folder that is moved away and back, and needs a few
 * megabytes.
 */
const REMEMBERED = 10_000;
/** Minimum size in bytes of a remembered file. A smaller file is uploaded as quickly as it is copied. */
const WORTH_BYTES = 64 * 1024;

export class RecentlyDeleted {
  readonly #records: Records<BaselineEntry>;
  /** Sequence number of the next delete. */
  #next: number;

  constructor(records: RecordsTable) {
    this.#records = records.of('deleted_file');
    this.#next = (this.#records.range().last ?? 0) + 1;
  }

  /** Remembers a deleted version. Must run inside a transaction of the caller. */
  remember(key: string, entry: BaselineEntry): void {
    if (entry.versionId === undefined || entry.sizeBytes < WORTH_BYTES) return;
    this.#records.put({ key }, entry, this.#next);
    this.#next += 1;
    this.#records.dropBefore(this.#next - REMEMBERED);
  }

  forget(key: string): void {
    this.#records.drop({ key });
  }

  /** Returns the former baseline row of a deleted key if it had this content. The version may no longer exist. */
  get(key: string, sha256: string): BaselineEntry | undefined {
    const entry = this.#records.get({ key });
    return entry?.sha256 === sha256 ? entry : undefined;
  }
}
