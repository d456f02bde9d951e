/** `holdfast s3 rm`: adds a delete marker, or removes a version for good, and says which; refuses what does not exist. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { CommandError, EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { parseObjectPlace } from '../../arguments/place.ts';
import type { RemoveManyOptions } from './rm-recursive.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface RemoveOptions extends RemoveManyOptions {
  readonly recursive?: boolean;
  readonly versionId?: string;
  /** Sends the delete without checking that the object or version exists. */
  readonly force?: boolean;
}

export async function remove(
  context: Context,
  object: string,
  { recursive, force, ...options }: RemoveOptions,
): Promise<ExitCode> {
  if (recursive) {
    if (options.versionId !== undefined) {
      throw usageError('--version-id: it names a version of one object, not of many');
    }
    if (force) throw usageError('--force: it is for one object, not for --recursive');
    const { removeMany } = await import('./rm-recursive.ts');
    return removeMany(context, object, options);
  }
  if (options.dryRun || options.allVersions) {
    throw usageError('--dry-run and --all-versions: they are for --recursive');
  }
  await removeOne(context, object, defined({ ...options, force }));
  return EXIT.ok;
}

/** Before the question: how much there is. Throws for the place of a job. */
export async function removalDetails(
  context: Context,
  object: string,
  { recursive, versionId, ...options }: RemoveOptions,
): Promise<readonly string[]> {
  if (recursive) return (await import('./rm-recursive.ts')).details(context, object, options);
  if (versionId !== undefined) return [];
  const place = { ...parseObjectPlace(object), isPrefix: false };
  await context.withDaemon((daemon) => refuseJobPlace(context, daemon, place));
  return [];
}

type Removal = Params<'objects.delete'>;

async function removeOne(
  context: Context,
  object: string,
  { versionId, bypassGovernance, force = false }: RemoveOptions,
): Promise<void> {
  const place = parseObjectPlace(object);
  const removal: Removal = defined({ ...place, versionId, bypassGovernance });
  await context.withDaemon(async (daemon) => {
    // A version that is named by its id is removed in the place of a job, too: no other command can remove it.
    if (versionId === undefined)
      await refuseJobPlace(context, daemon, { ...place, isPrefix: false });
    const isKnown = !force && (await isThere(daemon, removal));
    const outcome = await daemon.call('objects.delete', removal);
    if (context.json) return context.out.json(outcome);
    const isVersion = versionId !== undefined;
    await context.out.lines(`${visible(object)}: ${outcomeText(outcome, { isVersion, isKnown })}`);
  });
}

/**
 * Whether the service shows that it exists; false where the caller may not read it, or the answer does not tell.
 * A DELETE succeeds for what does not exist, so that a mistyped name would get a delete marker.
 * Rejects with CommandError `NotFound`.
 */
async function isThere(daemon: ControlClient, { bucket, key, versionId }: Removal) {
  const objects = [{ key, ...defined({ versionId }) }];
  const { code } = (await daemon.call('versions.locks', { bucket, objects })).objects[0] ?? {};
  // A delete marker answers a HEAD of its version so.
  if (code === undefined || (code === 'MethodNotAllowed' && versionId !== undefined)) return true;
  if (code !== 'NoSuchKey' && code !== 'NoSuchVersion') return false;
  const name = `${bucket}/${key}`;
  if (versionId !== undefined)
    throw new CommandError(
      'NotFound',
      `cannot remove version ${versionId} of ${name}: it does not exist`,
      `to list the versions: holdfast s3 versions ${shellWord(name)}`,
    );
  throw new CommandError(
    'NotFound',
    `cannot remove ${name}: the object does not exist, or is deleted already`,
    `to list what exists: holdfast s3 ls ${shellWord(folderOf(name))}; to add a delete marker all the same: --force`,
  );
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

interface Asked {
  readonly isVersion: boolean;
  /** It was seen before the delete. */
  readonly isKnown: boolean;
}

const UNKNOWN = 'the service accepted the delete, and does not report whether';

function outcomeText(
  { versionId, deleteMarker }: Result<'objects.delete'>,
  { isVersion, isKnown }: Asked,
): string {
  const id = versionId === undefined ? '' : ` ${visible(versionId)}`;
  if (isVersion && deleteMarker) return `removed the delete marker${id}; the version below shows`;
  if (deleteMarker) return `added a delete marker${id}; older versions stay`;
  if (isVersion)
    return isKnown ? `removed the version${id} for good` : `${UNKNOWN} version${id} existed`;
  return isKnown
    ? 'removed for good: the bucket keeps no versions'
    : `${UNKNOWN} the object existed`;
}
