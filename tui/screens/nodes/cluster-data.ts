/** Loads the clusters and node groups of all services. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { Sources } from '../../data/sources.ts';
import type { Tone } from '../../theme/look.ts';

/** The service and name of a cluster. `service` is absent for the local service. */
export interface ClusterPlace {
  readonly service?: string;
  readonly clusterName: string;
}

export interface ClusterRow extends ClusterPlace {
  readonly cluster: Result<'clusters.describe'>;
}

export type Nodegroup = Result<'nodegroups.describe'>;
export type Update = Result<'nodegroups.describeUpdate'>;

/** The name of the local service in lists. */
const LOCAL = 'local';

export function placeOf({ service, clusterName }: ClusterPlace): ClusterPlace {
  return defined({ service, clusterName });
}

/** Loads and caches the clusters of all services. */
export class ClusterLists {
  readonly #ui: Ui;
  readonly #services: Sources<ClusterRow>;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#services = new Sources<ClusterRow>([LOCAL], {
      clock: ui.clock,
      ask: (name, signal) => clustersOf(ui, name === LOCAL ? undefined : name, signal),
    });
  }

  /** The services that do not respond, each with the reason. */
  get problems(): readonly string[] {
    return this.#services.problems;
  }

  rows(): ClusterRow[] {
    return this.#services.rows();
  }

  /** Lists the clusters of all services. Calls `heard` after each response. */
  async read(signal: AbortSignal, heard: () => void): Promise<void> {
    const { services } = await this.#ui.call('clusters.services', {}, { signal });
    const names = services.map(({ name }) => name);
    await this.#services.read(names, signal, heard);
  }
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

/** Returns the latest updates of a node group, newest first. */
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

/** Returns whether a cluster or node group is changing. While it changes, its state is loaded every second. */
export function isChanging(status: string): boolean {
  return status.endsWith('ING');
}

export function statusTone(status: string): Tone {
  if (/FAILED|DEGRADED/i.test(status)) return 'bad';
  return isChanging(status) ? 'attention' : 'good';
}
