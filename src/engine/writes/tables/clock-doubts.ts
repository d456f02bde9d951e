/**
 * Records the versions that were written while the wall clock was ahead of the trusted time. Corrects these versions
 * when it is known which of the two was right.
 *
 * Default retentions are calculated from the trusted time. If the user confirms the wall clock, each retention is
 * extended to the end that it would have by that clock. If the wall clock comes back, the retentions remain unchanged.
 * So no retention ends early, and no wrong clock locks a version for years.
 *
 * A version that is written after the wall clock jumped ahead gets the date of the wall clock, because a jump can also
 * correct a clock. If the clock comes back, it was wrong, and the versions get dates by the monotonic clock instead.
 * Without this, a point-in-time view could not order them.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { TrustedInstant } from '../../clock/trusted-time.ts';

/**
 * The smallest change of the clock's offset that is recorded. Smaller changes occur, for example, while a clock is
 * corrected gradually.
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
  /** Whether the tables may contain rows. If not, no query is needed. */
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
   * Records how far the wall clock is ahead for the versions from this sequence number on, if that has changed. Must be
   * called after `settle` and before the version is inserted.
   */
  beforeVersion(sequence: number, time: TrustedInstant): void {
    const aheadMs = time.clock === 'jumped' ? time.clockAheadMs : 0;
    if (aheadMs === 0 && !this.#isAny) return;
    const last = this.#lastAhead.get();
    if (last === undefined && aheadMs === 0) return;
    // An offset of 0 is always recorded at once, because versions with a correct date must never get another date.
    const isSame = aheadMs === 0 ? last === 0 : Math.abs(aheadMs - (last ?? 0)) < STEP_MS;
    if (!isSame) this.#add.run(sequence, aheadMs);
    this.#isAny = true;
  }

  /** Records that this version's default retention ends at `retainUntil` if the wall clock is right. */
  doubtRetention(bucketId: number, key: string, sequence: number, retainUntil: number): void {
    this.#doubtRetention.run(bucketId, sequence, key, retainUntil);
    this.#isAny = true;
  }

  /** Prevents a later correction of this version's retention, because a caller has set the retention. */
  keepRetention(sequence: number): void {
    if (this.#isAny) this.#keepRetention.run(sequence);
  }

  /** Corrects dates or retentions when it is known whether the wall clock was right. */
  settle({ clock, trustedNow }: TrustedInstant): void {
    if (!this.#isAny || (clock !== 'believed' && clock !== 'upheld')) return;
    this.#isAny = this.#lastAhead.get() !== undefined || this.#isAnyRetention.get() === 1;
    if (!this.#isAny) return;
    if (clock === 'believed') this.#dateAgain.run();
    // If the date of a version is after the trusted time, a different wrong clock set that date. The difference must
    // not extend the version's retention.
    else this.#extendRetentions.run(trustedNow);
    this.#forget.run();
    this.#forgetRetentions.run();
  }

  /** Makes the next call query whether the tables contain rows. Must be called after a rollback. */
  reload(): void {
    this.#isAny = true;
  }
}
