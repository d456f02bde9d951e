/**
 * Declares only those commands that the typed command line needs. Only the modules of the typed command are loaded,
 * because declaring all commands would take longer than a short command such as `holdfast status`.
 */

import type { Command } from 'commander';

import { offerTarget } from './arguments/at-target.ts';
import { groupCommands, isMain } from './command-groups.ts';
import type { Run } from './program.ts';
import { declareTopic, isTopic } from './topics.ts';

interface DeclaringModule {
  /** Adds commands to the topic that the table specifies, or to the program. */
  readonly declareCommands: (parent: Command, run: Run) => void;
}

/** The modules that declare each top-level command and everything below it. */
const MODULES: readonly (readonly [names: string, ...load: (() => Promise<DeclaringModule>)[]])[] =
  [
    [
      'init up down status dashboard log doctor support-bundle',
      () => import('./commands/daemon/declare-daemon.ts'),
    ],
    [
      'restore undo history diff verify test wait',
      () => import('./commands/restore/declare-restore.ts'),
    ],
    ['job', () => import('./commands/job/declare-jobs.ts')],
    ['config', () => import('./commands/config/declare-config.ts')],
    ['conflict', () => import('./commands/conflict/declare-conflicts.ts')],
    ['target', () => import('./commands/target/declare-targets.ts')],
    ['service', () => import('./commands/service/declare-service.ts')],
    [
      'lock',
      () => import('./commands/lock/declare-job-locks.ts'),
      () => import('./commands/lock/declare-locks.ts'),
    ],
    [
      's3',
      () => import('./commands/s3/declare-objects.ts'),
      () => import('./commands/s3/declare-copies.ts'),
      () => import('./commands/s3/declare-descriptions.ts'),
      () => import('./commands/s3/declare-versioning.ts'),
      () => import('./commands/s3/declare-lifecycle.ts'),
      () => import('./commands/s3/declare-access.ts'),
      () => import('./commands/s3/declare-browsers.ts'),
      () => import('./commands/s3/declare-encryption.ts'),
      () => import('./commands/s3/declare-links.ts'),
      () => import('./commands/s3/declare-serve.ts'),
    ],
    [
      'admin',
      () => import('./commands/admin/declare-identity.ts'),
      () => import('./commands/admin/declare-store.ts'),
    ],
    ['monitor', () => import('./commands/monitor/declare-monitoring.ts')],
    ['cluster', () => import('./commands/cluster/declare-clusters.ts')],
    ['completion help version', () => import('./completion/declare-help.ts')],
  ];

/** The commands that need the declarations of all commands. */
const NEED_ALL = new Set(['completion', 'help']);

/**
 * Declares the command `word` with everything below it. If `word` is not a command, declares all commands, so that the
 * error can suggest one. Without a word, declares the commands that the program's help describes.
 */
export async function declareFor(
  program: Command,
  word: string | undefined,
  run: Run,
): Promise<void> {
  const isWanted = (name: string) => (word === undefined ? isMain(name) : name === word);
  const wanted = MODULES.filter(([names]) => names.split(' ').some(isWanted));
  const isAll = wanted.length === 0 || NEED_ALL.has(word ?? '');
  await declareModules(program, isAll ? MODULES : wanted, run);
}

/** Declares all commands. */
export function declareAll(program: Command, run: Run): Promise<void> {
  return declareModules(program, MODULES, run);
}

async function declareModules(program: Command, wanted: typeof MODULES, run: Run): Promise<void> {
  for (const [names, ...loads] of wanted) {
    const topic = isTopic(names) ? declareTopic(program, names) : undefined;
    for (const module of await Promise.all(loads.map((load) => load())))
      module.declareCommands(topic ?? program, run);
    const top = program.commands.filter((each) => names.split(' ').includes(each.name()));
    if (!top.some(({ commands }) => commands.length > 0)) continue;
    const { declareSimpleCommands } = await import('./declare-simple.ts');
    for (const command of top) declareSimpleCommands(command, run);
  }
  offerTarget(program.commands.filter((each) => ['lock', 's3'].includes(each.name())));
  groupCommands(program);
}
