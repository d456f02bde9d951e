/**
 * Reads the versions and uploads to which lifecycle rules may apply, in slices of some hundred rows, and evaluates the
 * rules for them. Changes nothing.
 */

import type { Database, Statement } from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { LifecycleRule } from '../../object-store/lifecycle.ts';
import { evaluateUpload } from '../../object-store/rules/lifecycle-evaluation.ts';
import { ActiveRules } from '../../object-store/rules/lifecycle-rules.ts';
import {
  type Verdict,
  walkEnd,
  walkNext,
  type WalkRules,
} from '../../object-store/rules/lifecycle-walk.ts';
import { afterPrefix, compareUtf8 } from '../../object-store/rules/listing.ts';
import { NULL_VERSION_ID } from '../../object-store/rules/versioning.ts';
import { NO_UPPER_BOUND, type UpperBound } from '../schema/key-bounds.ts';
import { INTEGER, TEXT } from '../schema/parameters.ts';
import { BUCKET_COLUMNS, type BucketRow, LOCK_COLUMNS, type LockColumns } from '../schema/rows.ts';
import type { LifecycleVersion, Position } from './position.ts';
import { knownTags } from '../schema/tag-text.ts';
import { isLocked } from '../schema/object-info.ts';

/**
 * The number of rows in a slice. Reading them takes about 1 ms. Deleting all of them takes about 10 ms on the writer
 * thread, during which other writes wait.
 */
const SLICE_ROWS = 256;

interface CandidateRow extends LockColumns {
  readonly key: string;
  readonly sequence: number;
  readonly versionId: string;
  readonly isDeleteMarker: number;
  readonly lastModifiedAt: number;
  readonly sizeBytes: number;
  readonly tags: string | null;
}

interface UploadCandidate {
  readonly key: string;
  readonly sequence: number;
  readonly uploadId: string;
  readonly initiatedAt: number;
  readonly sizeBytes: number;
}

export interface UploadVerdict {
  readonly upload: UploadCandidate;
  readonly ruleId: string;
}

export interface Slice {
  /**
   * The bucket of the rows. Undefined if the slice has no rows and only moves the scan to the next bucket or to the
   * end.
   */
  readonly bucket: BucketRow | undefined;
  readonly versions: readonly Verdict<LifecycleVersion>[];
  readonly uploads: readonly UploadVerdict[];
  readonly looked: number;
  /** The position of the next slice; undefined at the end of the scan. */
  readonly next: Position | undefined;
}

const COLUMNS = `key, sequence, version_id AS versionId, is_delete_marker AS isDeleteMarker,
  last_modified_at AS lastModifiedAt, size_bytes AS sizeBytes, tags, ${LOCK_COLUMNS}`;

export class Candidates {
  readonly #nextBucket: Statement<[number], BucketRow>;
  readonly #bucket: Statement<[number], BucketRow>;
  readonly #rules: Statement<[number], string>;
  readonly #sameKey: Statement<[number, string, number], CandidateRow>;
  readonly #keys: Statement<[number, string, UpperBound], CandidateRow>;
  readonly #dayMs: number | undefined;
  readonly #uploads: Statement<[number, string, number, UpperBound], UploadCandidate>;
  #known: { readonly document: string; readonly rules: ActiveRules } | undefined;

  constructor(database: Database, dayMs?: number) {
    this.#dayMs = dayMs;
    this.#nextBucket = database.prepare(
      `SELECT ${BUCKET_COLUMNS} FROM bucket WHERE bucket_id = (
         SELECT min(bucket_id) FROM bucket_config WHERE kind = 'lifecycle' AND bucket_id > ?)`,
    );
    this.#bucket = database.prepare(`SELECT ${BUCKET_COLUMNS} FROM bucket WHERE bucket_id = ?`);
    this.#rules = database
      .prepare<[number], string>(
        "SELECT document FROM bucket_config WHERE bucket_id = ? AND kind = 'lifecycle'",
      )
      .pluck();
    const inBucket = `SELECT ${COLUMNS} FROM version WHERE bucket_id = ${INTEGER}`;
    this.#sameKey = database.prepare(
      `${inBucket} AND key = ${TEXT} AND sequence < ${INTEGER}
       ORDER BY sequence DESC LIMIT ${SLICE_ROWS}`,
    );
    this.#keys = database.prepare(
      `${inBucket} AND key >= ${TEXT} AND key < ? ORDER BY key, sequence DESC LIMIT ${SLICE_ROWS}`,
    );
    this.#uploads = database.prepare(
      `SELECT key, sequence, upload_id AS uploadId, initiated_at AS initiatedAt,
         (SELECT ifnull(sum(size_bytes), 0) FROM upload_part WHERE upload_sequence = sequence)
           AS sizeBytes
       FROM upload WHERE bucket_id = ${INTEGER} AND (key, sequence) > (${TEXT}, ${INTEGER})
         AND key < ? ORDER BY key, sequence LIMIT ${SLICE_ROWS}`,
    );
  }

  /**
   * Returns the slice at a position. Evaluates the lifecycle rules as of `now`, in milliseconds since 1970. `only`
   * limits the scan to the bucket with this ID.
   */
  slice(position: Position, now: number, only?: number): Slice {
    const bucket = position.among === 'end' ? undefined : this.#bucket.get(position.bucketId);
    const rules = bucket && this.#rulesOf(bucket.bucketId);
    if (!bucket || !rules) return this.#enter(position, only);
    if (position.among === 'uploads') return this.#sliceUploads(bucket, rules, position, now);
    return this.#sliceVersions(bucket, rules, position, now);
  }

  #enter({ bucketId }: Position, only: number | undefined): Slice {
    const bucket = this.#nextBucket.get(only === undefined ? bucketId : only - 1);
    const isOver = only !== undefined && (bucketId >= only || bucket?.bucketId !== only);
    const next: Position | undefined =
      bucket && !isOver ? { bucketId: bucket.bucketId, among: 'versions' } : undefined;
    return { bucket: undefined, versions: [], uploads: [], looked: 0, next };
  }

  #sliceVersions(bucket: BucketRow, active: ActiveRules, position: Position, now: number): Slice {
    const { bucketId } = bucket;
    const rules: WalkRules = {
      of: (key) => active.of(key),
      now,
      versioning: bucket.versioning ?? undefined,
    };
    const range = rangeFrom(active.versionPrefixes, position.after?.key);
    const rows = range ? this.#rowsOf(bucketId, range, position.after) : [];
    const versions: Verdict<LifecycleVersion>[] = [];
    let { state } = position;
    for (const row of rows) {
      const step = walkNext(state, candidateOf(row, now), rules);
      state = step.state;
      versions.push(...step.verdicts);
    }
    const after = range && placeAfter(rows, range, Number.MAX_SAFE_INTEGER);
    if (!after) versions.push(...walkEnd(state, rules));
    const next: Position = after
      ? { bucketId, among: 'versions', after, ...defined({ state }) }
      : { bucketId, among: 'uploads' };
    return { bucket, versions, uploads: [], looked: rows.length, next };
  }

  #rowsOf(bucketId: number, range: Range, after: Position['after']): readonly CandidateRow[] {
    if (!after || compareUtf8(after.key, range.start) < 0) {
      return this.#keys.all(bucketId, range.start, range.end);
    }
    const rest = this.#sameKey.all(bucketId, after.key, after.sequence);
    // Continue after all versions of `after.key`: no key sorts between a key and the same key followed by a NUL.
    return rest.length > 0 ? rest : this.#keys.all(bucketId, `${after.key}\0`, range.end);
  }

  #sliceUploads(bucket: BucketRow, active: ActiveRules, position: Position, now: number): Slice {
    const { bucketId } = bucket;
    const { after: from } = position;
    const range = rangeFrom(active.uploadPrefixes, from?.key);
    const rows = range ? this.#uploadsOf(bucketId, range, from) : [];
    const uploads = rows.flatMap((upload) => {
      const ruleId = evaluateUpload(active.of(upload.key), upload.initiatedAt, now);
      return ruleId === undefined ? [] : [{ upload, ruleId }];
    });
    const after = range && placeAfter(rows, range, -1);
    const next: Position = after
      ? { bucketId, among: 'uploads', after }
      : { bucketId, among: 'end' };
    return { bucket, versions: [], uploads, looked: 0, next };
  }

  #uploadsOf(bucketId: number, range: Range, after: Position['after']) {
    const isInside = after && compareUtf8(after.key, range.start) >= 0;
    const { key, sequence } = isInside ? after : { key: range.start, sequence: -1 };
    return this.#uploads.all(bucketId, key, sequence, range.end);
  }

  /**
   * Returns the bucket's active lifecycle rules, or undefined if it has none. The rules are parsed once for all slices
   * of the bucket.
   */
  #rulesOf(bucketId: number): ActiveRules | undefined {
    const document = this.#rules.get(bucketId);
    if (document === undefined) return undefined;
    if (this.#known?.document === document) return this.#known.rules;
    const rules = new ActiveRules(JSON.parse(document) as readonly LifecycleRule[], this.#dayMs);
    this.#known = { document, rules };
    return rules;
  }
}

/** A range of keys that share a prefix: `start <= key < end`. */
interface Range {
  readonly start: string;
  readonly end: UpperBound;
}

/** Returns the first range that can contain keys after `after`, or undefined if no range can. */
function rangeFrom(prefixes: readonly string[], after: string | undefined): Range | undefined {
  for (const start of prefixes) {
    const end = afterPrefix(start);
    if (after === undefined || end === undefined || compareUtf8(after, end) < 0) {
      return { start, end: end ?? NO_UPPER_BOUND };
    }
  }
  return undefined;
}

/**
 * Returns the position at which the next slice begins: after the last row, or after the end of the range if the slice
 * is empty. In the latter case, `edge` is a sequence that sorts before all rows of the next key. Returns undefined if
 * no range can follow.
 */
function placeAfter(
  rows: readonly { readonly key: string; readonly sequence: number }[],
  { end }: Range,
  edge: number,
): Position['after'] {
  const last = rows.at(-1);
  if (last) return { key: last.key, sequence: last.sequence };
  return typeof end === 'string' ? { key: end, sequence: edge } : undefined;
}

function candidateOf(row: CandidateRow, now: number): LifecycleVersion {
  const { key, sequence, versionId, lastModifiedAt, sizeBytes } = row;
  return {
    key,
    sequence,
    versionId,
    lastModifiedAt,
    sizeBytes,
    isDeleteMarker: row.isDeleteMarker !== 0,
    isNull: versionId === NULL_VERSION_ID,
    tags: knownTags(row.tags),
    locked: isLocked(row, now),
  };
}
