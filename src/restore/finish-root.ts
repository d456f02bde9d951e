/** Mode and owner of the folder that is restored into: it is never more open than the original. */

import { defined } from '../base/defined.ts';
import { markerOf, ROOT_OBJECT, rootMetadata } from '../mirror/objects/ownership-marker.ts';
import { PLAIN_FOLDER_MODE } from '../mirror/local/local-entry.ts';
import { attributesIn, appliedInfo } from '../mirror/objects/applied-metadata.ts';
import type { RootAttributes } from './destination.ts';
import type { RestoreOptions, RunParts } from './restore-options.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';

/** What lets the group and others list and enter a folder. */
const OTHERS_LOOK = 0o055;

/**
 * A new folder keeps 0700 where the original's mode is not known. One that was there keeps its attributes, since it may
 * have another purpose; the report says where it is more open than the original.
 */
export async function finishRoot(
  options: RestoreOptions,
  { destination, isMade, table, problems }: Omit<RunParts, 'sync'>,
  signal: AbortSignal,
): Promise<void> {
  const { path } = options;
  const onWithheld = () => table.noteUnproven('.');
  const stored = await attributesOf(options, table.root, { onWithheld, signal });
  if (isMade) {
    // A folder without an object is a plain one; a path that is in the table is that of a file.
    const isPlain = path !== undefined && !table.root && !table.has(path.split('/').at(-1) ?? '');
    destination.finishRoot(isPlain ? { mode: PLAIN_FOLDER_MODE } : stored);
    return;
  }
  const mode = Number(destination.look('')?.mode ?? 0n) & 0o7777;
  if (stored.mode === undefined || (mode & ~stored.mode & OTHERS_LOOK) === 0) return;
  const [is, was] = [mode, stored.mode].map((each) => each.toString(8).padStart(4, '0'));
  problems.add({
    path: '',
    code: 'failed',
    message: `restore into ${options.to}: the folder keeps its mode ${is}, the original had ${was}: chmod ${was} it`,
  });
}

/** Empty where nothing records them. */
async function attributesOf(
  options: RestoreOptions,
  object: StoredObject | undefined,
  { onWithheld, signal }: { readonly onWithheld: () => void; readonly signal: AbortSignal },
): Promise<RootAttributes> {
  if (!object) return {};
  const { store, bucket, path } = options;
  const { key, versionId } = object;
  const asked = { bucket, key, ...defined({ versionId }) };
  if (path === undefined) {
    const { body, info } = await store.getObject(asked, { signal });
    const metadata = rootMetadata(await markerOf(body));
    const root = { key: options.prefix, info: { ...info, ...ROOT_OBJECT, metadata } };
    return attributesIn(appliedInfo(root, options, onWithheld));
  }
  const { info } = await store.headObject(asked, { signal });
  return attributesIn(appliedInfo({ key, info }, options, onWithheld));
}
