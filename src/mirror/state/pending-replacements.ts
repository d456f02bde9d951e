/**
 * Stores pending replacements: downloads that are about to replace files in the folder. During a replacement, the
 * replaced file has a temporary name.
 */

import type { NewConflict } from '../model/conflict.ts';
import type { LocalEntry } from '../model/types.ts';
import type { Records, RecordsTable, StoredRecord } from './records.ts';

export interface PendingReplacement {
  readonly key: string;
  /** Temporary path of the replaced file, relative to the root. */
  readonly temporary: string;
  /** The file before it is replaced; absent if no file exists. */
  readonly entry?: LocalEntry;
  /** Where the replaced content is stored. This entry is added to the conflict log when the replacement is complete. */
  readonly replacedContent?: NewConflict;
}

type Replacement = Omit<PendingReplacement, 'key'>;

export class PendingReplacements {
  readonly #records: Records<Replacement>;

  constructor(records: RecordsTable) {
    this.#records = records.of('pending_replacement');
  }

  /** Records a replacement durably. The caller may change the folder only after that. */
  begin({ key, ...replacement }: PendingReplacement): void {
    this.#records.put({ key }, replacement);
  }

  end(key: string): void {
    this.#records.drop({ key });
  }

  /** Returns the replacements that were interrupted. */
  all(): readonly PendingReplacement[] {
    return this.#records.all().map(readReplacement);
  }
}

function readReplacement({ key, value }: StoredRecord<Replacement>): PendingReplacement {
  return { key, ...value };
}
