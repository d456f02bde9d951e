/**
 * Stores which versions this job's deletes have hidden. If a deleted file returns, the service copies the hidden
 * version, so no content needs to be uploaded.
 */

import type { BaselineEntry } from '../model/types.ts';
import type { Records, RecordsTable } from './records.ts';

/**
 * Maximum number of remembered deletes. It is enough for a folder that is moved away and back, and takes a few
 * megabytes.
 */
const REMEMBERED = 10_000;
/** Minimum size in bytes of a remembered file. Uploading a smaller file is as fast as copying it. */
const WORTH_BYTES = 64 * 1024;

export class RecentlyDeleted {
  readonly #records: Records<BaselineEntry>;
  /** Sequence number for the next remembered delete. */
  #next: number;

  constructor(records: RecordsTable) {
    this.#records = records.of('deleted_file');
    this.#next = (this.#records.range().last ?? 0) + 1;
  }

  /** Remembers a deleted version. Must run inside the caller's transaction. */
  remember(key: string, entry: BaselineEntry): void {
    if (entry.versionId === undefined || entry.sizeBytes < WORTH_BYTES) return;
    this.#records.put({ key }, entry, this.#next);
    this.#next += 1;
    this.#records.dropBefore(this.#next - REMEMBERED);
  }

  forget(key: string): void {
    this.#records.drop({ key });
  }

  /** Returns the last baseline row of a deleted key, if the file had this content. The version may no longer exist. */
  get(key: string, sha256: string): BaselineEntry | undefined {
    const entry = this.#records.get({ key });
    return entry?.sha256 === sha256 ? entry : undefined;
  }
}
