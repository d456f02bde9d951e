/**
 * Implements `--target NAME` and `TARGET:BUCKET/KEY`. With them, a command uses buckets and objects at a target instead
 * of the embedded store.
 */

import type { Command } from 'commander';

import type { ControlClient } from '../../control/client.ts';
import type { MethodName } from '../../control/messages.ts';
import { LOCAL_TARGET } from '../../control/local-target.ts';
import { usageError } from '../output/command-error.ts';
import { targetIn } from './thing.ts';

/** Commands in the groups of `offerTarget` that only work on the embedded store or on jobs. */
const LOCAL_ONLY = new Set(['quota', 'serve', 'list', 'why', 'release']);

/**
 * The names of the arguments that can contain a target: a bucket, an object, or the source or destination of a copy.
 */
const THINGS = new Set(['bucket', 'from', 'object', 'place', 'to']);

/** The commands that take buckets and objects, and whether they have the option `--target`. */
const OFFERED = new WeakMap<Command, boolean>();

/** Methods to which no target is added, because they do not access a store. */
const OF_NO_STORE: ReadonlySet<MethodName> = new Set<MethodName>([
  'events.subscribe',
  'objects.put.wait',
  'status',
]);

/** Adds the option `--target` to the commands in these groups, except to the commands in `LOCAL_ONLY`. */
export function offerTarget(groups: readonly Command[]): void {
  for (const command of groups.flatMap(({ commands }) => commands))
    for (const leaf of leavesOf(command)) offer(leaf, !LOCAL_ONLY.has(command.name()));
}

function offer(leaf: Command, hasOption: boolean): void {
  OFFERED.set(leaf, hasOption);
  if (hasOption)
    leaf.option('--target <name>', 'at a target of config.yaml instead of the embedded store');
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/**
 * Returns the target from the option `--target` or from the arguments. Returns undefined for the embedded store. Throws
 * a usage error if they specify different targets.
 */
export function targetOf(command: Command): string | undefined {
  const hasOption = OFFERED.get(command);
  if (hasOption === undefined) return undefined;
  const { target: option } = command.opts<{ readonly target?: string }>();
  const typed = command.registeredArguments.flatMap((argument, index) => {
    const text = command.args[index];
    const isThing = THINGS.has(argument.name()) && text !== undefined && text !== '-';
    return isThing ? (targetIn(text, option ?? LOCAL_TARGET) ?? []) : [];
  });
  const [target = LOCAL_TARGET, other] = new Set(option === undefined ? typed : [option, ...typed]);
  if (other !== undefined)
    throw usageError(
      `the command line names two targets: ${target} and ${other}`,
      'one command works at one target; local is the embedded store',
    );
  if (target === LOCAL_TARGET) return option;
  if (hasOption) return target;
  throw usageError(`this command works on the embedded store only, not at target ${target}`);
}

/**
 * Returns a client that adds the target to its requests. The daemon rejects requests that only the embedded store
 * supports.
 */
export function clientAt(client: ControlClient, target: string): ControlClient {
  const call: ControlClient['call'] = (method, params, options) => {
    // The parameter `object` already contains a target.
    const isComplete = OF_NO_STORE.has(method) || Object.hasOwn(params, 'object');
    return client.call(method, isComplete ? params : { ...params, target }, options);
  };
  return new Proxy(client, {
    get(real, name) {
      if (name === 'call') return call;
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? (value.bind(real) as unknown) : value;
    },
  });
}
