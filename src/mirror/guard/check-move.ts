/**
 * Limits renames of files under COMPLIANCE locks. Such a rename stores the content twice until both locks end, and no
 * user can undo that. Up to 10 GiB in ten minutes are uploaded. Further renames are held for review, and the object
 * under the old name stays.
 */

import type { LockRequest } from '../../object-store/object-store.ts';
import type { PutAction } from '../plan/action.ts';
import { expectedHead } from '../plan/holds.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Clock } from '../../base/clock.ts';
import type { Activity } from '../model/tracker.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { GuardParts } from './anomaly-alarm.ts';
import { isApprovedPut } from './check-upload.ts';

const MOVED_BYTES_LIMIT = 10 * 1024 ** 3;
/** Length of the time window for adding up the sizes of renamed files, in milliseconds. */
const MOVES_WINDOW_MS = 10 * 60_000;
/**
 * Number of bytes after which the total is stored again. Storing it needs a disk write, but a crash loses at most this
 * many bytes of the count.
 */
const NOTED_EVERY_BYTES = 64 * 1024 * 1024;

/** Name of the value in the job's state file that contains the Tally as JSON. */
const MOVED_BYTES = 'moved-bytes';

interface Tally {
  /** Start of the time window, in milliseconds since 1970. */
  readonly since: number;
  readonly bytes: number;
}

export interface MovedFile {
  /** The baseline row of the file under its old name. */
  readonly origin: Pick<BaselineEntry, 'path'>;
  readonly content: { readonly entry: LocalEntry; readonly sha256: string };
}

export interface MoveCheck extends Pick<GuardParts, 'state' | 'tracker'> {
  readonly moved: MovedBytes;
}

/** Returns an activity log entry if the rename is held, otherwise undefined. See `ChangeGuard.checkMove`. */
export function checkMove(
  { action, attempts }: { readonly action: PutAction; readonly attempts: number },
  { origin, content: { entry, sha256 } }: MovedFile,
  lock: LockRequest | undefined,
  { state, tracker, moved }: MoveCheck,
): Activity | undefined {
  if (lock?.retention?.mode !== 'COMPLIANCE' || attempts > 0) return undefined;
  const { key } = action;
  const hold = state.heldChanges.among([key]).get(key);
  if (isApprovedPut(action, { sha256 }, hold)) return undefined;
  const wasHeld = hold?.state === 'held' && hold.sha256 === sha256;
  if (!wasHeld && moved.fits(entry.sizeBytes)) return undefined;
  const why =
    `renamed from ${origin.path}: its new object would lock ${entry.sizeBytes} more bytes in COMPLIANCE mode, in addition ` +
    'to the object under the old name';
  const head = expectedHead(action, state.baseline.get(key));
  state.heldChanges.holdOverwrite({ key, entry, sha256, why, head, movedFrom: origin.path });
  tracker.setHeld(key, false);
  const message = `held for review: ${why}`;
  return { level: 'warn', action: 'held', path: entry.path, message };
}

/** Adds up the sizes of renamed files. Each job has one instance. */
export class MovedBytes {
  readonly #state: StateFile;
  readonly #clock: Clock;
  #tally: Tally;
  /** The total that was last stored in the job's state, in bytes. */
  #notedBytes: number;

  constructor(state: StateFile, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    const text = state.meta(MOVED_BYTES);
    this.#tally = text === undefined ? { since: 0, bytes: 0 } : (JSON.parse(text) as Tally);
    this.#notedBytes = this.#tally.bytes;
  }

  /** Returns whether a file's size is within the limit. If so, adds the size to the total. */
  fits(sizeBytes: number): boolean {
    const now = this.#clock.now();
    const isNew = now - this.#tally.since >= MOVES_WINDOW_MS;
    const tally = isNew ? { since: now, bytes: 0 } : this.#tally;
    const bytes = tally.bytes + sizeBytes;
    if (bytes > MOVED_BYTES_LIMIT) return false;
    this.#tally = { ...tally, bytes };
    if (!isNew && bytes - this.#notedBytes < NOTED_EVERY_BYTES) return true;
    this.#state.setMeta(MOVED_BYTES, JSON.stringify(this.#tally));
    this.#notedBytes = bytes;
    return true;
  }
}
