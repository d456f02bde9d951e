/** Clusters and node groups of all services, as they are now. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../app/ui.ts';
import type { Tone } from '../../theme/look.ts';

/** `service` is absent for the one of this machine. */
export interface ClusterPlace {
  readonly service?: string;
  readonly clusterName: string;
}

export interface ClusterRow extends ClusterPlace {
  readonly cluster: Result<'clusters.describe'>;
}

export type Nodegroup = Result<'nodegroups.describe'>;
export type Update = Result<'nodegroups.describeUpdate'>;

/** The name under which the service of this machine is listed. */
const LOCAL = 'local';

export function placeOf({ service, clusterName }: ClusterPlace): ClusterPlace {
  return defined({ service, clusterName });
}

/** Every cluster of every service. A service that does not answer is a problem, and hides no other one. */
export async function readClusters(
  ui: Ui,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly ClusterRow[]; readonly problems: readonly string[] }> {
  const { services } = await ui.call('clusters.services', {}, { signal });
  const names = services.map(({ name }) => (name === LOCAL ? undefined : name));
  const all = await Promise.allSettled(names.map((service) => clustersOf(ui, service, signal)));
  const rows = all.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const problems = all.flatMap((each, index) => {
    if (each.status === 'fulfilled') return [];
    return [`${names[index] ?? LOCAL}: ${(each.reason as Error).message}`];
  });
  return { rows, problems };
}

async function clustersOf(
  ui: Ui,
  service: string | undefined,
  signal: AbortSignal,
): Promise<ClusterRow[]> {
  const names = await pagesOf(async (nextToken) => {
    const page = await ui.call('clusters.list', defined({ nextToken, service }), { signal });
    return { items: page.clusters, nextToken: page.nextToken };
  });
  const describe = async (clusterName: string): Promise<ClusterRow> => {
    const place = defined({ service, clusterName });
    return { ...place, cluster: await ui.call('clusters.describe', place, { signal }) };
  };
  return Promise.all(names.map(describe));
}

export async function readNodegroups(
  ui: Ui,
  place: ClusterPlace,
  signal: AbortSignal,
): Promise<readonly Nodegroup[]> {
  const names = await pagesOf(async (nextToken) => {
    const request = defined({ ...place, nextToken });
    const page = await ui.call('nodegroups.list', request, { signal });
    return { items: page.nodegroups, nextToken: page.nextToken };
  });
  return Promise.all(
    names.map((nodegroupName) =>
      ui.call('nodegroups.describe', { ...place, nodegroupName }, { signal }),
    ),
  );
}

/** The latest updates of a group, the newest first. */
export async function readUpdates(
  ui: Ui,
  place: ClusterPlace & { readonly nodegroupName: string },
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<readonly Update[]> {
  const request = { ...place, maxResults: most };
  const { updateIds } = await ui.call('nodegroups.updates', request, { signal });
  return Promise.all(
    updateIds.map((updateId) =>
      ui.call('nodegroups.describeUpdate', { ...place, updateId }, { signal }),
    ),
  );
}

async function pagesOf(
  fetch: (
    nextToken: string | undefined,
  ) => Promise<{ readonly items: readonly string[]; readonly nextToken?: string | undefined }>,
): Promise<string[]> {
  const items: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await fetch(nextToken);
    items.push(...page.items);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return items;
}

/** Something is on its way: it is looked at every second. */
export function isChanging(status: string): boolean {
  return status.endsWith('ING');
}

export function statusTone(status: string): Tone {
  if (/FAILED|DEGRADED/i.test(status)) return 'bad';
  return isChanging(status) ? 'attention' : 'good';
}
