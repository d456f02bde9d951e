/**
 * Replaces a local file with content from the bucket. First saves the local file's content in the bucket, then sets the
 * file aside unless it has changed. A retry after a crash continues: the saved copy's key contains its SHA-256, and the
 * pending replacement contains the name of the file that was set aside.
 */

import { bytesText } from '../../text/amounts.ts';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { BucketBytes, DownloadAction } from '../plan/action.ts';
import { MAX_KEY_BYTES } from '../objects/object-metadata.ts';
import { readFileStable, type ReadFile } from '../local/read-file.ts';
import { FileChangedError } from '../model/failure-kind.ts';
import { endSettingAside, type SettingAside, setAsideFile } from '../local/set-aside-file.ts';
import { isFolderInside } from '../local/path-exists.ts';
import { makeFolders } from '../local/held-folder.ts';
import { within } from '../local/local-entry.ts';
import { parentOf, pathOfKey } from '../model/local-path.ts';
import { setAsideName } from '../local/temporary-name.ts';
import { MirrorError } from '../model/mirror-error.ts';
import { type FetchedFile, fetchFile, type ObjectRequest } from './fetch-file.ts';
import { savedKey, TOO_LONG } from './save-copy.ts';
import { findSavedContent, saveLocal, saveRow } from './save-local-file.ts';
import { attempt, hold, readFailed } from './step-failure.ts';
import { endRow } from './put-rows.ts';
import {
  type PerformContext,
  pickVersion,
  type Prepared,
  type Step,
  type Work,
} from './step-types.ts';
import type { NewConflict, ReplacedContent } from '../model/conflict.ts';
import type { Settlement } from '../state/state-file.ts';

const NO_FOLDER =
  'the bucket has an object with content under the name of a folder: rename the folder or the object';

export async function prepareDownload(
  work: Work,
  action: DownloadAction,
  context: PerformContext,
): Promise<Prepared> {
  const { key, entry, saved } = action;
  const { root, clock, signal } = context;
  // A folder is not replaced, because only its own object would be saved, but not the files in it.
  if (key.endsWith('/') || entry?.kind === 'directory') return hold(action, NO_FOLDER, context);
  if (!entry || saved) return download(action, context);
  const reading = await readFileStable(root, entry, { clock, signal });
  if (reading.status !== 'read') return readFailed(key, entry, reading, context);
  const safe = await findSavedContent(key, reading, context);
  if (safe) return download({ ...action, saved: { entry: reading.entry, as: safe } }, context);
  return prepareSave(work, action, reading, context);
}

function prepareSave(
  work: Work,
  action: DownloadAction,
  reading: ReadFile,
  context: PerformContext,
): Prepared {
  const { clock, destination } = context;
  const { entry, sha256 } = reading;
  const now = clock.now();
  const aside = savedKey({ key: action.key, head: { etag: sha256 }, into: 'conflict' }, now);
  if (Buffer.byteLength(destination.prefix + aside) > MAX_KEY_BYTES)
    return hold(action, TOO_LONG, context);
  const row = saveRow(aside, reading, now);
  const save = async (): Promise<Step> => {
    const as = await saveLocal(row, reading, context);
    return { is: 'again', works: [{ action: { ...action, saved: { entry, as } }, attempts: 0 }] };
  };
  // The journal row ends in any case. A retry uses the same key, so it does not need the outcome of this request.
  const send = async () => ({ ...(await attempt(work, context, save)), settlement: endRow(row) });
  return { is: 'request', row, send };
}

async function download(action: DownloadAction, context: PerformContext): Promise<Step> {
  const { root, state, clock } = context;
  const { key, saved, from } = action;
  const path = pathOfKey(key);
  const temporary = within(parentOf(path), setAsideName());
  const now = clock.now();
  const replacedContent = saved && replacedContentOf(saved.as, action, now);
  const known = defined({ entry: saved?.entry, replacedContent });
  const onReplaced = () => replacedContent && state.conflicts.record({ ...replacedContent, key });
  const replacement = { root, path, temporary, now, onReplaced, ...known };
  state.replacements.begin({ key, temporary, ...known });
  try {
    const file = await fetch(
      key,
      from,
      { path, makeWay: () => setAsideFile(replacement) },
      context,
    );
    endReplacement(replacement, context);
    return downloaded({ ...action, ...defined({ replacedContent }) }, file, context);
  } catch (error) {
    endReplacement(replacement, context);
    state.replacements.end(key);
    return downloadFailed(action, error, context);
  }
}

/** Downloads content to a path in the folder. Throws the same errors as `fetchFile`. */
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
    // The folder may have been replaced during a download that took hours.
    if (!isFolderInside(root, parentOf(path))) throw new FileChangedError(`${root}/${path}`);
    target.makeWay();
  };
  return fetchFile({ ...objectOf(key, from, context), root, path, makeWay });
}

/** Returns the request for content in the bucket: a saved copy, or a version of the key. */
export function objectOf(
  key: string,
  { savedAs, versionId, etag }: BucketBytes,
  { destination, signal }: PerformContext,
): ObjectRequest {
  const version = savedAs === undefined ? { key, ...defined({ versionId }) } : { key: savedAs };
  return { destination, version, etag, signal };
}

function endReplacement(replacement: SettingAside, { tracker, hint }: PerformContext): void {
  const kept = endSettingAside(replacement);
  if (kept === undefined) return;
  const message = `another program wrote to ${replacement.path} during the download: its content is kept as ${kept}`;
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

function downloaded(
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
  // The conflict log entry and the resolution have the same time, so that the replaced file can be linked to the user's
  // decision.
  const at = replacedContent?.at ?? clock.now();
  tracker.clearProblem(entry.path);
  const settlement: Settlement = {
    key,
    endsReplacement: true,
    baseline: from.isHead ? { ...entry, sha256, ...pickVersion(from) } : 'keep',
    ...(resolves && { resolves: { ...resolves, at } }),
    ...defined({ replacedContent }),
  };
  // An older version's content must be uploaded like any local change.
  if (!from.isHead) hint(entry.path);
  const where = saved?.as.savedAs ?? 'a version in the bucket';
  const size = bytesText(entry.sizeBytes);
  const message = saved
    ? `downloaded ${size}; the replaced content is kept as ${where}`
    : `downloaded ${size}`;
  const activity = { level: 'info', action: 'take', path: entry.path, message } as const;
  return { is: 'settled', settlement, activity };
}

/** Returns the problem of this path if the failure concerns only its file or content. Throws all other errors. */
export function downloadFailed(
  { key, from, resolves }: Pick<DownloadAction, 'key' | 'from' | 'resolves'>,
  error: unknown,
  { state }: PerformContext,
): Step {
  const path = pathOfKey(key);
  const isGone = !from.isHead && isStorageError(error, 'NoSuchKey', 'NoSuchVersion');
  const isLocal = error instanceof MirrorError || isSystemError(error);
  if (!isGone && !isLocal) throw error;
  if (isGone)
    for (const id of resolves?.ids ?? []) state.conflicts.requestResolution(id, undefined);
  const message = `cannot download ${path}: ${failureReason(error)}`;
  return { is: 'settled', problem: { path, code: 'failed', message } };
}

function isSystemError(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && /^E[A-Z0-9]+$/.test(code);
}
