/**
 * Performs the actions that a lifecycle run has found, after checking the rule, the version and its locks again in the
 * transaction. The same transaction stores the run's position, so that a crash neither loses nor repeats an action. A
 * run acts on behalf of the bucket, also on versions of other owners (semantics, decision 9).
 */

import { principalId } from '../../../base/principal.ts';
import {
  evaluateUpload,
  evaluateVersion,
} from '../../../object-store/rules/lifecycle-evaluation.ts';
import { deleteStep } from '../../../object-store/rules/versioning.ts';
import type { CommandContext } from './commands.ts';
import type {
  Done,
  LifecycleTarget,
  RunLifecycle,
  UploadTarget,
  VersionTarget,
} from './lifecycle-action.ts';
import { isLocked } from '../../schema/object-info.ts';
import { knownTags } from '../../schema/tag-text.ts';
import { addCounts, type LifecycleCounts, type LifecycleRun } from '../../schema/lifecycle-run.ts';
import type { BucketRow, VersionRow } from '../../schema/rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { addDeleteMarker } from './delete-object.ts';

const NOTHING: Done = {};

/** The values that a client could set for a version. A delete marker that a lifecycle run creates has none of them. */
const NOTHING_STATED = { attributes: null, acl: null, tags: null, encryption: null };

export function runLifecycle(
  tables: WriteTables,
  { run, targets }: RunLifecycle,
  context: CommandContext,
): LifecycleRun {
  // Use the earlier time, because the trusted time may have been set back since the run began.
  const now = Math.min(run.judgedAt, context.trustedNow);
  let counts: LifecycleCounts = run;
  for (const target of targets) counts = addCounts(counts, actOn(tables, target, now, context));
  const after = { ...run, ...counts };
  tables.lifecycle.saveRun(after);
  return after;
}

function actOn(
  tables: WriteTables,
  target: LifecycleTarget,
  now: number,
  context: CommandContext,
): Done {
  const bucket = tables.buckets.find(target.bucket);
  if (bucket?.bucketId !== target.bucketId) return NOTHING;
  if (target.action === 'abort-upload') return abortUpload(tables, target, now);
  const row = versionOf(tables, target, now);
  if (!row) return NOTHING;
  if (target.action === 'expire') return expire(tables, { bucket, key: target.key }, context);
  if (isLocked(row, context.trustedNow)) return { held: 1 };
  removeVersion(tables, target, row);
  return target.action === 'remove-marker'
    ? { removedMarkers: 1 }
    : { removedVersions: 1, bytes: row.sizeBytes };
}

/**
 * Returns the version. Returns undefined if it was replaced or if the current rules do not require the action any more.
 */
function versionOf(
  { versions, lifecycle }: WriteTables,
  { bucketId, key, versionId, sequence, action }: VersionTarget,
  now: number,
): VersionRow | undefined {
  const row = versions.find.byId(bucketId, key, versionId);
  const rules = lifecycle.rulesOf(bucketId);
  if (!rules || row?.sequence !== sequence) return undefined;
  const { sizeBytes, lastModifiedAt } = row;
  const version = { key, sizeBytes, lastModifiedAt, isDeleteMarker: row.isDeleteMarker !== 0 };
  const evaluated = { ...version, tags: knownTags(row.tags) };
  const place = lifecycle.placeOf(bucketId, key, row);
  return evaluateVersion(rules.of(key), evaluated, place, now)?.action === action ? row : undefined;
}

interface Expiring {
  readonly bucket: BucketRow;
  readonly key: string;
}

/**
 * Expires the latest version like a delete request without a version ID. Does nothing if that would permanently delete
 * a locked null version.
 */
function expire(tables: WriteTables, { bucket, key }: Expiring, context: CommandContext): Done {
  const { removesNull } = deleteStep(bucket.versioning ?? undefined);
  const replaced = removesNull ? tables.versions.find.nullVersion(bucket.bucketId, key) : undefined;
  if (replaced && isLocked(replaced, context.trustedNow)) return { held: 1 };
  const stated = { ...NOTHING_STATED, owner: principalId(bucket) };
  addDeleteMarker(tables, { bucket, key, context }, stated);
  return { expired: 1, bytes: replaced?.sizeBytes ?? 0 };
}

function removeVersion(tables: WriteTables, target: VersionTarget, row: VersionRow): void {
  tables.versions.remove(target.bucketId, target.key, row);
  tables.blobs.release(row);
}

function abortUpload(
  { uploads, blobs, lifecycle }: WriteTables,
  { bucketId, key, uploadId }: UploadTarget,
  now: number,
): Done {
  const upload = uploads.find(bucketId, key, uploadId);
  const rules = lifecycle.rulesOf(bucketId);
  if (!upload || !rules) return NOTHING;
  if (evaluateUpload(rules.of(key), upload.initiatedAt, now) === undefined) return NOTHING;
  const bytes = uploads.parts(upload.sequence).reduce((sum, part) => sum + part.sizeBytes, 0);
  for (const blobId of uploads.remove(upload.sequence)) blobs.releaseBlob(blobId);
  return { abortedUploads: 1, bytes };
}
