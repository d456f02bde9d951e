/**
 * Reads the current lifecycle rules and the position of a version among the versions of its key. Writes the records of
 * lifecycle runs.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { LifecycleRule } from '../../../object-store/lifecycle.ts';
import type { Place } from '../../../object-store/rules/lifecycle-evaluation.ts';
import { ActiveRules } from '../../../object-store/rules/lifecycle-rules.ts';
import type { LifecycleRun } from '../../schema/lifecycle-run.ts';
import { INTEGER, TEXT } from '../../schema/parameters.ts';
import type { VersionRow } from '../../schema/rows.ts';

/** The number of finished lifecycle runs whose records are kept, about half a year. */
const MAX_RUNS = 200;

/** The maximum number of newer versions that are counted. No lifecycle rule can require more. */
const MAX_COUNTED = 100;

type OfKey = [bucketId: number, key: string, sequence: number];

export class LifecycleTable {
  readonly #rules: Statement<[number], string>;
  readonly #isAlone: Statement<[...OfKey], number>;
  readonly #since: Statement<[...OfKey], number>;
  readonly #newer: Statement<[...OfKey], number>;
  readonly #saveRun: Statement<[LifecycleRun]>;
  readonly #forgetRuns: Statement<[number]>;
  readonly #dayMs: number | undefined;
  #known: { readonly document: string; readonly rules: ActiveRules } | undefined;

  constructor(database: Database, dayMs: number | undefined) {
    this.#dayMs = dayMs;
    this.#rules = database
      .prepare<[number], string>(
        "SELECT document FROM bucket_config WHERE bucket_id = ? AND kind = 'lifecycle'",
      )
      .pluck();
    const ofKey = `FROM version WHERE bucket_id = ${INTEGER} AND key = ${TEXT}`;
    this.#isAlone = database
      .prepare<[...OfKey], number>(`SELECT 1 ${ofKey} AND sequence < ${INTEGER} LIMIT 1`)
      .pluck();
    this.#since = database
      .prepare<[...OfKey], number>(
        `SELECT last_modified_at ${ofKey} AND sequence > ${INTEGER} ORDER BY sequence LIMIT 1`,
      )
      .pluck();
    this.#newer = database
      .prepare<[...OfKey], number>(
        `SELECT count(*) FROM (
           SELECT 1 ${ofKey} AND sequence > ${INTEGER} AND is_latest = 0 AND is_delete_marker = 0
           LIMIT ${MAX_COUNTED})`,
      )
      .pluck();
    this.#saveRun = database.prepare(
      `INSERT OR REPLACE INTO lifecycle_run
         (run_id, cause, started_at, finished_at, judged_at, position, looked, expired, removed_versions,
          removed_markers, aborted_uploads, bytes, held)
       VALUES (@runId, @cause, @startedAt, @finishedAt, @judgedAt, @position, @looked, @expired,
         @removedVersions, @removedMarkers, @abortedUploads, @bytes, @held)`,
    );
    this.#forgetRuns = database.prepare('DELETE FROM lifecycle_run WHERE run_id <= ?');
  }

  /** Returns the bucket's enabled lifecycle rules, or undefined if the bucket has no rules. */
  rulesOf(bucketId: number): ActiveRules | undefined {
    const document = this.#rules.get(bucketId);
    if (document === undefined) return undefined;
    if (this.#known?.document === document) return this.#known.rules;
    const rules = new ActiveRules(JSON.parse(document) as readonly LifecycleRule[], this.#dayMs);
    this.#known = { document, rules };
    return rules;
  }

  /** Returns the version's position among the versions of its key. */
  placeOf(bucketId: number, key: string, row: VersionRow): Place {
    const { sequence, lastModifiedAt } = row;
    if (row.isLatest !== 0) {
      return { is: 'latest', alone: this.#isAlone.get(bucketId, key, sequence) === undefined };
    }
    const newerModifiedAt = this.#since.get(bucketId, key, sequence) ?? lastModifiedAt;
    const since = Math.max(newerModifiedAt, lastModifiedAt);
    return { is: 'previous', since, newer: this.#newer.get(bucketId, key, sequence) ?? 0 };
  }

  saveRun(run: LifecycleRun): void {
    this.#saveRun.run(run);
    this.#forgetRuns.run(run.runId - MAX_RUNS);
  }
}
