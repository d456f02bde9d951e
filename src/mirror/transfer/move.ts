/** Copies a file's content on the service if the bucket already has it under another key, or with other attributes. */

import { type BigIntStats, lstatSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { copyWhole } from '../../object-store/copy-whole.ts';
import type { LockRequest, PutObjectResult } from '../../object-store/object-store.ts';
import type { PutAction } from '../plan/action.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import { copyLog } from './resumable-upload.ts';
import { COPY_ATTEMPTS } from '../model/failure-kind.ts';
import { unchanged } from '../model/compare.ts';
import { extraAttributesOf, readXattrs } from '../local/extra-attributes.ts';
import { isThere } from '../local/path-exists.ts';
import { withSettings } from '../objects/job-settings.ts';
import { storeExtras } from './upload-extras.ts';
import { hasLegalHold } from './copy-object.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { toExactEntry } from '../local/local-entry.ts';
import { requestCopy } from './copy-object.ts';
import { putRow, uploadOf } from './put-rows.ts';
import {
  type FileState,
  DONE,
  type PerformContext,
  type Prepared,
  type Work,
} from './step-types.ts';
import type { Activity } from '../model/tracker.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { Xattrs } from '../local/xattrs.ts';

/** An existing version with the same content, of another key or of the file itself. */
export interface Twin {
  readonly origin: BaselineEntry;
  readonly content: FileState;
}

/**
 * Minimum size in bytes of a file that is copied from another key with equal content, because a smaller file is
 * uploaded just as fast. A renamed file is found by its inode, whatever its size.
 */
export const TWIN_MIN_BYTES = 64 * 1024;

/** Returns whether an action may copy an existing version instead of uploading the file. */
export function mayCopy({ attempts, sendsBytes }: Work, { why }: PutAction): boolean {
  return (why === 'new' || why === 'changed') && !sendsBytes && attempts < COPY_ATTEMPTS;
}

/**
 * Finds a moved file's baseline row: it has the same inode and state, and its old path no longer exists. Does not read
 * the content. A rename changes only the ctime of the renamed entry itself, not of entries below it.
 */
export async function movedFrom(
  { entry, why, sameInode }: PutAction,
  context: PerformContext,
): Promise<Twin | undefined> {
  const { root, state, reads } = context;
  if (why !== 'new' || !isCopyable(entry) || !isIdentified(entry)) return undefined;
  const origin = rowsOf(entry, sameInode, state).find(
    (row) => unchanged(row, entry) && !reads.isUncertain(row.path) && !isStillAt(root, row),
  );
  const path = `${root}/${entry.path}`;
  // The attributes must be read before the stats. If the stats then show an unchanged ctime, the attributes are
  // unchanged too.
  const xattrs = origin?.xattrs === undefined ? undefined : await attributesAt(path);
  const stats = origin && statUnlessFailed(path);
  if (!stats || xattrs?.digest !== origin.xattrs) return undefined;
  const fresh = toExactEntry(entry.path, entry.kind, stats);
  if (!unchanged(origin, fresh)) return undefined;
  const { sha256, content } = origin;
  const moved = {
    entry: { ...fresh, ...defined({ xattrs: xattrs?.digest }) },
    mtimeNs: stats.mtimeNs,
    sha256,
    extras: extraAttributesOf(stats, xattrs),
    ...defined({ content }),
  };
  return { origin, content: moved };
}

/**
 * Finds a version with the content of a file that was read. It belongs to another key, or to the same key if only the
 * attributes changed.
 */
export function findTwin(
  { key, why, guard, sameInode }: PutAction,
  content: FileState,
  { state }: PerformContext,
): Twin | undefined {
  const { entry, sha256 } = content;
  if (!isCopyable(entry)) return undefined;
  if (why === 'changed') {
    const own = 'ifMatch' in guard ? state.baseline.get(key) : undefined;
    return own?.kind === 'file' && own.sha256 === sha256 ? { origin: own, content } : undefined;
  }
  const isTwin = (row: BaselineEntry) => row.kind === 'file' && row.sha256 === sha256;
  const origin =
    rowsOf(entry, sameInode, state).find(isTwin) ??
    (entry.sizeBytes >= TWIN_MIN_BYTES ? state.baseline.withContent(sha256) : undefined) ??
    state.recentlyDeleted.get(key, sha256);
  return origin && { origin, content };
}

/**
 * Returns the baseline rows with an entry's inode number. Uses the rows that the plan has read, if any. Another hard
 * link of the file may have been uploaded after the plan.
 */
function rowsOf(
  { inode, link }: LocalEntry,
  planned: readonly BaselineEntry[] | undefined,
  { baseline }: PerformContext['state'],
): readonly BaselineEntry[] {
  if (planned && link === undefined) return planned;
  return baseline.withInodes([inode]).get(inode) ?? [];
}

/** Prepares a copy on the service. If the service refuses it or copies different content, the file is uploaded. */
export async function prepareMove(
  work: Work,
  action: PutAction,
  twin: Twin,
  context: PerformContext,
): Promise<Prepared> {
  const lock = action.lock ? await context.lock(action.key) : undefined;
  const { path, etag, versionId } = twin.origin;
  const isMove = isMoved(twin.origin, action.key, context.root);
  const held = isMove ? context.changeGuard.checkMove({ ...work, action }, twin, lock) : undefined;
  if (held) return { ...DONE, activity: held };
  const isHeld = isMove && (await hasLegalHold(twin.origin, context));
  const legalHold = isHeld || undefined;
  const copies = { key: path, etag, ...defined({ versionId, legalHold }) };
  const now = context.clock.now();
  const uploadedAt = await context.uploadTime();
  const row = putRow(action, twin.content, { now, uploadedAt, copies, ...defined({ lock }) });
  const onCopied = () => reportCopy(action, twin, context);
  const copy = () => copyTwin(action, twin, { row, ...defined({ lock }) }, context);
  const instead = { ...work, action, sendsBytes: true } as const;
  return requestCopy(work, row, { copy, onCopied, instead }, context);
}

async function copyTwin(
  { key, guard }: PutAction,
  { origin, content }: Twin,
  { row, lock }: { readonly row: JournalRow; readonly lock?: LockRequest },
  context: PerformContext,
): Promise<PutObjectResult> {
  const { destination, settings, logger, signal } = context;
  const { bucket, prefix, store } = destination;
  const legalHold = row.entry?.copies?.legalHold;
  await storeExtras(destination, content.extras, { lock, signal });
  const from = { key: origin.path, ...defined({ versionId: origin.versionId }) };
  const given = await settings.of(key, from, signal);
  const attributes = destination.provenance.prove(
    objectAttributes({ ...content, ...uploadOf(row) }),
    {
      key,
      sizeBytes: origin.sizeBytes,
      md5: destination.provenance.md5OfCopy(origin),
    },
  );
  const request = {
    source: { bucket, key: prefix + origin.path },
    bucket,
    key: prefix + key,
    ...withSettings(attributes, given),
    conditions: guard,
    ...((lock ?? legalHold) && { lock: { ...lock, ...defined({ legalHold }) } }),
  };
  const uploadLog = copyLog(row, context);
  return copyWhole(store, request, origin, { logger, signal, uploadLog });
}

/**
 * Counts a copy and returns its activity log entry. Returns none for a move, because the tracker reports moves in
 * groups.
 */
function reportCopy(
  { key, why }: PutAction,
  { origin, content }: Twin,
  { root, tracker }: PerformContext,
): Activity | undefined {
  tracker.countUpload(0);
  if (origin.path === key && why === 'new') {
    const message = 'the file exists again: copied within the bucket from its earlier version';
    return { level: 'info', action: 'copy', path: key, message };
  }
  if (origin.path === key) {
    const message = 'only its attributes changed: copied within the bucket with the new attributes';
    return { level: 'info', action: 'attributes', path: key, message };
  }
  const isMove = isMoved(origin, key, root);
  tracker.countCopy({ from: origin.path, to: key, isMove, sizeBytes: content.entry.sizeBytes });
  return undefined;
}

function isMoved(origin: BaselineEntry, key: string, root: string): boolean {
  return origin.path !== key && !isStillAt(root, origin);
}

/**
 * Returns whether a file still exists at its old path. Compares the inode, because a hard link exists at both paths.
 */
function isStillAt(root: string, { path, inode }: BaselineEntry): boolean {
  return isThere(root, path, ({ ino }) => ino === inode);
}

function isCopyable({ kind, sizeBytes }: LocalEntry): boolean {
  return kind === 'file' && sizeBytes > 0;
}

/**
 * Returns whether inode and times identify a file. They do not on file systems with timestamps of a millisecond or
 * coarser (FAT, exFAT, SFTP), because these assign new inode numbers at each mount.
 */
export function isIdentified({ ctimeMs, inode }: LocalEntry): boolean {
  return !Number.isInteger(ctimeMs) && Number.isSafeInteger(inode);
}

/**
 * Reads the extended attributes. Returns undefined on any error, because the error is reported later, when the file
 * is read.
 */
async function attributesAt(path: string): Promise<Xattrs | undefined> {
  try {
    return await readXattrs(path);
  } catch {
    return undefined;
  }
}

/** Reads a file's stats. Returns undefined on any error, because the error is reported later, when the file is read. */
function statUnlessFailed(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
