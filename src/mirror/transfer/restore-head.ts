/**
 * Restores a key's earlier version after another client removed the current version, by copying the earlier version on
 * the service.
 */

import { defined } from '../../base/defined.ts';
import type { LockRequest, PutObjectResult } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { copyWhole, statedAttributes } from '../../object-store/copy-whole.ts';
import type { Action } from '../plan/action.ts';
import { withUpload } from '../objects/object-metadata.ts';
import { provenMetadata } from '../objects/provenance.ts';
import { withSettings } from '../objects/job-settings.ts';
import { COPY_ATTEMPTS } from '../model/failure-kind.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { copyLog } from './resumable-upload.ts';
import { preparePut } from './upload-file.ts';
import { requestCopy } from './copy-object.ts';
import { putRow, uploadOf } from './put-rows.ts';
import type { PerformContext, Prepared, Work } from './step-types.ts';
import type { Activity } from '../model/tracker.ts';

type CopyVersion = Extract<Action, { kind: 'copy-version-to-head' }>;

export async function prepareCopy(
  work: Work,
  action: CopyVersion,
  context: PerformContext,
): Promise<Prepared> {
  const { clock, state, tracker } = context;
  const { key, versionId, otherwise } = action;
  const baseline = state.baseline.get(key);
  const isUnfit = work.attempts >= COPY_ATTEMPTS || state.damaged.has(key, versionId);
  if (!baseline || isUnfit) return preparePut(work, otherwise, context);
  const lock = otherwise.lock ? await context.lock(key) : undefined;
  const { sha256, etag } = baseline;
  const uploadedAt = await context.uploadTime();
  const row = putRow(
    otherwise,
    { entry: otherwise.entry, sha256 },
    { now: clock.now(), uploadedAt, copies: { key, versionId, etag }, ...defined({ lock }) },
  );
  const copy = () => copyToHead(action, { row, ...defined({ lock }) }, context);
  const onCopied = (): Activity => {
    tracker.countUpload(0);
    const message = 'another client removed the object; the job restored it from its last version';
    return { level: 'info', action: 'copy', path: key, message };
  };
  // If the earlier version no longer exists either, the file is uploaded.
  const instead = { ...work, action: otherwise };
  return requestCopy(work, row, { copy, onCopied, instead }, context);
}

async function copyToHead(
  { key, versionId }: CopyVersion,
  { row, lock }: { readonly row: JournalRow; readonly lock?: LockRequest },
  context: PerformContext,
): Promise<PutObjectResult> {
  const { destination, settings, tracker, logger, signal } = context;
  const object = { bucket: destination.bucket, key: destination.prefix + key };
  const source = { ...object, versionId };
  const { info } = await destination.store
    .headObject(source, { signal })
    .catch((error: unknown) => {
      if (isStorageError(error, 'NoSuchVersion')) tracker.setOutdated(key);
      throw error;
    });
  const { websiteRedirect: _, ...stated } = statedAttributes(info);
  const metadata = withUpload(
    provenMetadata({ ...info, key }, destination.provenance),
    uploadOf(row),
  );
  const { sizeBytes } = info;
  const attributes = destination.provenance.prove({ ...stated, metadata }, { key, sizeBytes });
  const given = withSettings(attributes, await settings.of(key, { key, versionId }, signal));
  const conditions = { ifNoneMatch: '*' } as const;
  const request = { ...object, source, conditions, ...given, ...defined({ lock }) };
  const uploadLog = copyLog(row, context);
  return copyWhole(destination.store, request, info, { logger, signal, uploadLog });
}
