/** Selects the service of the cluster commands, and reads all pages of its listings. */

import type { ControlClient } from '../../../control/client.ts';

export interface ServiceOptions {
  /** The name of a remote service. Absent for the local service. */
  readonly service?: string;
}

export function onService({ service }: ServiceOptions): { readonly service?: string } {
  return service === undefined ? {} : { service };
}

export async function clusterNames(
  daemon: ControlClient,
  options: ServiceOptions,
): Promise<readonly string[]> {
  return allPages(async (page) => {
    const { clusters, nextToken } = await daemon.call('clusters.list', {
      ...onService(options),
      ...page,
    });
    return { names: clusters, nextToken };
  });
}

export async function nodegroupNames(
  daemon: ControlClient,
  clusterName: string,
  options: ServiceOptions,
): Promise<readonly string[]> {
  return allPages(async (page) => {
    const request = { clusterName, ...onService(options), ...page };
    const { nodegroups, nextToken } = await daemon.call('nodegroups.list', request);
    return { names: nodegroups, nextToken };
  });
}

/** Calls `read` for each page and returns the names of all pages. */
export async function allPages(
  read: (page: {
    readonly nextToken?: string;
  }) => Promise<{ readonly names: readonly string[]; readonly nextToken: string | undefined }>,
): Promise<readonly string[]> {
  const all: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await read(nextToken === undefined ? {} : { nextToken });
    all.push(...page.names);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return all;
}
