/** What the commands about clusters share: which service is meant, all pages of names, and what must be confirmed. */

import type { ControlClient } from '../control/client.ts';
import { askName, isAskable } from './ask.ts';
import { usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { visible } from './text.ts';

export interface ServiceOptions {
  /** The one of this machine without. */
  readonly service?: string;
}

export interface ConfirmOptions extends ServiceOptions {
  readonly yes?: boolean;
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

/** Names, page by page. */
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

/** What cannot be undone is confirmed by its name, or by `--yes`. Throws a usage error where nobody can be asked. */
export async function isConfirmed(
  context: Context,
  { what, name }: { readonly what: string; readonly name: string },
  { yes }: ConfirmOptions,
): Promise<boolean> {
  if (yes) return true;
  if (!isAskable(context))
    throw usageError(`delete ${what}: it cannot be undone`, 'say --yes if it is meant');
  const isMeant = await askName(context, `delete ${visible(what)}: it cannot be undone.`, name);
  if (!isMeant) context.io.stderr.write('nothing was deleted\n');
  return isMeant;
}
