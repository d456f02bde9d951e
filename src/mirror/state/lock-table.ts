/**
 * The locks that a job renews: when each is checked next, and how many end on which day. Rows are written
 * with those of the baseline, in the same transaction, so no operation scans all of them. A version that is
 * superseded before its requested lock was confirmed has its own row until it is locked: see
 * `supersededName`.
 */

import type Database from 'better-sqlite3';

import { DAY_MS } from '../../base/durations.ts';
import { type BaselineEntry, LOCK_UNSEEN } from '../model/types.ts';
import { Emptiness } from './emptiness.ts';

/**
 * When the lock of an entry is checked next, milliseconds since 1970; undefined for a lock that the job does
 * not renew.
 */
export type LockSchedule = (key: string, entry: BaselineEntry) => number | undefined;

export interface LockRow {
  readonly key: string;
  /** Null if its renewal was ended. */
  readonly dueAt: number | null;
  /** As last read from the version; null if it is not locked. */
  readonly retainUntil: number | null;
  readonly sizeBytes: number;
  /** Failed checks since the last successful one. */
  readonly tries: number;
  /** The version whose renewal the user ended. */
  readonly released: string | null;
}

/** The check is retried at `dueAt`, milliseconds since 1970. */
export type FailedCheck = Pick<LockRow, 'key'> & { readonly dueAt: number };

/** Versions whose lock ends on one day. */
export interface LockDay {
  /** Midnight, UTC, milliseconds since 1970. */
  readonly day: number;
  readonly versions: number;
  readonly bytes: number;
}

export interface LockTotals {
  readonly locked: number;
  readonly bytes: number;
  /** Versions that should be locked and are not: never confirmed, or expired. */
  readonly unlocked: number;
}

/** Stored instead of a day. */
const UNLOCKED = -1;
/** Stored instead of a time: due before versions that were never locked, whose time is 0. */
export const DUE_FIRST = -1;
const BETWEEN = '\0';

/** The row name of a superseded version. Keys of files contain no NUL. */
function supersededName(key: string, versionId: string): string {
  return key + BETWEEN + versionId;
}

/** The superseded version of a row; undefined for the row of a current version. */
export function supersededVersion({
  key: name,
}: Pick<LockRow, 'key'>): { readonly key: string; readonly versionId: string } | undefined {
  const end = name.indexOf(BETWEEN);
  return end < 0 ? undefined : { key: name.slice(0, end), versionId: name.slice(end + 1) };
}

const COLUMNS =
  'key, due_at AS dueAt, retain_until AS retainUntil, size_bytes AS sizeBytes, tries, released';

export class LockTable {
  readonly #db: Database.Database;
  #schedule: LockSchedule = () => undefined;
  readonly #row: Database.Statement<[string]>;
  readonly #emptiness: Emptiness;
  readonly #put: Database.Statement<[LockRow]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #count: Database.Statement<[number, number, number]>;
  readonly #due: Database.Statement<[number, number]>;
  readonly #first: Database.Statement<[number]>;
  readonly #defer: Database.Statement<[number, string]>;
  readonly #next: Database.Statement<[]>;
  readonly #days: Database.Statement<[]>;
  readonly #ended: Database.Statement<[number, number]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#emptiness = new Emptiness(db, 'locks');
    this.#row = db.prepare(`SELECT ${COLUMNS} FROM locks WHERE key = ?`);
    this.#put = db.prepare(
      `INSERT INTO locks (key, due_at, retain_until, size_bytes, tries, released)
       VALUES (@key, @dueAt, @retainUntil, @sizeBytes, @tries, @released)
       ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at, retain_until = excluded.retain_until,
         size_bytes = excluded.size_bytes, tries = excluded.tries, released = excluded.released`,
    );
    this.#drop = db.prepare('DELETE FROM locks WHERE key = ?');
    this.#count = db.prepare(
      `INSERT INTO lock_days VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE
         SET versions = versions + excluded.versions, bytes = bytes + excluded.bytes`,
    );
    this.#due = db.prepare(
      `SELECT ${COLUMNS} FROM locks WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
    );
    this.#first = db.prepare(
      `SELECT ${COLUMNS} FROM locks WHERE retain_until > ? AND released IS NULL
        ORDER BY retain_until LIMIT 1`,
    );
    this.#defer = db.prepare('UPDATE locks SET due_at = ?, tries = tries + 1 WHERE key = ?');
    this.#next = db.prepare<[]>('SELECT min(due_at) FROM locks WHERE due_at IS NOT NULL').pluck();
    this.#days = db.prepare('SELECT day, versions, bytes FROM lock_days WHERE versions > 0');
    this.#ended = db.prepare(
      `SELECT count(*) AS versions, coalesce(sum(size_bytes), 0) AS bytes FROM locks
        WHERE retain_until >= ? AND retain_until <= ? AND released IS NULL`,
    );
  }

  /** Sets the schedule for each baseline row that is written from now on. */
  follow(schedule: LockSchedule): void {
    this.#schedule = schedule;
  }

  /**
   * Called inside the transaction that writes the baseline row, and before that write: `known` reads the old
   * row.
   */
  note(
    key: string,
    entry: BaselineEntry | 'drop',
    known: () => BaselineEntry | undefined = () => undefined,
  ): void {
    const before = this.#emptiness.isCertain ? undefined : this.row(key);
    if (before?.retainUntil === null && before.released === null)
      this.#keepSuperseded(before, entry, known());
    const dueAt = entry === 'drop' ? undefined : this.#schedule(key, entry);
    if (entry === 'drop' || dueAt === undefined) {
      if (before) this.#write(before, undefined);
      return;
    }
    const { retainUntil = LOCK_UNSEEN, sizeBytes } = entry;
    const isReleased = before?.released === versionOf(entry);
    this.#write(before, {
      key,
      dueAt: isReleased ? null : dueAt,
      retainUntil: retainUntil === LOCK_UNSEEN ? null : retainUntil,
      sizeBytes,
      tries: 0,
      released: isReleased ? before.released : null,
    });
  }

  /** A version that is superseded before its lock was confirmed is still locked. */
  #keepSuperseded(
    before: LockRow,
    entry: BaselineEntry | 'drop',
    known: BaselineEntry | undefined,
  ): void {
    const { key } = before;
    if (known?.versionId === undefined || known.retainUntil !== LOCK_UNSEEN) return;
    if (entry !== 'drop' && entry.versionId === known.versionId) return;
    if (this.#schedule(key, known) === undefined) return;
    const name = supersededName(key, known.versionId);
    this.#write(this.row(name), { ...before, key: name, dueAt: DUE_FIRST, tries: 0 });
  }

  /** Called when the lock of a superseded version was set or is no longer needed. */
  endSuperseded(row: LockRow): void {
    this.#db.transaction(() => {
      const before = this.row(row.key);
      if (before) this.#write(before, undefined);
    })();
  }

  /**
   * Makes each unconfirmed lock due at once, since the uploads that would have confirmed it have ended.
   * Returns whether there is any.
   */
  resumeUnseen(): boolean {
    if (!this.#hasUnlocked()) return false;
    this.#db
      .prepare(
        `UPDATE locks SET due_at = ${DUE_FIRST}
          WHERE retain_until IS NULL AND released IS NULL AND tries = 0 AND due_at > 0`,
      )
      .run();
    return this.due(DUE_FIRST, 1).length > 0;
  }

  #hasUnlocked(): boolean {
    return (this.#days.all() as LockDay[]).some(({ day }) => day === UNLOCKED);
  }

  /** Rows after `after`, by name, that should be locked and are not: due before `now`, or failed. */
  unlockedAfter(after: string, now: number, limit: number): readonly LockRow[] {
    if (!this.#hasUnlocked()) return [];
    return this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM locks WHERE key > ? AND retain_until IS NULL AND released IS NULL
            AND (due_at <= ? OR tries > 0) ORDER BY key LIMIT ?`,
      )
      .all(after, now, limit) as LockRow[];
  }

  /** Up to `limit` rows that are due, longest overdue first. */
  due(now: number, limit: number): readonly LockRow[] {
    return this.#due.all(now, limit) as LockRow[];
  }

  nextDueAt(): number | undefined {
    return (this.#next.get() as number | null) ?? undefined;
  }

  /** At most `limit`. */
  countDue(now: number, limit: number): number {
    return this.#db
      .prepare('SELECT count(*) FROM (SELECT 1 FROM locks WHERE due_at <= ? LIMIT ?)')
      .pluck()
      .get(now, limit) as number;
  }

  /** The caller runs this inside a transaction. */
  defer({ key, dueAt }: FailedCheck): void {
    this.#defer.run(dueAt, key);
  }

  row(key: string): LockRow | undefined {
    return this.#row.get(key) as LockRow | undefined;
  }

  /**
   * Ends the renewal of these versions; later versions of their keys are renewed again. Returns the rows that
   * were renewed until now.
   */
  release(entries: Iterable<readonly [key: string, entry: BaselineEntry]>): readonly LockRow[] {
    return this.#db.transaction(() => {
      const released: LockRow[] = [];
      for (const [key, entry] of entries) {
        const before = this.row(key);
        if (!before || before.released !== null) continue;
        this.#write(before, { ...before, dueAt: null, released: versionOf(entry) });
        released.push(before);
      }
      return released;
    })();
  }

  countReleased(): number {
    return this.#countWhere('released IS NOT NULL');
  }

  countFailing(): number {
    return this.#countWhere('tries > 0 AND released IS NULL');
  }

  /** Totals of the renewed locks, without released ones. */
  totals(now: number): LockTotals {
    let [locked, bytes, unlocked] = [0, 0, 0];
    const today = Math.floor(now / DAY_MS);
    for (const { day, versions, bytes: size } of this.#days.all() as LockDay[]) {
      const over =
        day === today ? this.#overOn(day, now) : day < today ? { versions, bytes: size } : NONE;
      unlocked += over.versions;
      locked += versions - over.versions;
      bytes += size - over.bytes;
    }
    return { locked, bytes, unlocked };
  }

  /** The renewed lock that ends first. */
  endsFirst(now: number): LockRow | undefined {
    return this.#first.get(now) as LockRow | undefined;
  }

  /** The renewed locks by the day on which they end, from the earliest on. */
  days(): readonly LockDay[] {
    return (this.#days.all() as LockDay[])
      .filter(({ day }) => day !== UNLOCKED)
      .map(({ day, versions, bytes }) => ({ day: day * DAY_MS, versions, bytes }));
  }

  #overOn(day: number, now: number): { readonly versions: number; readonly bytes: number } {
    return this.#ended.get(day * DAY_MS, now) as { versions: number; bytes: number };
  }

  #countWhere(condition: string): number {
    return this.#db
      .prepare(`SELECT count(*) FROM locks WHERE ${condition}`)
      .pluck()
      .get() as number;
  }

  #write(before: LockRow | undefined, after: LockRow | undefined): void {
    this.#emptiness.end();
    if (after) this.#put.run(after);
    else if (before) this.#drop.run(before.key);
    const [from, to] = [dayOf(before), dayOf(after)];
    if (from === to && before?.sizeBytes === after?.sizeBytes) return;
    if (before && from !== undefined) this.#count.run(from, -1, -before.sizeBytes);
    if (after && to !== undefined) this.#count.run(to, 1, after.sizeBytes);
  }
}

const NONE = { versions: 0, bytes: 0 };

/** Distinguishes a version from its predecessor, also where versions have no ids. */
function versionOf({ versionId, etag }: BaselineEntry): string {
  return versionId ?? etag;
}

/** Undefined for rows that are not counted. */
function dayOf(row: LockRow | undefined): number | undefined {
  if (!row || row.released !== null) return undefined;
  return row.retainUntil === null ? UNLOCKED : Math.floor(row.retainUntil / DAY_MS);
}
