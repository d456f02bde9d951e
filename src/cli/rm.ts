/** `holdfast rm`: a delete marker on top, or a version gone for good; it says which. */

import { defined } from '../base/defined.ts';
import type { Result } from '../control/messages.ts';
import type { Context } from './context.ts';
import { parseObjectPlace } from './place.ts';
import { visible } from './text.ts';

export interface RemoveOptions {
  readonly versionId?: string;
  readonly bypassGovernance?: boolean;
}

export async function remove(
  context: Context,
  object: string,
  options: RemoveOptions,
): Promise<void> {
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
