/** Builds the journal row of a put request, and the settlement that stores its outcome and the new baseline row. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import type { ReplacedContent } from '../model/conflict.ts';
import type { PutAction } from '../plan/action.ts';
import { withoutContent } from '../state/baseline-table.ts';
import type { CopySource, JournalRow } from '../state/journal-table.ts';
import type { Settlement } from '../state/state-file.ts';
import { type FileState, pickVersion } from './step-types.ts';

export interface PutRowParts {
  readonly now: number;
  /** The upload time that is stored in the version's metadata. */
  readonly uploadedAt: number;
  readonly lock?: LockRequest;
  /** The source, if the version is a copy. */
  readonly copies?: CopySource;
}

/** Returns the journal row for a put or copy that is about to be sent. */
export function putRow(
  { key, why, guard, supersedes }: PutAction,
  { entry, sha256, content }: Omit<FileState, 'mtimeNs' | 'extras'>,
  { now, uploadedAt, lock, copies }: PutRowParts,
): JournalRow {
  return {
    id: randomUUID(),
    key,
    operation: 'put',
    sha256,
    startedAt: now,
    entry: {
      ...entry,
      ...defined({
        copies,
        content,
        uploadedAt,
        retainUntil: lock?.retention?.retainUntil,
        reprotectedAt: why === 'missing' ? now : undefined,
      }),
    },
    ...('ifMatch' in guard && { expected: guard.ifMatch }),
    ...(supersedes && { supersedes: pickReplacedContent(supersedes) }),
  };
}

/** Returns the journal id and the upload time for the metadata of the version that a row creates. */
export function uploadOf({ id, entry, startedAt }: JournalRow) {
  // Rows that an earlier release of Holdfast wrote have no upload time.
  return { journalId: id, uploadedAt: entry?.uploadedAt ?? startedAt };
}

/** Returns the settlement for this job's put or copy, with the version that the service returned. */
export function settlePut(
  { id, key, entry, sha256, supersedes, startedAt: at }: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
): Settlement {
  if (!entry || sha256 === undefined) return { key, journalId: id, baseline: 'keep' };
  const { copies: _, ...known } = entry;
  return {
    key,
    journalId: id,
    baseline: { ...known, sha256, ...pickVersion(made) },
    ...(supersedes && { replacedContent: { ...supersedes, id, side: 'bucket', at } }),
  };
}

/**
 * Returns the settlement for a version with wrong content that a lock retains. Its baseline row has no valid digest, so
 * that the file is uploaded again, whatever the version's metadata says.
 */
export function settleDamaged(
  row: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
): Settlement {
  const settlement = settlePut(row, made);
  const { baseline } = settlement;
  return typeof baseline === 'object'
    ? { ...settlement, baseline: withoutContent(baseline) }
    : settlement;
}

/** Returns a settlement that ends the journal row and leaves the baseline unchanged. */
export function endRow({ id, key }: JournalRow): Settlement {
  return { key, journalId: id, baseline: 'keep' };
}

function pickReplacedContent(covered: ReplacedContent): ReplacedContent {
  const { etag, versionId, sizeBytes, sha256, savedAs, retainUntil, resolution } = covered;
  return defined({ etag, versionId, sizeBytes, sha256, savedAs, retainUntil, resolution });
}
