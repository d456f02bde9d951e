/** Implements `holdfast cluster nodegroups updates`. It prints the updates of a node group and their status. */

import { allPages, onService, type ServiceOptions } from './cluster-place.ts';
import { memberLines, type Update, updateTable } from './cluster-text.ts';
import type { Context } from '../../context.ts';

interface Ref {
  readonly clusterName: string;
  readonly nodegroupName: string;
}

/** Prints a table of all updates, newest first. If `updateId` is given, prints every field of that update instead. */
export function showUpdates(
  context: Context,
  ref: Ref,
  { updateId, ...options }: ServiceOptions & { readonly updateId?: string | undefined },
): Promise<void> {
  const request = { ...ref, ...onService(options) };
  return context.withDaemon(async (daemon) => {
    const describe = (id: string): Promise<Update> =>
      daemon.call('nodegroups.describeUpdate', { ...request, updateId: id });
    if (updateId !== undefined) {
      const update = await describe(updateId);
      if (context.json) return context.out.json(update);
      return context.out.lines(...memberLines(update));
    }
    const ids = await allPages(async (page) => {
      const { updateIds, nextToken } = await daemon.call('nodegroups.updates', {
        ...request,
        ...page,
      });
      return { names: updateIds, nextToken };
    });
    const updates: Update[] = [];
    for (const id of ids) updates.push(await describe(id));
    if (context.json) return context.out.json({ updates });
    if (updates.length === 0) return context.remark('no update');
    await context.out.lines(...updateTable(context, updates));
  });
}
