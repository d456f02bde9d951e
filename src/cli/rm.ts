/** `holdfast rm`: a delete marker on top, or a version gone for good; it says which. */

import { defined } from '../base/defined.ts';
import type { Result } from '../control/messages.ts';
import { EXIT, type ExitCode, usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { parseObjectPlace } from './place.ts';
import type { RemoveManyOptions } from './rm-recursive.ts';
import { visible } from './text.ts';

export interface RemoveOptions extends RemoveManyOptions {
  readonly recursive?: boolean;
  readonly versionId?: string;
}

export async function remove(
  context: Context,
  object: string,
  { recursive, ...options }: RemoveOptions,
): Promise<ExitCode> {
  if (recursive) {
    if (options.versionId !== undefined) {
      throw usageError('--version-id: it names a version of one object, not of many');
    }
    const { removeMany } = await import('./rm-recursive.ts');
    return removeMany(context, object, options);
  }
  if (options.dryRun || options.allVersions) {
    throw usageError('--dry-run and --all-versions: they are for --recursive');
  }
  await removeOne(context, object, options);
  return EXIT.ok;
}

async function removeOne(
  context: Context,
  object: string,
  { versionId, bypassGovernance }: RemoveOptions,
): Promise<void> {
  const options = { versionId, bypassGovernance };
  const place = parseObjectPlace(object);
  const outcome = await context.withDaemon((daemon) =>
    daemon.call('objects.delete', defined({ ...place, ...options })),
  );
  if (context.json) return context.out.json(outcome);
  const asked = options.versionId !== undefined;
  await context.out.lines(`${visible(object)}: ${outcomeText(outcome, asked)}`);
}

function outcomeText(
  { versionId, deleteMarker }: Result<'objects.delete'>,
  asked: boolean,
): string {
  const id = versionId === undefined ? '' : ` ${visible(versionId)}`;
  if (asked && deleteMarker) return `removed the delete marker${id}: what is below shows again`;
  if (asked) return `removed the version${id} for good`;
  if (deleteMarker) return `added a delete marker${id}; older versions stay`;
  return 'removed for good: the bucket keeps no versions';
}
