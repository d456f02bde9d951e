/**
 * Pending replacements: files from the bucket that are replacing files in the folder. Meanwhile the replaced
 * file has a temporary name.
 */

import type { NewConflict } from '../model/conflict.ts';
import type { LocalEntry } from '../model/types.ts';
import type { Records, RecordsTable, StoredRecord } from './records.ts';

export interface PendingReplacement {
  readonly key: string;
  /** Temporary path of the replaced file, below the root. */
  readonly temporary: string;
  /** The replaced file as it was before; absent if there is none. */
  readonly entry?: LocalEntry;
  /** Where its content is stored, for the conflict log when the replacement is complete. */
  readonly replacedContent?: NewConflict;
}

type Replacement = Omit<PendingReplacement, 'key'>;

export class PendingReplacements {
  readonly #records: Records<Replacement>;

  constructor(records: RecordsTable) {
    this.#records = records.of('pending_replacement');
  }

  /** Durable when it returns. The folder may be changed only after that. */
  begin({ key, ...replacement }: PendingReplacement): void {
    this.#records.put({ key }, replacement);
  }

  end(key: string): void {
    this.#records.drop({ key });
  }

  /** Replacements that were interrupted. */
  all(): readonly PendingReplacement[] {
    return this.#records.all().map(readReplacement);
  }
}

function readReplacement({ key, value }: StoredRecord<Replacement>): PendingReplacement {
  return { key, ...value };
}
