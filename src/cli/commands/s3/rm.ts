/**
 * Implements `holdfast s3 rm`. It either adds a delete marker or permanently deletes a version, and prints which of
 * them it did.
 */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { CommandError, EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import type { RemoveManyOptions } from './rm-recursive.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface RemoveOptions extends RemoveManyOptions {
  readonly recursive?: boolean;
  readonly versionId?: string;
  /** Whether to send the delete without checking that the object or version exists. */
  readonly force?: boolean;
}

export async function remove(
  context: Context,
  object: string,
  { recursive, force, ...options }: RemoveOptions,
): Promise<ExitCode> {
  if (recursive) {
    if (options.versionId !== undefined) {
      throw usageError('cannot use --version-id with --recursive');
    }
    if (force) throw usageError('cannot use --force with --recursive');
    const { removeMany } = await import('./rm-recursive.ts');
    return removeMany(context, object, options);
  }
  if (options.dryRun || options.allVersions) {
    throw usageError('cannot use --dry-run or --all-versions without --recursive');
  }
  await removeOne(context, object, defined({ ...options, force }));
  return EXIT.ok;
}

/**
 * Returns what a recursive removal would delete, for the confirmation prompt. Unless a version is specified, throws
 * CommandError `Conflict` if the removal affects the destination of a job.
 */
export async function removalDetails(
  context: Context,
  object: string,
  { recursive, versionId, ...options }: RemoveOptions,
): Promise<readonly string[]> {
  if (recursive) return (await import('./rm-recursive.ts')).details(context, object, options);
  if (versionId !== undefined) return [];
  await withThing(context, object, { ifBoth: 'refuse', needsKey: true }, (daemon, _, found) =>
    refuseJobPlace(context, daemon, { ...found, isPrefix: false }),
  );
  return [];
}

type Removal = Params<'objects.delete'>;

async function removeOne(
  context: Context,
  object: string,
  { versionId, bypassGovernance, force = false }: RemoveOptions,
): Promise<void> {
  const rules = { ifBoth: 'refuse', needsKey: true, versionId } as const;
  await withThing(context, object, rules, async (daemon, place, found) => {
    const removal: Removal = defined({ ...place, bypassGovernance });
    // A single version may be removed even from the destination of a job, because `rm` is the only command that can
    // remove it.
    if (versionId === undefined)
      await refuseJobPlace(context, daemon, { ...found, isPrefix: false });
    const isKnown = !force && (await isThere(daemon, removal));
    const outcome = await daemon.call('objects.delete', removal);
    if (context.json) return context.out.json(outcome);
    const isVersion = versionId !== undefined;
    await context.out.lines(`${visible(object)}: ${outcomeText(outcome, { isVersion, isKnown })}`);
  });
}

/**
 * Returns true if the object or version exists. Returns false if this is unknown, for example because the caller has no
 * permission to read it. Rejects with CommandError `NotFound` if it does not exist. This check is needed because the
 * DELETE would succeed and add a delete marker for a misspelled key.
 */
async function isThere(daemon: ControlClient, { bucket, key, versionId }: Removal) {
  const objects = [{ key, ...defined({ versionId }) }];
  const { code } = (await daemon.call('versions.locks', { bucket, objects })).objects[0] ?? {};
  // A HEAD request with the version ID of a delete marker returns MethodNotAllowed.
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
  /** Whether the object or version was found before the delete. */
  readonly isKnown: boolean;
}

const UNKNOWN = 'the service accepted the delete, and does not report whether';

function outcomeText(
  { versionId, deleteMarker }: Result<'objects.delete'>,
  { isVersion, isKnown }: Asked,
): string {
  const id = versionId === undefined ? '' : ` ${visible(versionId)}`;
  if (isVersion && deleteMarker)
    return `removed the delete marker${id}; the version below it is no longer hidden`;
  if (deleteMarker) return `added a delete marker${id}; older versions stay`;
  if (isVersion)
    return isKnown ? `removed the version${id} for good` : `${UNKNOWN} version${id} existed`;
  return isKnown
    ? 'removed for good: the bucket keeps no versions'
    : `${UNKNOWN} the object existed`;
}
