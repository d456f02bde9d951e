/**
 * Stores versions that the job wants to remove but cannot, because they are locked. The job does not try again until
 * the lock expires.
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
  /** Version id; absent in a bucket without version ids. */
  readonly versionId?: string;
  /** When the version's lock ends, in milliseconds since 1970. */
  readonly until: number;
  /** Description of the version for the user, for example `saved before it was deleted`. */
  readonly what: string;
}

/** Description of versions that version pruning selected. The next pruning run decides again whether to remove them. */
export const BEYOND_KEEP = 'beyond what is kept';

export interface RetainedTotals {
  readonly versions: number;
  /** When the first version may be removed, in milliseconds since 1970; null if no version is retained. */
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

  /** Drops the records with the description `what` whose locks have ended. */
  releaseEnded(what: string, now: number): void {
    this.#releaseEnded.run(now, what);
  }

  /** Returns whether the version is recorded with a lock that has not ended yet. */
  waits(version: VersionName, now: number): boolean {
    const until = this.#records.get(nameOf(version))?.until;
    return until !== undefined && until > now;
  }

  totals(): RetainedTotals {
    const { count, first } = this.#records.range();
    return { versions: count, next: first ?? null };
  }

  /** Returns the versions whose locks end first, in this order. */
  page(limit: number): readonly RetainedVersion[] {
    return this.#records.earliest(undefined, limit).map(retainedVersion);
  }

  /** Returns up to `limit` records after this key and version, ordered by key and version. */
  after(version: VersionName, limit: number): readonly RetainedVersion[] {
    return this.#records.after(nameOf(version), limit).map(retainedVersion);
  }

  /** Returns versions whose locks have ended, except those that version pruning checks itself. */
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
