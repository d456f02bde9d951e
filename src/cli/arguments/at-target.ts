/**
 * Implements `--target NAME`, which runs a command on buckets and objects at a target instead of the embedded store.
 */

import type { Command } from 'commander';

import type { ControlClient } from '../../control/client.ts';
import type { MethodName } from '../../control/messages.ts';

/** The commands in the groups of `offerTarget` that work only on the embedded store or on jobs. */
const LOCAL_ONLY = new Set(['quota', 'serve', 'list', 'why', 'release']);

/** The commands that have the option `--target`. */
const OFFERED = new WeakSet<Command>();

/** Methods without a parameter `target`, because they do not address a store. */
const OF_NO_STORE: ReadonlySet<MethodName> = new Set<MethodName>([
  'events.subscribe',
  'objects.put.wait',
  'status',
]);

/** Adds the option `--target` to the commands in these groups, except to those in `LOCAL_ONLY`. */
export function offerTarget(groups: readonly Command[]): void {
  for (const command of groups.flatMap(({ commands }) => commands))
    if (!LOCAL_ONLY.has(command.name())) for (const leaf of leavesOf(command)) offer(leaf);
}

function offer(leaf: Command): void {
  OFFERED.add(leaf);
  leaf.option('--target <name>', 'at a target of config.yaml instead of the embedded store');
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Returns the value of `--target`. Returns undefined for the embedded store, and for a command without that option. */
export function targetOf(command: Command): string | undefined {
  return OFFERED.has(command) ? command.opts<{ readonly target?: string }>().target : undefined;
}

/**
 * Returns a client whose requests name the target. The daemon rejects requests that only the embedded store supports.
 */
export function clientAt(client: ControlClient, target: string): ControlClient {
  const call: ControlClient['call'] = (method, params, options) => {
    const asked = OF_NO_STORE.has(method) ? params : { ...params, target };
    return client.call(method, asked, options);
  };
  return new Proxy(client, {
    get(real, name) {
      if (name === 'call') return call;
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? (value.bind(real) as unknown) : value;
    },
  });
}
