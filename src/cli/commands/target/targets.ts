/** Implements `holdfast target`, which manages the remote services that jobs can back up to. */

import { defined } from '../../../base/defined.ts';
import { loadConfig } from '../../../config/load.ts';
import type { Protocol } from '../../../config/schema-words.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { remoteTarget } from '../../arguments/remote-target.ts';
import type { Context } from '../../context.ts';
import { CommandError, type ExitCode } from '../../output/command-error.ts';
import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';

export interface KeyOptions {
  readonly credentials?: string;
}

export interface AddTargetOptions extends KeyOptions {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly caFile?: string;
}

type Target = Result<'targets.list'>['targets'][number];

export async function listTargets(context: Context): Promise<void> {
  const { targets } = await context.withDaemon((daemon) => daemon.call('targets.list', {}));
  if (context.json) return context.out.json({ targets });
  if (targets.length === 0)
    return context.remark(
      'no targets: all jobs use the embedded store; to add one: holdfast target add ENDPOINT',
    );
  const columns = ['TARGET', 'ENDPOINT', 'REGION', 'PROTOCOL', 'JOBS'].map((title) => ({ title }));
  const rows = targets.map(({ name, endpoint, region, protocol, jobs }) =>
    [name, endpoint, region, protocol ?? 'not known yet', jobs.join(', ')].map(visible),
  );
  await context.out.lines(...tableLines(columns, rows));
}

export async function addTarget(
  context: Context,
  endpoint: string,
  { name, caFile, credentials, protocol, region }: AddTargetOptions,
): Promise<void> {
  const file = (path: string | undefined) => path && context.path(path);
  const goal = `add target ${endpoint}`;
  const asked = { to: endpoint, protocol, region, caFile: file(caFile), goal };
  const target = remoteTarget({ ...asked, credentials: file(credentials) }, context.io.env);
  if (target) await saveTarget(context, defined({ ...target, name }));
}

export async function setTargetKey(
  context: Context,
  name: string,
  { credentials }: KeyOptions,
): Promise<void> {
  const { endpoint, region, protocol } = await targetNamed(context, name);
  const file = credentials && context.path(credentials);
  const goal = `change the key of target ${name}`;
  const asked = { to: endpoint, protocol, region, caFile: undefined, credentials: file, goal };
  const target = remoteTarget(asked, context.io.env);
  if (target) await saveTarget(context, { ...target, name });
}

async function saveTarget(context: Context, target: Params<'targets.add'>): Promise<void> {
  const saved = await context.withDaemon((daemon) => daemon.call('targets.add', target));
  if (context.json) return context.out.json(saved);
  const { name, existing, warning } = saved;
  await context.out.lines(
    existing ? `changed the key of target ${visible(name)}` : `added target ${visible(name)}`,
    ...(warning === undefined ? [] : [`! ${visible(warning)}`]),
  );
}

/** Returns the target with this name. Throws CommandError `NotFound` if it does not exist. */
async function targetNamed(context: Context, name: string): Promise<Target> {
  const { targets } = await context.withDaemon((daemon) => daemon.call('targets.list', {}));
  const target = targets.find((each) => each.name === name);
  if (!target) throw unknownTarget(name, targets);
  return target;
}

function unknownTarget(name: string, targets: readonly { readonly name: string }[]): CommandError {
  const names = targets.map((each) => each.name).join(', ');
  const hint = names === '' ? 'to add one: holdfast target add ENDPOINT' : `targets: ${names}`;
  return new CommandError('NotFound', `unknown target "${name}"`, hint);
}

/** Tests a target. Reads the configuration itself, so that it also works without a daemon. */
export async function testTarget(context: Context, name: string): Promise<ExitCode> {
  const home = await context.home();
  const config = await loadConfig(home);
  const target = config.targets.find((each) => each.name === name);
  if (!target) throw unknownTarget(name, config.targets);
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  const { reportFindings } = await import('../doctor/doctor.ts');
  const findings = await examineServices({
    home,
    config: { ...config, targets: [target], clusters: { ...config.clusters, services: [] } },
    clock: context.io.clock,
  });
  return reportFindings(context, findings);
}

export async function removeTarget(context: Context, name: string): Promise<void> {
  const removed = await context.withDaemon((daemon) => daemon.call('targets.remove', { name }));
  if (context.json) return context.out.json(removed);
  await context.out.lines(
    `removed target ${visible(name)}${removed.keyFile === undefined ? '' : `, and its key in ${visible(removed.keyFile)}`}`,
  );
}
