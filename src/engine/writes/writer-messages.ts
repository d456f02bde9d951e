/** Declares the options and the messages of the writer thread. They are plain data. */

import type { Faults } from '../disk/faults.ts';
import type { Refusal } from '../disk/refusals.ts';
import type { SharedReserve } from './reserve.ts';
import type { TableSettings } from './tables/write-tables.ts';

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: Refusal };

/** The options of the writer thread. */
export interface WriterOptions extends TableSettings {
  readonly metadata: string;
  readonly reserve: SharedReserve;
  readonly crash?: Faults['crash'] | undefined;
  readonly maxMetadataPages?: number | undefined;
}

/** The message that makes the writer run the queued commands and end. */
export const STOP = 'stop';

/** The reply to one group, sent after its commit. */
export interface GroupReply {
  readonly replies: readonly Reply[];
  /** Files whose last reference the group removed. */
  readonly garbage: readonly string[];
  /** Set once the disk or the database has failed: the error of all later writes. */
  readonly failure?: Refusal | undefined;
}
