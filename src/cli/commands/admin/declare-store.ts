/** Declares `admin backup-state`, `admin restore-state` and `admin store`. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { StoreCheckOptions, StoreRepairOptions } from './store.ts';

function declareStateCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'backup-state <dir>',
    summary: 'save the configuration, users, keys, monitoring data and job states in a new folder',
    more: 'Works with or without a running daemon. The folder contains secrets, so only you can read it, but no objects.',
    examples: ['holdfast admin backup-state /backup/holdfast-2026-11-21'],
  }).action((dir: string) =>
    run(async (context) => (await import('./backup-state.ts')).backupState(context, dir)),
  );
  declare(program, {
    usage: 'restore-state <dir>',
    summary: 'restore the state that `admin backup-state` saved; existing files are moved aside',
    more: 'Requires that no daemon runs. Everything is verified before anything is changed.',
    examples: ['holdfast down; holdfast admin restore-state /backup/holdfast-2026-11-21'],
    destroys: async (_args, _options, context) =>
      (await import('./restore-state.ts')).replacedState(context),
  }).action((dir: string) =>
    run(async (context) => (await import('./restore-state.ts')).restoreState(context, dir)),
  );
}

export function declareCommands(program: Command, run: Run): void {
  declareStateCommands(program, run);
  const store = declare(program, {
    usage: 'store',
    summary: 'check and repair the embedded store',
    more: 'Also works without a daemon.',
    examples: ['holdfast admin store check --deep', 'holdfast admin store repair --dry-run'],
  }).helpCommand(false);

  declare(store, {
    usage: 'check [folder]',
    summary: 'check the tables and files of the store',
    more: 'Changes nothing. With FOLDER, checks a copy of a store, such as a backup. Exit code 3 if it finds problems.',
    examples: [
      'holdfast admin store check',
      'holdfast admin store check --deep                # reads every byte',
      'holdfast admin store check --deep /backup/store --json | jq .result.problems[]',
    ],
  })
    .option('--deep', 'also read and verify every byte')
    .action((folder: string | undefined, options: StoreCheckOptions) =>
      run(async (context) => (await import('./store.ts')).storeCheck(context, folder, options)),
    );

  declare(store, {
    usage: 'repair [folder]',
    summary: 'repair what can be derived from other data, and quarantine damaged data',
    more:
      'Removes no version. Unreferenced files are moved to trash/ for a week, and versions that cannot be read remain listed. ' +
      'Exit code 3 if problems remain.',
    examples: ['holdfast admin store repair --dry-run', 'holdfast admin store repair --deep'],
    destroys: (_, { dryRun }) =>
      dryRun ? undefined : 'repair the store, and move unreferenced files to its trash',
  })
    .option('--deep', 'also read and verify every byte')
    .option('--dry-run', 'only show what would be done')
    .option('--accept-metadata', 'accept a store.sqlite that is older than the store')
    .action((folder: string | undefined, options: StoreRepairOptions) =>
      run(async (context) => (await import('./store.ts')).storeRepair(context, folder, options)),
    );

  declare(store, {
    usage: 'trust-clock',
    summary: 'confirm that the clock is right although it jumped ahead',
    more: 'Until then, versions whose locks ended only because of the jump cannot be removed.',
    examples: ['date && holdfast admin store trust-clock'],
    destroys: () => 'trust the clock, which ends the locks that expired during its jump',
  }).action(() => run(async (context) => (await import('./store.ts')).trustClock(context)));
}
