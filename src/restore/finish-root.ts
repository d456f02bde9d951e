/**
 * Sets the mode and owner of a restore's target folder, so that it is never more accessible than the original folder.
 */

import { defined } from '../base/defined.ts';
import { markerOf, ROOT_OBJECT, rootMetadata } from '../mirror/objects/ownership-marker.ts';
import { PLAIN_FOLDER_MODE } from '../mirror/local/local-entry.ts';
import { attributesIn, appliedInfo } from '../mirror/objects/applied-metadata.ts';
import type { RootAttributes } from './restore-folder.ts';
import type { RestoreOptions, RunParts } from './restore-options.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';

/** Mode bits that allow the group and others to list and enter a folder. */
const OTHERS_ACCESS = 0o055;

/**
 * Sets the target folder's attributes. A new folder keeps mode 0700 if the original's mode is unknown. An existing
 * folder keeps its attributes, because it may have another purpose. The report contains a warning if it is more
 * accessible than the original folder.
 */
export async function finishRoot(
  options: RestoreOptions,
  { restoreFolder, isNew, table, problems }: Omit<RunParts, 'sync'>,
  signal: AbortSignal,
): Promise<void> {
  const { path } = options;
  const onWithheld = () => table.noteUnproven('.');
  const stored = await attributesOf(options, table.root, { onWithheld, signal });
  if (isNew) {
    // A folder without an object gets the default mode for folders. If the table contains the path, the restored path
    // is a file, not a folder.
    const isPlain = path !== undefined && !table.root && !table.has(path.split('/').at(-1) ?? '');
    restoreFolder.finishRoot(isPlain ? { mode: PLAIN_FOLDER_MODE } : stored);
    return;
  }
  const mode = Number(restoreFolder.statsOf('')?.mode ?? 0n) & 0o7777;
  if (stored.mode === undefined || (mode & ~stored.mode & OTHERS_ACCESS) === 0) return;
  const [is, was] = [mode, stored.mode].map((each) => each.toString(8).padStart(4, '0'));
  problems.add({
    path: '',
    code: 'failed',
    message: `the folder ${options.to} keeps its mode ${is}, but the original had ${was}; to change it: chmod ${was} ${options.to}`,
  });
}

/** Returns the restored folder's attributes; an empty object if no object contains them. */
async function attributesOf(
  options: RestoreOptions,
  object: StoredObject | undefined,
  { onWithheld, signal }: { readonly onWithheld: () => void; readonly signal: AbortSignal },
): Promise<RootAttributes> {
  if (!object) return {};
  const { store, bucket, path } = options;
  const { key, versionId } = object;
  const request = { bucket, key, ...defined({ versionId }) };
  if (path === undefined) {
    const { body, info } = await store.getObject(request, { signal });
    const metadata = rootMetadata(await markerOf(body));
    const root = { key: options.prefix, info: { ...info, ...ROOT_OBJECT, metadata } };
    return attributesIn(appliedInfo(root, options, onWithheld));
  }
  const { info } = await store.headObject(request, { signal });
  return attributesIn(appliedInfo({ key, info }, options, onWithheld));
}
