/**
 * Records the versions that were written while the wall clock was ahead of the trusted time, and corrects them once it is
 * known which of the two was right.
 *
 * Default retentions are counted from the trusted time. When the user confirms the wall clock, each is extended to the end
 * that it would have by that clock. When the wall clock comes back, each remains as it is. So no retention ends early, and
 * no wrong clock locks a version for years.
 *
 * A version that is written after the wall clock was seen to jump ahead is dated by that clock, because a jump can also
 * correct a clock. If the clock comes back, it was wrong, and the versions are dated again by the monotonic time. Otherwise
 * a point-in-time view could not place them.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { TrustedInstant } from '../../clock/trusted-time.ts';

/**
 * The smallest change of the offset that is recorded. Smaller changes occur, for example, while the clock is slewed back.
 */
const STEP_MS = 1_000;

export class ClockDoubts {
  readonly #lastAhead: Statement<[], number>;
  readonly #add: Statement<[number, number]>;
  readonly #dateAgain: Statement;
  readonly #forget: Statement;
  readonly #isAnyRetention: Statement<[], number>;
  readonly #doubtRetention: Statement<[number, number, string, number]>;
  readonly #keepRetention: Statement<[number]>;
  readonly #extendRetentions: Statement<[number]>;
  readonly #forgetRetentions: Statement;
  /** Whether the tables may have rows. If not, no query is needed. */
  #isAny = true;

  constructor(database: Database) {
    this.#lastAhead = database
      .prepare<[], number>('SELECT ahead_ms FROM clock_doubt ORDER BY from_sequence DESC LIMIT 1')
      .pluck();
    this.#add = database.prepare('INSERT INTO clock_doubt (from_sequence, ahead_ms) VALUES (?, ?)');
    this.#dateAgain = database.prepare(
      `UPDATE version SET last_modified_at = last_modified_at - (
         SELECT ahead_ms FROM clock_doubt WHERE from_sequence <= version.sequence
         ORDER BY from_sequence DESC LIMIT 1)
       WHERE sequence >= (SELECT min(from_sequence) FROM clock_doubt)`,
    );
    this.#forget = database.prepare('DELETE FROM clock_doubt');
    this.#isAnyRetention = database
      .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM doubted_retention)')
      .pluck();
    this.#doubtRetention = database.prepare(
      'INSERT INTO doubted_retention (bucket_id, sequence, key, retain_until) VALUES (?, ?, ?, ?)',
    );
    this.#keepRetention = database.prepare('DELETE FROM doubted_retention WHERE sequence = ?');
    this.#extendRetentions = database.prepare(
      `UPDATE version SET retain_until =
         max(version.retain_until, doubt.retain_until - max(0, version.last_modified_at - ?))
       FROM doubted_retention AS doubt
       WHERE version.bucket_id = doubt.bucket_id AND version.key = doubt.key
         AND version.sequence = doubt.sequence`,
    );
    this.#forgetRetentions = database.prepare('DELETE FROM doubted_retention');
  }

  /**
   * Records the offset of the wall clock for the versions from this sequence on, if it has changed. Must be called after
   * `settle` and before the version is inserted.
   */
  beforeVersion(sequence: number, time: TrustedInstant): void {
    const aheadMs = time.clock === 'jumped' ? time.clockAheadMs : 0;
    if (aheadMs === 0 && !this.#isAny) return;
    const last = this.#lastAhead.get();
    if (last === undefined && aheadMs === 0) return;
    // An offset of 0 is recorded at once, because versions with a correct date must never be dated again.
    const isSame = aheadMs === 0 ? last === 0 : Math.abs(aheadMs - (last ?? 0)) < STEP_MS;
    if (!isSame) this.#add.run(sequence, aheadMs);
    this.#isAny = true;
  }

  /** Records that the default retention of this version ends at `retainUntil` if the wall clock is correct. */
  doubtRetention(bucketId: number, key: string, sequence: number, retainUntil: number): void {
    this.#doubtRetention.run(bucketId, sequence, key, retainUntil);
    this.#isAny = true;
  }

  /** Keeps the retention of this version unchanged, because a caller has set it. */
  keepRetention(sequence: number): void {
    if (this.#isAny) this.#keepRetention.run(sequence);
  }

  /** Corrects dates or retentions if it is known by now whether the wall clock was correct. */
  settle({ clock, trustedNow }: TrustedInstant): void {
    if (!this.#isAny || (clock !== 'believed' && clock !== 'upheld')) return;
    this.#isAny = this.#lastAhead.get() !== undefined || this.#isAnyRetention.get() === 1;
    if (!this.#isAny) return;
    if (clock === 'believed') this.#dateAgain.run();
    // A version with a date after the trusted time was dated by another wrong clock: the difference must not extend its
    // retention.
    else this.#extendRetentions.run(trustedNow);
    this.#forget.run();
    this.#forgetRetentions.run();
  }

  /** Forgets whether the tables have rows. Must be called after a rollback. */
  reload(): void {
    this.#isAny = true;
  }
}
