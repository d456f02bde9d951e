/**
 * Bytes of the bucket in place of a file: its own bytes are made safe first, then it gives way, if it is still the file
 * that was saved. Begun again after a crash, it finds what is done: the copy has a name of its content, and what was
 * moved away is known by name.
 */

import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { BucketBytes, DownloadAction } from '../plan/action.ts';
import { MAX_KEY_BYTES } from '../objects/object-metadata.ts';
import { readFileStable, type ReadFile } from '../local/file-body.ts';
import { FileChangedError } from '../model/failure-kind.ts';
import { endSettingAside, type SettingAside, setAsideFile } from '../local/set-aside-file.ts';
import { isFolderInside } from '../local/is-there.ts';
import { makeFolders } from '../local/held-folder.ts';
import { within } from '../local/local-entry.ts';
import { parentOf, pathOfKey } from '../model/local-path.ts';
import { setAsideName } from '../local/temporary-name.ts';
import { MirrorError } from '../model/mirror-error.ts';
import { type FetchedFile, fetchFile, type ObjectRequest } from './fetch-file.ts';
import { savedKey, TOO_LONG } from './save-copy.ts';
import { alreadySafe, saveLocal, saveRow } from './save-local-file.ts';
import { attempt, hold, unread } from './step-failure.ts';
import {
  ended,
  type PerformContext,
  pickVersion,
  type Prepared,
  type Step,
  type Work,
} from './step.ts';
import type { NewConflict, ReplacedContent } from '../model/conflict.ts';
import type { Settlement } from '../state/state.ts';

const NO_FOLDER =
  'the bucket holds bytes under the name of a folder: move the folder, or the object';

export async function prepareTake(
  work: Work,
  action: DownloadAction,
  context: PerformContext,
): Promise<Prepared> {
  const { key, entry, saved } = action;
  const { root, clock, signal } = context;
  // Of a folder only itself would be safe, and nothing that is in it.
  if (key.endsWith('/') || entry?.kind === 'directory') return hold(action, NO_FOLDER, context);
  if (!entry || saved) return take(action, context);
  const reading = await readFileStable(root, entry, { clock, signal });
  if (reading.status !== 'read') return unread(key, entry, reading, context);
  const safe = await alreadySafe(key, reading, context);
  if (safe) return take({ ...action, saved: { entry: reading.entry, as: safe } }, context);
  return prepareSave(work, action, reading, context);
}

function prepareSave(
  work: Work,
  action: DownloadAction,
  reading: ReadFile,
  context: PerformContext,
): Prepared {
  const { clock, place } = context;
  const { entry, sha256 } = reading;
  const now = clock.now();
  const aside = savedKey({ key: action.key, head: { etag: sha256 }, into: 'conflict' }, now);
  if (Buffer.byteLength(place.prefix + aside) > MAX_KEY_BYTES)
    return hold(action, TOO_LONG, context);
  const row = saveRow(aside, reading, now);
  const save = async (): Promise<Step> => {
    const as = await saveLocal(row, reading, context);
    return { is: 'again', works: [{ action: { ...action, saved: { entry, as } }, attempts: 0 }] };
  };
  // Whatever came of it: it is begun again under the same name, so nobody has to ask.
  const send = async () => ({ ...(await attempt(work, context, save)), settlement: ended(row) });
  return { is: 'request', row, send };
}

async function take(action: DownloadAction, context: PerformContext): Promise<Step> {
  const { root, state, clock } = context;
  const { key, saved, from } = action;
  const path = pathOfKey(key);
  const temporary = within(parentOf(path), setAsideName());
  const now = clock.now();
  const replacedContent = saved && replacedContentOf(saved.as, action, now);
  const known = defined({ entry: saved?.entry, replacedContent });
  const onReplaced = () => replacedContent && state.conflicts.record({ ...replacedContent, key });
  const way = { root, path, temporary, now, onReplaced, ...known };
  state.takings.begin({ key, temporary, ...known });
  try {
    const file = await fetch(key, from, { path, makeWay: () => setAsideFile(way) }, context);
    endWay(way, context);
    return taken({ ...action, ...defined({ replacedContent }) }, file, context);
  } catch (error) {
    endWay(way, context);
    state.takings.end(key);
    return notTaken(action, error, context);
  }
}

/** Throws as `fetchFile` does. */
export function fetch(
  key: string,
  from: BucketBytes,
  target: { readonly path: string; readonly makeWay: () => void },
  context: PerformContext,
): Promise<FetchedFile> {
  const { root } = context;
  const { path } = target;
  makeFolders(realpathSync(root), parentOf(path));
  const makeWay = () => {
    // Hours may have gone by since its folder was looked at.
    if (!isFolderInside(root, parentOf(path))) throw new FileChangedError(`${root}/${path}`);
    target.makeWay();
  };
  return fetchFile({ ...objectOf(key, from, context), root, path, makeWay });
}

/** Where the bytes are. */
export function objectOf(
  key: string,
  { savedAs, versionId, etag }: BucketBytes,
  { place, signal }: PerformContext,
): ObjectRequest {
  const version = savedAs === undefined ? { key, ...defined({ versionId }) } : { key: savedAs };
  return { place, version, etag, signal };
}

function endWay(way: SettingAside, { tracker, hint }: PerformContext): void {
  const kept = endSettingAside(way);
  if (kept === undefined) return;
  const message = `somebody wrote into ${way.path} meanwhile: that is kept as ${kept}`;
  tracker.say({ level: 'warn', action: 'conflict', path: kept, message });
  hint(kept);
}

function replacedContentOf(
  as: ReplacedContent,
  { resolves }: DownloadAction,
  at: number,
): NewConflict {
  return {
    id: randomUUID(),
    side: 'folder',
    at,
    ...as,
    ...defined({ resolution: resolves?.as }),
  };
}

function taken(
  {
    key,
    from,
    saved,
    resolves,
    replacedContent,
  }: DownloadAction & { readonly replacedContent?: NewConflict },
  { entry, sha256 }: FetchedFile,
  { clock, hint, tracker }: PerformContext,
): Step {
  // At one time: that the file gave way to the answer can be told from it.
  const at = replacedContent?.at ?? clock.now();
  tracker.clearProblem(entry.path);
  const settlement: Settlement = {
    key,
    hasTaken: true,
    baseline: from.isHead ? { ...entry, sha256, ...pickVersion(from) } : 'keep',
    ...(resolves && { resolves: { ...resolves, at } }),
    ...defined({ replacedContent }),
  };
  // What is not the head yet goes there like every change of the folder.
  if (!from.isHead) hint(entry.path);
  const where = saved?.as.savedAs ?? 'its version in the bucket';
  const message = saved
    ? `${entry.sizeBytes} bytes of the bucket are in its place; what was there is kept as ${where}`
    : `${entry.sizeBytes} bytes of the bucket are in its place`;
  const activity = { level: 'info', action: 'take', path: entry.path, message } as const;
  return { is: 'settled', settlement, activity };
}

/** What is wrong with one file, or with its bytes, stops no other. */
export function notTaken(
  { key, from, resolves }: Pick<DownloadAction, 'key' | 'from' | 'resolves'>,
  error: unknown,
  { state }: PerformContext,
): Step {
  const path = pathOfKey(key);
  const isGone = !from.isHead && isStorageError(error, 'NoSuchKey', 'NoSuchVersion');
  const isLocal = error instanceof MirrorError || isSystemError(error);
  if (!isGone && !isLocal) throw error;
  if (isGone) for (const id of resolves?.ids ?? []) state.conflicts.wish(id, undefined);
  const message = `take ${path} from the bucket: ${failureReason(error)}`;
  return { is: 'settled', problem: { path, code: 'failed', message } };
}

function isSystemError(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && /^E[A-Z0-9]+$/.test(code);
}
