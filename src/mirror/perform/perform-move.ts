/** A new name for bytes that the bucket holds under another one: copied there, and not sent again. */

import { type BigIntStats, lstatSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import type { CopyObjectResult, LockRequest } from '../../object-store/object-store.ts';
import type { PutAction } from '../plan/action.ts';
import { objectAttributes } from '../local/attributes.ts';
import { COPY_ATTEMPTS } from './failures.ts';
import { unchanged } from '../local/file-body.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { toExactEntry } from '../local/local-entry.ts';
import { requestCopy } from './request-copy.ts';
import { type FileState, type PerformContext, type Prepared, putRow, type Work } from './step.ts';
import type { BaselineEntry, LocalEntry } from '../types.ts';

/** Another key's current version, which has these bytes. */
export interface Twin {
  readonly origin: BaselineEntry;
  readonly content: FileState;
}

/** Smaller files of equal content are as quickly sent as found; a renamed one is found by its inode. */
export const TWIN_MIN_BYTES = 64 * 1024;
/** The protocol copies no larger object by one request. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/** Whether the bytes of a new name may be had from another one. */
export function mayCopy({ attempts, sendsBytes }: Work, { why }: PutAction): boolean {
  return why === 'new' && !sendsBytes && attempts < COPY_ATTEMPTS;
}

/**
 * A file that was moved: it is in the state that the baseline knows, and is not at its old path any more.
 * Its content need not be read. A rename changes the ctime of what it names, not of what lies below.
 */
export function movedFrom({ entry }: PutAction, context: PerformContext): Twin | undefined {
  const { root, state } = context;
  if (!isCopyable(entry) || !isIdentified(entry)) return undefined;
  const origin = state.baseline
    .withInode(entry.inode)
    .find((row) => unchanged(row, entry) && !isStillAt(`${root}/${row.path}`, row));
  const stats = origin && lookAt(`${root}/${entry.path}`);
  if (!stats) return undefined;
  const fresh = toExactEntry(entry.path, entry.kind, stats);
  if (!unchanged(origin, fresh)) return undefined;
  const { sha256, content } = origin;
  const { mtimeNs } = stats;
  return { origin, content: { entry: fresh, mtimeNs, sha256, ...defined({ content }) } };
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
export async function prepareMove(
  work: Work,
  action: PutAction,
  twin: Twin,
  context: PerformContext,
): Promise<Prepared> {
  const lock = action.lock ? await context.lock(action.key) : undefined;
  const { path, etag, versionId } = twin.origin;
  const copies = { key: path, etag, ...defined({ versionId }) };
  const now = context.clock.now();
  const row = putRow(action, twin.content, { now, copies, ...defined({ lock }) });
  const copy = () => copyTwin(action, twin, { row, ...defined({ lock }) }, context);
  const onCopied = () => countCopy(action, twin, context);
  const instead = { ...work, action, sendsBytes: true } as const;
  return requestCopy(work, row, { copy, onCopied, instead }, context);
}

async function copyTwin(
  { key, guard }: PutAction,
  { origin, content }: Twin,
  { row, lock }: { readonly row: JournalRow; readonly lock?: LockRequest },
  { place, signal }: PerformContext,
): Promise<CopyObjectResult> {
  const { bucket, prefix } = place;
  const source = { bucket, key: prefix + origin.path, ...defined({ versionId: origin.versionId }) };
  return place.store.copyObject(
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
}

/** Told by the tracker, together with others. */
function countCopy(
  { key }: PutAction,
  { origin, content }: Twin,
  { root, tracker }: PerformContext,
): undefined {
  tracker.countUpload(0);
  const isMove = !isStillAt(`${root}/${origin.path}`, origin);
  tracker.countCopy({ from: origin.path, to: key, isMove, sizeBytes: content.entry.sizeBytes });
}

function isCopyable({ kind, sizeBytes }: LocalEntry): boolean {
  return kind === 'file' && sizeBytes > 0 && sizeBytes <= MAX_COPY_BYTES;
}

/**
 * Whether inode and times tell a file from all others. File systems that count milliseconds or more (FAT,
 * exFAT, SFTP) number their files anew when they are mounted, and burst shots are of one size.
 */
export function isIdentified({ ctimeMs, inode }: LocalEntry): boolean {
  return !Number.isInteger(ctimeMs) && Number.isSafeInteger(inode);
}

const NO_THROW = { bigint: true, throwIfNoEntry: false } as const;

/** Whatever is wrong with it, reading it will tell. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, NO_THROW);
  } catch {
    return undefined;
  }
}

/** A hard link is at both paths. What may not be looked at may be there. */
function isStillAt(path: string, { inode }: LocalEntry): boolean {
  try {
    const stats = lstatSync(path, NO_THROW);
    return stats !== undefined && Number(stats.ino) === inode;
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR';
  }
}
