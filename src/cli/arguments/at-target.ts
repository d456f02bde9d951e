/** `--target NAME`: commands on buckets and objects, asked of a target's service in place of the embedded store. */

import type { Command } from 'commander';

import type { ControlClient } from '../../control/client.ts';
import type { MethodName } from '../../control/messages.ts';

/** The commands in these groups that only the embedded store has. */
const LOCAL_ONLY = new Set(['quota', 'serve', 'list', 'why', 'release']);

/** The commands that take the option. */
const OFFERED = new WeakSet<Command>();

/** What is no question to a store. */
const OF_NO_STORE: ReadonlySet<MethodName> = new Set<MethodName>([
  'events.subscribe',
  'objects.put.wait',
  'status',
]);

/** Adds the option to the commands of these groups. */
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

/** Returns the target that the command line names; undefined for the embedded store. */
export function targetOf(command: Command): string | undefined {
  return OFFERED.has(command) ? command.opts<{ readonly target?: string }>().target : undefined;
}

/** The daemon, asked for what is at the target; it refuses what the embedded store alone knows. */
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
