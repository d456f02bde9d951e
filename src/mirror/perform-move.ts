/** A new name for bytes that the bucket holds under another one: copied there, and not sent again. */

import { lstatSync } from 'node:fs';

import { defined } from '../base/defined.ts';
import type { LockRequest } from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import type { PutAction } from './action.ts';
import { objectAttributes } from './attributes.ts';
import { unchanged } from './file-body.ts';
import type { JournalRow } from './journal-table.ts';
import { toExactEntry } from './local-entry.ts';
import { attempt } from './setbacks.ts';
import {
  ended,
  type FileState,
  type PerformContext,
  type Prepared,
  putRow,
  settlePut,
  type Step,
  type Work,
} from './step.ts';
import type { BaselineEntry, LocalEntry } from './types.ts';

/** Another key's current version, which has these bytes. */
export interface Twin {
  readonly origin: BaselineEntry;
  readonly content: FileState;
}

/** Smaller files of equal content are as quickly sent as found; a renamed one is found by its inode. */
export const TWIN_MIN_BYTES = 64 * 1024;
/** The protocol copies no larger object by one request. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/**
 * A file that was moved: it is in the state that the baseline knows, and is not at its old path any more.
 * Its content need not be read. A rename changes the ctime of what it names, not of what lies below.
 */
export function movedFrom({ entry }: PutAction, context: PerformContext): Twin | undefined {
  const { root, state } = context;
  if (!isCopyable(entry)) return undefined;
  const origin = state.baseline
    .withInode(entry.inode)
    .find((row) => unchanged(row, entry) && !isStillAt(`${root}/${row.path}`, row));
  const stats = origin && lstatSync(`${root}/${entry.path}`, NO_THROW);
  if (!stats) return undefined;
  const fresh = toExactEntry(entry.path, entry.kind, stats);
  if (!unchanged(origin, fresh)) return undefined;
  return { origin, content: { entry: fresh, mtimeNs: stats.mtimeNs, sha256: origin.sha256 } };
}

/** A file whose content, now that it was read, is that of another key. */
export function twinOf(content: FileState, { state }: PerformContext): Twin | undefined {
  const { entry, sha256 } = content;
  if (!isCopyable(entry)) return undefined;
  const isTwin = (row: BaselineEntry) => row.kind === 'file' && row.sha256 === sha256;
  const origin =
    state.baseline.withInode(entry.inode).find(isTwin) ??
    (entry.sizeBytes >= TWIN_MIN_BYTES ? state.baseline.withContent(sha256) : undefined);
  return origin && { origin, content };
}

/** What the service will not copy, or not as it was, is sent after all. */
export function prepareMove(
  work: Work,
  action: PutAction,
  twin: Twin,
  context: PerformContext,
): Prepared {
  const lock = action.lock ? context.lock() : undefined;
  const row = putRow(action, twin.content, { now: context.clock.now(), ...defined({ lock }) });
  const send = async (): Promise<Step> => {
    try {
      return await copyTwin(action, twin, { row, ...defined({ lock }) }, context);
    } catch (error) {
      if (!isStorageError(error) || !REFUSALS.has(error.code)) throw error;
      return { is: 'again', settlement: ended(row), works: [{ ...work, sendsBytes: true }] };
    }
  };
  return { is: 'request', row, send: () => attempt(work, context, send, row) };
}

const REFUSALS: ReadonlySet<string> = new Set([
  'NoSuchKey',
  'NoSuchVersion',
  'PreconditionFailed',
  'InvalidRequest',
  'NotImplemented',
]);

async function copyTwin(
  { key, guard }: PutAction,
  { origin, content }: Twin,
  { row, lock }: { readonly row: JournalRow; readonly lock?: LockRequest },
  { place, root, tracker, signal }: PerformContext,
): Promise<Step> {
  const { bucket, prefix } = place;
  const source = { bucket, key: prefix + origin.path, ...defined({ versionId: origin.versionId }) };
  const made = await place.store.copyObject(
    {
      source,
      sourceConditions: { ifMatch: [origin.etag] },
      bucket,
      key: prefix + key,
      attributes: objectAttributes({ ...content, journalId: row.id }),
      conditions: guard,
      ...defined({ lock }),
    },
    { signal },
  );
  tracker.countUpload(0);
  const isMove = !isStillAt(`${root}/${origin.path}`, origin);
  tracker.countCopy({ from: origin.path, to: key, isMove, sizeBytes: content.entry.sizeBytes });
  return { is: 'settled', settlement: settlePut(row, made) };
}

function isCopyable({ kind, sizeBytes }: LocalEntry): boolean {
  return kind === 'file' && sizeBytes > 0 && sizeBytes <= MAX_COPY_BYTES;
}

const NO_THROW = { bigint: true, throwIfNoEntry: false } as const;

/** A hard link is at both paths. */
function isStillAt(path: string, { inode }: LocalEntry): boolean {
  const stats = lstatSync(path, NO_THROW);
  return stats !== undefined && Number(stats.ino) === inode;
}
