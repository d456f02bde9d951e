/** `--target NAME`: commands on buckets and objects, asked of a target's service in place of the embedded store. */

import type { Command } from 'commander';

import type { ControlClient } from '../../control/client.ts';
import type { MethodName } from '../../control/messages.ts';

/** Those that a service can answer, too. */
const COMMANDS = new Set(
  (
    'ls versions get put rm mb rb bucket info meta tag cp mv link retention hold lock versioning acl policy ' +
    'cors website lifecycle encrypt'
  ).split(' '),
);

/** What is no question to a store. */
const OF_NO_STORE: ReadonlySet<MethodName> = new Set<MethodName>([
  'events.subscribe',
  'objects.put.wait',
  'status',
]);

/** Has all those commands take the option. */
export function offerTarget(program: Command): void {
  for (const command of program.commands)
    if (COMMANDS.has(command.name())) for (const leaf of leavesOf(command)) offer(leaf);
}

function offer(leaf: Command): void {
  leaf.option('--target <name>', 'at a target of config.yaml instead of the embedded store');
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** That of a command which was offered it. */
export function targetOf(command: Command): string | undefined {
  const [top = command] = ancestorsOf(command);
  if (!COMMANDS.has(top.name())) return undefined;
  const { target } = command.opts<{ readonly target?: string }>();
  return target;
}

/** From the one below the program on. */
function ancestorsOf(command: Command): readonly Command[] {
  return command.parent?.parent ? [...ancestorsOf(command.parent), command] : [command];
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
