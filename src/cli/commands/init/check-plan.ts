/**
 * Checks for problems that would prevent a new job from running, and tests what its bucket supports, before anything is
 * written.
 */

import type { Config } from '../../../config/config.ts';
import { planJobWithTarget } from '../../../config/edit.ts';
import type { Home } from '../../../config/home.ts';
import { parseConfig } from '../../../config/load.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { shellWord, visible } from '../../output/text.ts';
import type { Plan } from './asking.ts';

const LABELS = { failed: 'FAILED', attention: '!', note: 'note', good: 'ok' } as const;

export interface Checked {
  /** Whether versions in the bucket can be locked. */
  readonly isLockable: boolean;
  /** Whether the access key may extend a GOVERNANCE lock. True if it was not tested. */
  readonly mayExtendLocks: boolean;
  /** Warnings that do not prevent the job from running. */
  readonly warnings: readonly string[];
  /** The port of the embedded store to write to config.yaml. Absent to keep the current port. */
  readonly storagePort?: number;
}

/**
 * Validates the resulting configuration, and tests the target with its credentials. Throws CommandError for a problem
 * that would prevent the job from running.
 */
export async function checkPlan(
  context: Context,
  home: Home,
  plan: Omit<Plan, 'promise' | 'warnings'>,
): Promise<Checked> {
  const { after, problems } = await planJobWithTarget(home, plan);
  const [problem] = problems;
  if (problem) {
    const { name } = plan.job;
    throw problem.path?.endsWith('.name')
      ? new CommandError(
          'Conflict',
          `cannot back up ${plan.job.folder}: job ${name} already exists`,
          `to see its folder: holdfast job list; to add this one under another name: holdfast job add ${shellWord(plan.job.folder)} --name NAME`,
        )
      : new CommandError(
          'Conflict',
          `cannot add a job: ${problem.path ?? 'config.yaml'} ${problem.message}`,
        );
  }
  const config = parseConfig(after, { file: home.configFile, home });
  const locks = await tryTarget(context, home, plan, config);
  return { ...locks, ...(await checkPorts(context, home, config)) };
}

type Locks = Pick<Checked, 'isLockable' | 'mayExtendLocks'>;

/**
 * Returns whether versions in the bucket can be locked. A bucket that does not exist will be created with Object Lock.
 */
async function tryTarget(
  context: Context,
  home: Home,
  plan: Omit<Plan, 'promise' | 'warnings'>,
  config: Config,
): Promise<Locks> {
  const { name, target } = plan.job;
  const locks = { isLockable: true, mayExtendLocks: true };
  if (target === undefined) return locks;
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  const findings = await examineServices({
    home,
    config: {
      ...config,
      targets: config.targets.filter((each) => each.name === target),
      jobs: config.jobs.filter((each) => each.name === name),
      clusters: { ...config.clusters, services: [] },
    },
    clock: context.io.clock,
    keys: new Map(plan.key ? [[target, plan.key]] : []),
    support: {
      places: [],
      onSupport: ({ objectLock, governanceExtension = true }) => {
        locks.isLockable = objectLock;
        locks.mayExtendLocks = governanceExtension;
      },
    },
  });
  const failed = findings.find(({ severity }) => severity === 'failed');
  if (failed)
    throw new CommandError(
      'NotStarted',
      `cannot set up the job: ${failed.check}: ${failed.message}`,
      failed.fix,
    );
  for (const { check, severity, message } of findings)
    await context.remark(visible(`${LABELS[severity]} ${check}: ${message}`));
  return locks;
}

/**
 * Checks that the configured ports are free, because otherwise the first start would fail. If the port of the store is
 * in use, replaces it by port 0, which selects a free port at each start. If a daemon is running, checks nothing.
 */
async function checkPorts(
  context: Context,
  { configFile }: Home,
  config: Config,
): Promise<Omit<Checked, keyof Locks>> {
  const daemon = await context.connectIfRunning();
  daemon?.close();
  if (daemon) return { warnings: [] };
  const { refusedPorts } = await import('../doctor/examine-daemon.ts');
  const refused = await refusedPorts(config);
  const isReplaced = ({ option, holder }: (typeof refused)[number]) =>
    option === 'storage.port' && holder !== undefined;
  const warnings = refused.map((each) =>
    isReplaced(each)
      ? `port ${each.port} is in use by ${each.holder}, so the store takes a free one at each start ` +
        '(storage: {port: 0})'
      : `${each.message}; set another port in ${configFile}`,
  );
  return { warnings, ...(refused.some(isReplaced) && { storagePort: 0 }) };
}
