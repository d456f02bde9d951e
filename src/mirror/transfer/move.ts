/**
 * Bytes that the bucket holds already, under another name or with other attributes: copied there, and not sent
 * again.
 */

import { type BigIntStats, lstatSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { copyWhole } from '../../object-store/copy-whole.ts';
import type { LockRequest, PutObjectResult } from '../../object-store/object-store.ts';
import { checkMove } from '../guard/check-move.ts';
import type { PutAction } from '../plan/action.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import { copyLog } from './resumable-upload.ts';
import { COPY_ATTEMPTS } from '../model/failure-kind.ts';
import { unchanged } from '../model/compare.ts';
import { extrasOf, readXattrs } from '../local/extras.ts';
import { isThere } from '../local/is-there.ts';
import { withSettings } from '../objects/job-settings.ts';
import { storeExtras } from './upload-extras.ts';
import { isHeldByLaw } from './copy-legal-hold.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { toExactEntry } from '../local/local-entry.ts';
import { requestCopy } from './copy-object.ts';
import {
  type FileState,
  OVER,
  type PerformContext,
  type Prepared,
  putRow,
  uploadOf,
  type Work,
} from './step.ts';
import type { Activity } from '../model/activity.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { Xattrs } from '../local/xattrs.ts';

/** A current version that has these bytes: another key's, or that of the file itself. */
export interface Twin {
  readonly origin: BaselineEntry;
  readonly content: FileState;
}

/** Smaller files of equal content are as quickly sent as found; a renamed one is found by its inode. */
export const TWIN_MIN_BYTES = 64 * 1024;

/** Whether the bytes may be had from a version in the bucket. */
export function mayCopy({ attempts, sendsBytes }: Work, { why }: PutAction): boolean {
  return (why === 'new' || why === 'changed') && !sendsBytes && attempts < COPY_ATTEMPTS;
}

/**
 * A file that was moved: it is in the state that the baseline knows, and is not at its old path any more.
 * Its content need not be read. A rename changes the ctime of what it names, not of what lies below.
 */
export async function movedFrom(
  { entry, why }: PutAction,
  context: PerformContext,
): Promise<Twin | undefined> {
  const { root, state, reads } = context;
  if (why !== 'new' || !isCopyable(entry) || !isIdentified(entry)) return undefined;
  const origin = state.baseline
    .withInode(entry.inode)
    .find((row) => unchanged(row, entry) && !reads.isUncertain(row.path) && !isStillAt(root, row));
  const path = `${root}/${entry.path}`;
  // Unless the ctime changed, which is looked at after it, the attributes are those of before.
  const xattrs = origin?.xattrs === undefined ? undefined : await attributesAt(path);
  const stats = origin && lookAt(path);
  if (!stats || xattrs?.digest !== origin.xattrs) return undefined;
  const fresh = toExactEntry(entry.path, entry.kind, stats);
  if (!unchanged(origin, fresh)) return undefined;
  const { sha256, content } = origin;
  const moved = {
    entry: { ...fresh, ...defined({ xattrs: xattrs?.digest }) },
    mtimeNs: stats.mtimeNs,
    sha256,
    extras: extrasOf(stats, xattrs),
    ...defined({ content }),
  };
  return { origin, content: moved };
}

/** A file whose content, now that it was read, is that of another key, or still its own: then it is its attributes that changed. */
export function twinOf(
  { key, why, guard }: PutAction,
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
    state.baseline.withInode(entry.inode).find(isTwin) ??
    (entry.sizeBytes >= TWIN_MIN_BYTES ? state.baseline.withContent(sha256) : undefined) ??
    state.gone.get(key, sha256);
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
  const isMove = isMoved(twin.origin, action.key, context.root);
  const held = isMove ? checkMove({ ...work, action }, twin, lock, context) : undefined;
  if (held) return { ...OVER, activity: held };
  const isHeld = isMove && (await isHeldByLaw(twin.origin, context));
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
  const { place, settings, logger, signal } = context;
  const { bucket, prefix, store } = place;
  const legalHold = row.entry?.copies?.legalHold;
  await storeExtras(place, content.extras, { lock, signal });
  const from = { key: origin.path, ...defined({ versionId: origin.versionId }) };
  const given = await settings.of(key, from, signal);
  const attributes = place.provenance.prove(objectAttributes({ ...content, ...uploadOf(row) }), {
    key,
    sizeBytes: origin.sizeBytes,
    md5: place.provenance.md5OfCopy(origin),
  });
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

/** Moves are told by the tracker, together with others. */
function reportCopy(
  { key, why }: PutAction,
  { origin, content }: Twin,
  { root, tracker }: PerformContext,
): Activity | undefined {
  tracker.countUpload(0);
  if (origin.path === key && why === 'new') {
    const message = 'the file is back: copied in the bucket from its version';
    return { level: 'info', action: 'copy', path: key, message };
  }
  if (origin.path === key) {
    const message = 'its attributes changed: copied in the bucket with the new ones';
    return { level: 'info', action: 'attributes', path: key, message };
  }
  const isMove = isMoved(origin, key, root);
  tracker.countCopy({ from: origin.path, to: key, isMove, sizeBytes: content.entry.sizeBytes });
  return undefined;
}

function isMoved(origin: BaselineEntry, key: string, root: string): boolean {
  return origin.path !== key && !isStillAt(root, origin);
}

/** A hard link is at both paths. */
function isStillAt(root: string, { path, inode }: BaselineEntry): boolean {
  return isThere(root, path, ({ ino }) => ino === inode);
}

function isCopyable({ kind, sizeBytes }: LocalEntry): boolean {
  return kind === 'file' && sizeBytes > 0;
}

/**
 * Whether inode and times tell a file from all others. File systems that count milliseconds or more (FAT,
 * exFAT, SFTP) number their files anew when they are mounted, and burst shots are of one size.
 */
export function isIdentified({ ctimeMs, inode }: LocalEntry): boolean {
  return !Number.isInteger(ctimeMs) && Number.isSafeInteger(inode);
}

/** Whatever is wrong with it, reading it will tell. */
async function attributesAt(path: string): Promise<Xattrs | undefined> {
  try {
    return await readXattrs(path);
  } catch {
    return undefined;
  }
}

/** Likewise. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
