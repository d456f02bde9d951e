/**
 * Limits renames under COMPLIANCE locks. Such a rename stores the file twice until both locks end, and no
 * user can undo that. Up to 10 GiB in ten minutes are uploaded; further renames are held for review, and the
 * object of the old name stays.
 */

import type { LockRequest } from '../../object-store/object-store.ts';
import type { PutAction } from '../plan/action.ts';
import { expectedHead } from '../plan/holds.ts';
import type { StateFile } from '../state/state.ts';
import type { Activity } from '../model/activity.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { AlarmContext } from './anomaly-alarm.ts';
import { isApprovedPut } from './check-upload.ts';

const MOVED_BYTES_LIMIT = 10 * 1024 ** 3;
/** Renames within this window count as one rename of a folder. */
const MOVES_WINDOW_MS = 10 * 60_000;
/** The most bytes that a crash can leave uncounted: each saved tally is a disk write. */
const NOTED_EVERY_BYTES = 64 * 1024 * 1024;

/** Name of a row in the state's `meta`: JSON of a Tally. */
const MOVED_BYTES = 'moved-bytes';

interface Tally {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly bytes: number;
}

const tallies = new WeakMap<StateFile, { readonly tally: Tally; readonly notedBytes: number }>();

export interface MovedFile {
  /** The baseline row of the old name. */
  readonly origin: Pick<BaselineEntry, 'path'>;
  readonly content: { readonly entry: LocalEntry; readonly sha256: string };
}

/**
 * Returns the log entry of a rename that is held, or undefined if it may proceed. The hold is durable before
 * this returns.
 */
export function checkMove(
  { action, attempts }: { readonly action: PutAction; readonly attempts: number },
  { origin, content: { entry, sha256 } }: MovedFile,
  lock: LockRequest | undefined,
  { state, clock, tracker }: Pick<AlarmContext, 'state' | 'clock' | 'tracker'>,
): Activity | undefined {
  if (lock?.retention?.mode !== 'COMPLIANCE' || attempts > 0) return undefined;
  const { key } = action;
  const hold = state.heldChanges.among([key]).get(key);
  if (isApprovedPut(action, { sha256 }, hold)) return undefined;
  const wasHeld = hold?.state === 'held' && hold.sha256 === sha256;
  if (!wasHeld && fitsTally(entry.sizeBytes, state, clock.now())) return undefined;
  const why =
    `renamed from ${origin.path}: ${entry.sizeBytes} bytes more would be locked by COMPLIANCE, beside those ` +
    'of the old name';
  const head = expectedHead(action, state.baseline.get(key));
  state.heldChanges.holdOverwrite({ key, entry, sha256, why, head, movedFrom: origin.path });
  tracker.setHeld(key, false);
  const message = `not mirrored under its new name: ${why}`;
  return { level: 'warn', action: 'held', path: entry.path, message };
}

/** Whether the file fits into the limit; counts it if so. */
function fitsTally(sizeBytes: number, state: StateFile, now: number): boolean {
  const known = tallies.get(state) ?? readTally(state);
  const isNew = now - known.tally.since >= MOVES_WINDOW_MS;
  const tally = isNew ? { since: now, bytes: 0 } : known.tally;
  const bytes = tally.bytes + sizeBytes;
  if (bytes > MOVED_BYTES_LIMIT) return false;
  const counted = { ...tally, bytes };
  const isNoted = !isNew && bytes - known.notedBytes < NOTED_EVERY_BYTES;
  if (!isNoted) state.setMeta(MOVED_BYTES, JSON.stringify(counted));
  tallies.set(state, { tally: counted, notedBytes: isNoted ? known.notedBytes : bytes });
  return true;
}

function readTally(state: StateFile): { readonly tally: Tally; readonly notedBytes: number } {
  const text = state.meta(MOVED_BYTES);
  const tally = text === undefined ? { since: 0, bytes: 0 } : (JSON.parse(text) as Tally);
  return { tally, notedBytes: tally.bytes };
}
