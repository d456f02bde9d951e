/** Implements `holdfast cluster` for container clusters of the local service or of a remote service. */

import type { Params } from '../../../control/messages.ts';
import { type ExitCode, usageError } from '../../output/command-error.ts';
import { clusterNames, onService, type ServiceOptions } from './cluster-place.ts';
import { clusterTable, memberLines, statusText } from './cluster-text.ts';
import { exitOf, waitForEnd, type WaitOptions } from './cluster-wait.ts';
import type { Context } from '../../context.ts';
import type { Pair } from '../../arguments/pairs.ts';
import { readMembers } from '../../arguments/read-members.ts';
import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';

export interface CreateClusterOptions extends ServiceOptions, WaitOptions {
  readonly clusterVersion?: string;
  readonly subnet?: readonly string[];
  readonly securityGroup?: readonly string[];
  readonly sshKey?: string;
  readonly tag?: readonly Pair[];
  readonly fromFile?: string;
  readonly wait?: boolean;
}

export type DeleteOptions = ServiceOptions & WaitOptions & { readonly wait?: boolean };

export async function listServices(context: Context): Promise<void> {
  const { services } = await context.withDaemon((daemon) => daemon.call('clusters.services', {}));
  if (context.json) return context.out.json({ services });
  const titles = ['SERVICE', 'URL', 'DOES NOT HAVE'].map((title) => ({ title }));
  const rows = services.map(({ name, url, missing }) => [name, url, missing.join(', ') || '-']);
  await context.out.lines(...tableLines(titles, rows));
}

export function listClusters(context: Context, options: ServiceOptions): Promise<void> {
  return context.withDaemon(async (daemon) => {
    const names = await clusterNames(daemon, options);
    const ask = (clusterName: string) =>
      daemon.call('clusters.describe', { clusterName, ...onService(options) });
    const clusters = [];
    for (const name of names) clusters.push(await ask(name));
    if (context.json) return context.out.json({ clusters });
    if (clusters.length === 0) return context.remark('no cluster: `holdfast cluster create NAME`');
    await context.out.lines(...clusterTable(context, clusters));
  });
}

export async function describeCluster(
  context: Context,
  clusterName: string,
  options: ServiceOptions,
): Promise<void> {
  const cluster = await context.withDaemon((daemon) =>
    daemon.call('clusters.describe', { clusterName, ...onService(options) }),
  );
  if (context.json) return context.out.json(cluster);
  await context.out.lines(...memberLines(cluster));
}

export async function createCluster(
  context: Context,
  typed: string | undefined,
  options: CreateClusterOptions,
): Promise<ExitCode> {
  const request = await newCluster(context, typed, options);
  return context.withDaemon(async (daemon) => {
    const { name } = await daemon.call('clusters.create', { ...request, ...onService(options) });
    const ask = () =>
      daemon.call('clusters.describe', { clusterName: name, ...onService(options) });
    if (options.wait) await waitForEnd(context, `cluster ${name}`, { ...options, look: ask });
    const cluster = await ask();
    if (context.json) await context.out.json(cluster);
    else await context.out.lines(`${visible(name)}  ${statusText(context, cluster.status)}`);
    return exitOf(cluster.status);
  });
}

/** Returns the request for a new cluster. Command-line options override the fields in `--from-file`. */
async function newCluster(
  context: Context,
  name: string | undefined,
  options: CreateClusterOptions,
): Promise<Params<'clusters.create'>> {
  const { clusterVersion: version, subnet, securityGroup, sshKey, tag, fromFile } = options;
  if (name === undefined && fromFile === undefined) {
    throw usageError(
      'cannot create a cluster without a name',
      'name it: holdfast cluster create NAME, or describe it in a file: --from-file FILE',
    );
  }
  const members = fromFile === undefined ? {} : await readMembers(context, fromFile);
  const vpc = {
    ...(subnet && { subnetIds: [...subnet] }),
    ...(securityGroup && { securityGroupIds: [...securityGroup] }),
  };
  // The fields are not validated here, because the service validates them and names the invalid field in its error.
  return {
    ...members,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(Object.keys(vpc).length > 0 && { resourcesVpcConfig: vpc }),
    ...(sshKey !== undefined && { remoteAccessConfig: { vmSshKey: sshKey } }),
    ...(tag && { tags: Object.fromEntries(tag.map(({ key, value }) => [key, value])) }),
  } as Params<'clusters.create'>;
}

export async function deleteCluster(
  context: Context,
  clusterName: string,
  options: DeleteOptions,
): Promise<ExitCode> {
  const what = `cluster ${clusterName}`;
  return context.withDaemon(async (daemon) => {
    const request = { clusterName, ...onService(options) };
    const { status } = await daemon.call('clusters.delete', request);
    const look = () => daemon.call('clusters.describe', request);
    const end = options.wait ? await waitForEnd(context, what, { ...options, look }) : status;
    if (context.json) await context.out.json({ name: clusterName, status: end });
    else await context.out.lines(`${visible(clusterName)}  ${statusText(context, end)}`);
    return exitOf(end);
  });
}
