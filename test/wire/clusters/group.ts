/** The path of the node group that the update tests change, and a helper that starts an update. */

import type { ClusterWire } from '../../helpers/cluster-wire.ts';

export const GROUP = '/clusters/prod/node-groups/workers';

/** Creates the node group, starts an update of its size, and returns the id of the update. */
export async function beginUpdate({ send, makeGroup }: ClusterWire): Promise<string> {
  await makeGroup();
  const body = { scalingConfig: { desiredSize: 4 } };
  const { document } = await send('POST', `${GROUP}/update-config`, { body });
  return (document['update'] as { readonly id: string }).id;
}
