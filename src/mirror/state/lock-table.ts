/**
 * Stores the locks that a job renews: when each lock is checked next, and how many locks end on each day. Each lock
 * row is written in the same transaction as its baseline row, so the two tables always agree and no operation needs to
 * scan the whole baseline. If a version is superseded before its lock is confirmed, the version has its own row until
 * it is locked (see `supersededName`).
 */

import type Database from 'better-sqlite3';

import { DAY_MS } from '../../base/durations.ts';
import { type BaselineEntry, LOCK_UNSEEN } from '../model/types.ts';
import { Emptiness } from './emptiness.ts';

/**
 * Returns when a baseline entry's lock is checked next, in milliseconds since 1970; undefined for a lock that the job
 * does not renew.
 */
export type LockSchedule = (key: string, entry: BaselineEntry) => number | undefined;

export interface LockRow {
  readonly key: string;
  /** When the lock is checked next, in milliseconds since 1970; null if the lock is no longer renewed. */
  readonly dueAt: number | null;
  /** End of the version's retention as last read, in milliseconds since 1970; null if the version is not locked. */
  readonly retainUntil: number | null;
  readonly sizeBytes: number;
  /** Number of failed checks since the last successful check. */
  readonly tries: number;
  /** The version whose lock the user no longer wants to renew. */
  readonly released: string | null;
}

interface LockChange {
  /** Returns the baseline row from before the change. */
  readonly known?: () => BaselineEntry | undefined;
  readonly reschedules?: boolean | undefined;
}

/** A failed check of a lock. The check is retried at `dueAt`, in milliseconds since 1970. */
export type FailedCheck = Pick<LockRow, 'key'> & { readonly dueAt: number };

/** The versions whose locks end on the same day. */
export interface LockDay {
  /** Midnight (UTC) at the start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly versions: number;
  readonly bytes: number;
}

export interface LockTotals {
  readonly locked: number;
  readonly bytes: number;
  /** Number of versions that should be locked but are not, because the lock was never confirmed or has expired. */
  readonly unlocked: number;
}

/** Value of the day for versions without a lock. */
const UNLOCKED = -1;
/** Due time for locks that must be checked before those of versions that were never locked, whose due time is 0. */
export const DUE_FIRST = -1;
const BETWEEN = '\0';

/** Returns the row name for a superseded version. It contains a NUL, which no file's key contains. */
function supersededName(key: string, versionId: string): string {
  return key + BETWEEN + versionId;
}

/** Returns the superseded version that a row describes; undefined for the row of a current version. */
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

  /** Sets the schedule for all baseline rows that are written from now on. */
  follow(schedule: LockSchedule): void {
    this.#schedule = schedule;
  }

  /**
   * Updates the lock row for a baseline row. The caller must use the transaction that writes the baseline row, and call
   * this function first, because `known` must return the old row. If version and lock are the same as before, the due
   * time and the failures are kept, unless `reschedules` is set.
   */
  note(
    key: string,
    entry: BaselineEntry | 'drop',
    { known = () => undefined, reschedules = false }: LockChange = {},
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
    if (before && !reschedules && isSameLock(known(), entry)) {
      this.#write(before, { ...before, sizeBytes });
      return;
    }
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

  /**
   * Keeps the lock row of a version that is superseded before its lock was confirmed, so that the version is locked
   * later.
   */
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

  /** Removes a superseded version's row, after its lock was set or is no longer needed. */
  endSuperseded(row: LockRow): void {
    this.#db.transaction(() => {
      const before = this.row(row.key);
      if (before) this.#write(before, undefined);
    })();
  }

  /**
   * Makes all unconfirmed locks due at once, because the uploads that would have confirmed them have ended. Returns
   * whether there are any.
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

  /**
   * Returns rows after the row name `after` whose versions should be locked but are not. Their check is due before
   * `now` or has failed.
   */
  unlockedAfter(after: string, now: number, limit: number): readonly LockRow[] {
    if (!this.#hasUnlocked()) return [];
    return this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM locks WHERE key > ? AND retain_until IS NULL AND released IS NULL
            AND (due_at <= ? OR tries > 0) ORDER BY key LIMIT ?`,
      )
      .all(after, now, limit) as LockRow[];
  }

  /** Returns up to `limit` due rows, the most overdue first. */
  due(now: number, limit: number): readonly LockRow[] {
    return this.#due.all(now, limit) as LockRow[];
  }

  nextDueAt(): number | undefined {
    return (this.#next.get() as number | null) ?? undefined;
  }

  /** Returns the number of due locks, up to `limit`. */
  countDue(now: number, limit: number): number {
    return this.#db
      .prepare('SELECT count(*) FROM (SELECT 1 FROM locks WHERE due_at <= ? LIMIT ?)')
      .pluck()
      .get(now, limit) as number;
  }

  /** Postpones a lock's next check after a failed check. Must run inside the caller's transaction. */
  defer({ key, dueAt }: FailedCheck): void {
    this.#defer.run(dueAt, key);
  }

  row(key: string): LockRow | undefined {
    return this.#row.get(key) as LockRow | undefined;
  }

  /**
   * Ends the renewal for these versions. Later versions of their keys are renewed again. Returns the rows whose renewal
   * ended.
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

  /** Returns the totals of the locks that are renewed, excluding released ones. */
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

  /** Returns the lock that ends first among those that are renewed. */
  endsFirst(now: number): LockRow | undefined {
    return this.#first.get(now) as LockRow | undefined;
  }

  /** Returns the renewed locks grouped by the day on which they end, earliest first. */
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

/** Returns a name that distinguishes a version from its predecessor, even in a bucket without version ids. */
function versionOf({ versionId, etag }: BaselineEntry): string {
  return versionId ?? etag;
}

function isSameLock(known: BaselineEntry | undefined, entry: BaselineEntry): boolean {
  return (
    known !== undefined &&
    versionOf(known) === versionOf(entry) &&
    known.retainUntil === entry.retainUntil
  );
}

/**
 * Returns the day on which a lock ends, in days since 1970; undefined for released locks, because they are not counted.
 */
function dayOf(row: LockRow | undefined): number | undefined {
  if (!row || row.released !== null) return undefined;
  return row.retainUntil === null ? UNLOCKED : Math.floor(row.retainUntil / DAY_MS);
}
