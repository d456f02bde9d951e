/**
 * Implements a job's mass-change guard. It records anomalies, and holds suspicious uploads, deletes and renames for
 * review.
 */

import type { LockRequest } from '../../object-store/object-store.ts';
import type { ReadFile } from '../local/read-file.ts';
import type { Activity } from '../model/tracker.ts';
import type { PutAction } from '../plan/action.ts';
import { AnomalyAlarm, type GuardParts, type GuardSession } from './anomaly-alarm.ts';
import { checkMove, MovedBytes, type MovedFile } from './check-move.ts';
import { checkNewFiles, checkUpload, type NewContent } from './check-upload.ts';

export class ChangeGuard {
  readonly #parts: GuardParts;
  readonly #alarm: AnomalyAlarm;
  readonly #moved: MovedBytes;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#alarm = new AnomalyAlarm(parts);
    this.#moved = new MovedBytes(parts.state, parts.clock);
  }

  /**
   * Checks an upload for anomalies. Returns an activity log entry if the upload is held, otherwise undefined. The
   * anomaly is durable when this function returns.
   */
  checkUpload(
    action: PutAction,
    reading: ReadFile,
    session: GuardSession,
  ): Promise<Activity | undefined> {
    return checkUpload(action, reading, { ...this.#parts, alarm: this.#alarm }, session);
  }

  /** Checks the uploads of new files for anomalies, like `checkUpload`, but never holds an upload. */
  checkNewFiles(files: readonly NewContent[]): void {
    checkNewFiles(files, this.#parts);
  }

  /**
   * Checks a rename under COMPLIANCE locks. Returns an activity log entry if the rename is held, otherwise undefined.
   * The hold is durable when this function returns. `attempts` is the number of failed attempts so far.
   */
  checkMove(
    put: { readonly action: PutAction; readonly attempts: number },
    file: MovedFile,
    lock: LockRequest | undefined,
  ): Activity | undefined {
    return checkMove(put, file, lock, { ...this.#parts, moved: this.#moved });
  }

  /**
   * Returns the keys whose deletes must be held while the alarm is on: their file recently got content that looks
   * encrypted, or an encrypted copy of it appeared. Some attacks write an encrypted copy under a similar name and then
   * delete the file. Deletes that the user approved are not held.
   */
  async checkDeletes(keys: readonly string[], session: GuardSession): Promise<ReadonlySet<string>> {
    const { state } = this.#parts;
    const holds = state.heldChanges.among(keys);
    const isApproved = (key: string) => holds.get(key)?.approval !== undefined;
    const found = state.anomalies.among(keys).filter(({ key }) => !isApproved(key));
    if (found.length === 0) return new Set();
    const withCopies = found.filter(({ kind }) => kind === 'beside').map(({ key }) => key);
    // The files are marked before the alarm is checked, so that concurrent deletes count together.
    state.anomalies.markReplaced(withCopies);
    if (!(await this.#alarm.isOn(session))) return new Set();
    const fresh = found.filter(({ key }) => holds.get(key)?.change !== 'delete');
    await this.#alarm.lockGoodVersions(fresh, session);
    return new Set(found.map(({ key }) => key));
  }

  /**
   * Checks a planned delete again, because its file's encrypted copy may have been read after planning. Returns whether
   * the delete is now held.
   */
  async isHeldNow(key: string, session: GuardSession): Promise<boolean> {
    if ((await this.checkDeletes([key], session)).size === 0) return false;
    const { heldChanges, baseline } = this.#parts.state;
    const head = baseline.get(key);
    if (head) heldChanges.holdDelete(key, head);
    return true;
  }
}
