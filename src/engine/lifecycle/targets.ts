/** Converts the decisions about a slice to targets for the writer, and to entries of a preview. */

import type { Slice, UploadVerdict } from './candidates.ts';
import type { LifecycleTarget } from '../writes/commands/lifecycle-action.ts';
import type { Verdict } from '../../object-store/rules/lifecycle-walk.ts';
import type { BucketRow } from '../schema/rows.ts';
import type { LifecycleVersion } from './position.ts';

/**
 * What a lifecycle rule does. `mark` adds a delete marker, or replaces the null version with one. The other actions
 * remove a version, marker or upload permanently.
 */
export type PlannedAction = 'mark' | 'remove' | 'remove-marker' | 'abort-upload';

export interface PlannedChange {
  readonly bucket: string;
  readonly key: string;
  readonly action: PlannedAction;
  /** The version ID; for an upload, the upload ID. */
  readonly versionId: string;
  readonly ruleId: string;
  readonly sizeBytes: number;
  /** The time of the last modification in milliseconds since 1970. For an upload, the time when it was created. */
  readonly lastModifiedAt: number;
  /** Whether a lock protects the version. A lifecycle run does not remove a locked version. */
  readonly locked: boolean;
}

/** Returns what the writer must change for a slice of versions and uploads. Locked versions are excluded. */
export function targetsOf({ bucket, versions, uploads }: Slice): readonly LifecycleTarget[] {
  if (!bucket) return [];
  const { bucketId, name } = bucket;
  return [
    ...versions
      .filter(({ held }) => !held)
      .map(({ version: { key, versionId, sequence }, action }): LifecycleTarget => {
        return { bucketId, bucket: name, key, action, versionId, sequence };
      }),
    ...uploads.map(({ upload: { key, uploadId } }): LifecycleTarget => {
      return { bucketId, bucket: name, key, action: 'abort-upload', uploadId };
    }),
  ];
}

export function plannedOf({ bucket, versions, uploads }: Slice): readonly PlannedChange[] {
  if (!bucket) return [];
  return [
    ...versions.map((verdict) => plannedVersion(bucket, verdict)),
    ...uploads.map((verdict) => plannedUpload(bucket, verdict)),
  ];
}

function plannedVersion(
  { name, versioning }: BucketRow,
  { version, action, ruleId, held }: Verdict<LifecycleVersion>,
): PlannedChange {
  const { key, versionId, sizeBytes, lastModifiedAt } = version;
  const described = {
    bucket: name,
    key,
    versionId,
    ruleId,
    sizeBytes,
    lastModifiedAt,
    locked: held,
  };
  if (action === 'remove-marker') return { ...described, action };
  return { ...described, action: action === 'expire' && versioning !== null ? 'mark' : 'remove' };
}

function plannedUpload({ name }: BucketRow, { upload, ruleId }: UploadVerdict): PlannedChange {
  const { key, uploadId: versionId, sizeBytes, initiatedAt: lastModifiedAt } = upload;
  const described = { bucket: name, key, versionId, ruleId, sizeBytes, lastModifiedAt };
  return { ...described, action: 'abort-upload', locked: false };
}
