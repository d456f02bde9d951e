/** The node group that the wire tests of updates change. */

import type { ClusterWire } from '../../helpers/cluster-wire.ts';

export const GROUP = '/clusters/prod/node-groups/workers';

/** The id of an update that is in progress. */
export async function beginUpdate({ send, makeGroup }: ClusterWire): Promise<string> {
  await makeGroup();
  const body = { scalingConfig: { desiredSize: 4 } };
  const { document } = await send('POST', `${GROUP}/update-config`, { body });
  return (document['update'] as { readonly id: string }).id;
}
