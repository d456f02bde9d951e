/**
 * Limits renames under COMPLIANCE locks. Such a rename stores the file twice until both locks end, which no user can
 * undo. Up to 10 GiB in ten minutes are uploaded. Further renames are held for review, and the object of the old name
 * stays.
 */

import type { LockRequest } from '../../object-store/object-store.ts';
import type { PutAction } from '../plan/action.ts';
import { expectedHead } from '../plan/holds.ts';
import type { StateFile } from '../state/state.ts';
import type { Clock } from '../../base/clock.ts';
import type { Activity } from '../model/activity.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { GuardParts } from './anomaly-alarm.ts';
import { isApprovedPut } from './check-upload.ts';

const MOVED_BYTES_LIMIT = 10 * 1024 ** 3;
/** Time window in which renames count together, like the rename of one folder. */
const MOVES_WINDOW_MS = 10 * 60_000;
/** Maximum number of bytes that a crash can leave uncounted, because each saved count is a disk write. */
const NOTED_EVERY_BYTES = 64 * 1024 * 1024;

/** Name of the `meta` record in the job's state that stores the bytes of recent renames (`Tally` as JSON). */
const MOVED_BYTES = 'moved-bytes';

interface Tally {
  /** Start of the time window, in milliseconds since 1970. */
  readonly since: number;
  readonly bytes: number;
}

export interface MovedFile {
  /** The baseline row of the file's old name. */
  readonly origin: Pick<BaselineEntry, 'path'>;
  readonly content: { readonly entry: LocalEntry; readonly sha256: string };
}

export interface MoveCheck extends Pick<GuardParts, 'state' | 'tracker'> {
  readonly moved: MovedBytes;
}

/** Checks a rename (see `ChangeGuard.checkMove`). */
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

/** Counts the bytes of renames. Each job has one instance. */
export class MovedBytes {
  readonly #state: StateFile;
  readonly #clock: Clock;
  #tally: Tally;
  /** Number of bytes in the stored tally. */
  #notedBytes: number;

  constructor(state: StateFile, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    const text = state.meta(MOVED_BYTES);
    this.#tally = text === undefined ? { since: 0, bytes: 0 } : (JSON.parse(text) as Tally);
    this.#notedBytes = this.#tally.bytes;
  }

  /** Returns whether the file fits into the limit, and counts it if so. */
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
