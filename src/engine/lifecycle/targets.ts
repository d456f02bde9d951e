/** What a slice has found, as orders to the writer and as entries that a user may read. */

import type { Slice, UploadVerdict } from './candidates.ts';
import type { LifecycleTarget } from '../writes/commands/lifecycle-action.ts';
import type { Verdict } from '../../object-store/rules/lifecycle-walk.ts';
import type { BucketRow } from '../schema/rows.ts';
import type { LifecycleVersion } from './position.ts';

/** `mark` puts a delete marker on top, or in the place of the null version; all others remove for good. */
export type PlannedAction = 'mark' | 'remove' | 'remove-marker' | 'abort-upload';

export interface PlannedChange {
  readonly bucket: string;
  readonly key: string;
  readonly action: PlannedAction;
  /** Of uploads, their own ids. */
  readonly versionId: string;
  readonly ruleId: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; of an upload, when it was begun. */
  readonly lastModifiedAt: number;
  /** A lock keeps it: nothing would be done. */
  readonly locked: boolean;
}

/** Those that are held are none. */
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
  const told = { bucket: name, key, versionId, ruleId, sizeBytes, lastModifiedAt, locked: held };
  if (action === 'remove-marker') return { ...told, action };
  return { ...told, action: action === 'expire' && versioning !== null ? 'mark' : 'remove' };
}

function plannedUpload({ name }: BucketRow, { upload, ruleId }: UploadVerdict): PlannedChange {
  const { key, uploadId: versionId, sizeBytes, initiatedAt: lastModifiedAt } = upload;
  const told = { bucket: name, key, versionId, ruleId, sizeBytes, lastModifiedAt };
  return { ...told, action: 'abort-upload', locked: false };
}
