/** Implements `holdfast cluster nodegroups` for the worker node groups of a cluster. */

import type { ControlClient } from '../../../control/client.ts';
import type { Params } from '../../../control/messages.ts';
import { countText } from '../../../text/amounts.ts';
import { nodegroupNames, onService, type ServiceOptions } from './cluster-place.ts';
import { memberLines, type Nodegroup, nodegroupTable, statusText } from './cluster-text.ts';
import { exitOf, waitForEnd, type WaitOptions } from './cluster-wait.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { changesOf, type GroupOptions, membersOf } from './nodegroup-members.ts';
import { membersText, readMembers } from '../../arguments/read-members.ts';
import { visible } from '../../output/text.ts';

export interface CreateGroupOptions extends GroupOptions, ServiceOptions, WaitOptions {
  readonly fromFile?: string;
  readonly wait?: boolean;
}

export type UpdateGroupOptions = GroupOptions &
  ServiceOptions &
  WaitOptions & { readonly wait?: boolean };

export type DeleteGroupOptions = ServiceOptions & WaitOptions & { readonly wait?: boolean };

interface Ref {
  readonly clusterName: string;
  readonly nodegroupName: string;
}

export function listGroups(
  context: Context,
  clusterName: string,
  options: ServiceOptions,
): Promise<void> {
  return context.withDaemon(async (daemon) => {
    const groups: Nodegroup[] = [];
    for (const nodegroupName of await nodegroupNames(daemon, clusterName, options))
      groups.push(await describe(daemon, { clusterName, nodegroupName }, options));
    if (context.json) return context.out.json({ nodegroups: groups });
    if (groups.length === 0)
      return context.remark('no node group: `holdfast cluster nodegroups create --help`');
    await context.out.lines(...nodegroupTable(context, groups));
  });
}

export async function describeGroup(
  context: Context,
  ref: Ref,
  options: ServiceOptions,
): Promise<void> {
  const group = await context.withDaemon((daemon) => describe(daemon, ref, options));
  if (context.json) return context.out.json(group);
  await context.out.lines(...memberLines(group));
}

/** Prints the configuration of a node group in the format of `create --from-file`. */
export async function exportGroup(
  context: Context,
  ref: Ref,
  options: ServiceOptions,
): Promise<void> {
  const group = await context.withDaemon((daemon) => describe(daemon, ref, options));
  const members = exported(group);
  if (context.json) return context.out.json(members);
  await context.out.lines(membersText(members).trimEnd());
}

/** Fields that the service sets. A request to create a node group does not contain them. */
const SHOWN = new Set(['nodegroupArn', 'status', 'createdAt', 'modifiedAt', 'resources', 'health']);
/** Fields that the launch template determines, if the node group has a launch template. */
const OF_TEMPLATE = new Set(['diskSize', 'remoteAccess']);

function exported(group: Nodegroup): object {
  const isLeftOut = (name: string) =>
    SHOWN.has(name) || (group.launchTemplate !== undefined && OF_TEMPLATE.has(name));
  return Object.fromEntries(Object.entries(group).filter(([name]) => !isLeftOut(name)));
}

export async function createGroup(
  context: Context,
  typed: Partial<Ref>,
  options: CreateGroupOptions,
): Promise<ExitCode> {
  const { fromFile } = options;
  if (typed.nodegroupName === undefined && fromFile === undefined) {
    throw usageError(
      'cannot create a node group without the names of its cluster and of itself',
      'name both: holdfast cluster nodegroups create CLUSTER NAME, or describe it in a file: --from-file FILE',
    );
  }
  const inFile = fromFile === undefined ? {} : await readMembers(context, fromFile);
  const members = { ...inFile, ...membersOf(options, inFile), ...given(typed) };
  return context.withDaemon(async (daemon) => {
    const request = { ...members, ...onService(options) } as Params<'nodegroups.create'>;
    const { clusterName, nodegroupName } = await daemon.call('nodegroups.create', request);
    return printed(context, daemon, { ref: { clusterName, nodegroupName }, options });
  });
}

export async function updateGroup(
  context: Context,
  ref: Ref,
  options: UpdateGroupOptions,
): Promise<ExitCode> {
  const { toVersion: version } = options;
  const changes = changesOf(options);
  return context.withDaemon(async (daemon) => {
    const target = { ...ref, ...onService(options) };
    const update =
      version === undefined
        ? await daemon.call('nodegroups.updateConfig', {
            ...target,
            ...changes,
          })
        : await daemon.call('nodegroups.updateVersion', { ...target, version });
    if (!options.wait) {
      if (context.json) await context.out.json(update);
      else
        await context.out.lines(
          `update ${visible(update.id)}  ${statusText(context, update.status)}`,
        );
      return EXIT.ok;
    }
    await waitForGroup(context, daemon, { ref, options });
    const ended = await daemon.call('nodegroups.describeUpdate', {
      ...target,
      updateId: update.id,
    });
    if (context.json) await context.out.json(ended);
    else {
      const errors = ended.errors.map(
        ({ errorCode, errorMessage }) => `${errorCode}: ${errorMessage}`,
      );
      await context.out.lines(
        `update ${visible(ended.id)}  ${statusText(context, ended.status)}`,
        ...errors.map((error) => `  ${visible(error)}`),
      );
    }
    const isDone = ended.status !== 'Failed' && ended.status !== 'Cancelled';
    return isDone ? EXIT.ok : EXIT.failed;
  });
}

export async function deleteGroup(
  context: Context,
  ref: Ref,
  options: DeleteGroupOptions,
): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    const { status } = await daemon.call('nodegroups.delete', { ...ref, ...onService(options) });
    const end = options.wait ? await waitForGroup(context, daemon, { ref, options }) : status;
    if (context.json) await context.out.json({ ...ref, status: end });
    else await context.out.lines(`${visible(ref.nodegroupName)}  ${statusText(context, end)}`);
    return exitOf(end);
  });
}

export function waitGroup(
  context: Context,
  ref: Ref,
  options: ServiceOptions & WaitOptions,
): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    const status = await waitForGroup(context, daemon, { ref, options });
    if (context.json) await context.out.json({ ...ref, status });
    else await context.out.lines(`${visible(ref.nodegroupName)}  ${statusText(context, status)}`);
    return exitOf(status);
  });
}

interface Watched {
  readonly ref: Ref;
  readonly options: ServiceOptions & WaitOptions & { readonly wait?: boolean };
}

function waitForGroup(
  context: Context,
  daemon: ControlClient,
  { ref, options }: Watched,
): Promise<string> {
  const look = async () => {
    const { status, scalingConfig } = await describe(daemon, ref, options);
    const nodes = scalingConfig?.desiredSize;
    return { status, ...(nodes !== undefined && { detail: `${countText(nodes, 'node')} wanted` }) };
  };
  return waitForEnd(context, `node group ${ref.nodegroupName}`, { ...options, look });
}

async function printed(
  context: Context,
  daemon: ControlClient,
  { ref, options }: Watched,
): Promise<ExitCode> {
  if (options.wait) await waitForGroup(context, daemon, { ref, options });
  const group = await describe(daemon, ref, options);
  if (context.json) await context.out.json(group);
  else
    await context.out.lines(
      `${visible(group.nodegroupName)}  ${statusText(context, group.status)}`,
    );
  return exitOf(group.status);
}

function describe(daemon: ControlClient, ref: Ref, options: ServiceOptions): Promise<Nodegroup> {
  return daemon.call('nodegroups.describe', { ...ref, ...onService(options) });
}

function given(typed: Partial<Ref>): Partial<Ref> {
  const { clusterName, nodegroupName } = typed;
  return {
    ...(clusterName !== undefined && { clusterName }),
    ...(nodegroupName !== undefined && { nodegroupName }),
  };
}
