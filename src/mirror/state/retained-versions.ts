/**
 * Stores versions that the job wants to remove but that a lock retains. The job does not try again before the lock
 * ends.
 */

import { defined } from '../../base/defined.ts';
import {
  parseRecord,
  type RecordRow,
  type Records,
  type RecordsTable,
  type StoredRecord,
} from './records.ts';

export interface RetainedVersion {
  /** Key of the object, relative to the prefix. */
  readonly key: string;
  /** Version id; absent if the bucket's versions have none. */
  readonly versionId?: string;
  /** End of the lock in milliseconds since 1970. */
  readonly until: number;
  /** A description for the user, for example `saved before it was deleted`. */
  readonly what: string;
}

/**
 * Description of versions that version pruning selected. Its next pass decides whether they are still to be removed.
 */
export const BEYOND_KEEP = 'beyond what is kept';

export interface RetainedTotals {
  readonly versions: number;
  /** When the first version may be removed, in milliseconds since 1970; null if there are none. */
  readonly next: number | null;
}

type VersionName = Pick<RetainedVersion, 'key' | 'versionId'>;
type Retained = Pick<RetainedVersion, 'until' | 'what'>;

export class RetainedVersions {
  readonly #records: Records<Retained>;
  readonly #releaseEnded;
  readonly #due;

  constructor(records: RecordsTable) {
    this.#records = records.of('retained_version');
    const ended = "FROM records WHERE kind = 'retained_version' AND sort_key <= ?";
    this.#releaseEnded = records.db.prepare<[number, string]>(
      `DELETE ${ended} AND value ->> 'what' = ?`,
    );
    this.#due = records.db.prepare<[number, string, number], RecordRow>(
      `SELECT key, part, value ${ended} AND value ->> 'what' <> ? ORDER BY sort_key LIMIT ?`,
    );
  }

  hold({ until, what, ...version }: RetainedVersion): void {
    this.#records.put(nameOf(version), { until, what }, until);
  }

  release(version: VersionName): void {
    this.#records.drop(nameOf(version));
  }

  /** Drops the records with the description `what` whose lock has ended. */
  releaseEnded(what: string, now: number): void {
    this.#releaseEnded.run(now, what);
  }

  /** Returns whether the version's lock has not ended yet. */
  waits(version: VersionName, now: number): boolean {
    const until = this.#records.get(nameOf(version))?.until;
    return until !== undefined && until > now;
  }

  totals(): RetainedTotals {
    const { count, first } = this.#records.range();
    return { versions: count, next: first ?? null };
  }

  /** Returns the first versions in the order in which their locks end. */
  page(limit: number): readonly RetainedVersion[] {
    return this.#records.earliest(undefined, limit).map(retainedVersion);
  }

  /** Returns up to `limit` records after this key and version, ordered by both. */
  after(version: VersionName, limit: number): readonly RetainedVersion[] {
    return this.#records.after(nameOf(version), limit).map(retainedVersion);
  }

  /** Returns versions whose lock has ended, except those that version pruning checks itself. */
  due(now: number, limit: number): readonly RetainedVersion[] {
    const rows = this.#due.all(now, BEYOND_KEEP, limit);
    return rows.map((row) => retainedVersion(parseRecord(row)));
  }
}

function nameOf({ key, versionId = '' }: VersionName) {
  return { key, part: versionId };
}

function retainedVersion({ key, part, value }: StoredRecord<Retained>): RetainedVersion {
  return { key, ...value, ...defined({ versionId: part || undefined }) };
}
