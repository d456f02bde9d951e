/** Defines the options and the messages of the writer thread, which are plain data. */

import type { Faults } from '../disk/faults.ts';
import type { Refusal } from '../disk/refusals.ts';
import type { SharedReserve } from './reserve.ts';
import type { TableSettings } from './tables/write-tables.ts';

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: Refusal };

export interface WriterOptions extends TableSettings {
  readonly metadata: string;
  readonly reserve: SharedReserve;
  readonly crash?: Faults['crash'] | undefined;
  readonly maxMetadataPages?: number | undefined;
}

/** The message that makes the writer thread run the queued commands and then end. */
export const STOP = 'stop';

/** The reply to one group of commands, sent after the group was committed. */
export interface GroupReply {
  readonly replies: readonly Reply[];
  /** The files whose last reference was removed by the group. */
  readonly garbage: readonly string[];
  /** The error of all later writes. Present after the disk or the database has failed. */
  readonly failure?: Refusal | undefined;
}
