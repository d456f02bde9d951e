/** Declares `admin backup-state`, `admin restore-state` and `admin store`. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { StoreCheckOptions, StoreRepairOptions } from './store.ts';

function declareStateCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'backup-state <dir>',
    summary: 'save configuration, users, keys, monitoring and what jobs remember, in a new folder',
    more: 'Whether a daemon runs or not. Objects are not in it; secrets are, so that only you may read it.',
    examples: ['holdfast admin backup-state /backup/holdfast-2026-11-21'],
  }).action((dir: string) =>
    run(async (context) => (await import('./backup-state.ts')).backupState(context, dir)),
  );
  declare(program, {
    usage: 'restore-state <dir>',
    summary: 'put back what backup-state saved; what is there is set aside',
    more: 'While no daemon runs. All is verified before anything is changed.',
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
    more: 'Works without a daemon too.',
    examples: ['holdfast admin store check --deep', 'holdfast admin store repair --dry-run'],
  }).helpCommand(false);

  declare(store, {
    usage: 'check [folder]',
    summary: 'compare the tables, files and bytes of the store with one another',
    more: 'Changes nothing. With FOLDER: a copy of a store, such as a backup. Exit code 3 for problems.',
    examples: [
      'holdfast admin store check',
      'holdfast admin store check --deep                # reads every byte',
      'holdfast admin store check --deep /backup/store --json | jq .result.problems[]',
    ],
  })
    .option('--deep', 'read and verify every byte too')
    .action((folder: string | undefined, options: StoreCheckOptions) =>
      run(async (context) => (await import('./store.ts')).storeCheck(context, folder, options)),
    );

  declare(store, {
    usage: 'repair [folder]',
    summary: 'put right what can be derived, and quarantine what is damaged',
    more:
      'Removes no version: files that nothing needs go to trash/ for a week, and what cannot be read stays listed. ' +
      'Exit code 3 when something is still wrong.',
    examples: ['holdfast admin store repair --dry-run', 'holdfast admin store repair --deep'],
    destroys: (_, { dryRun }) =>
      dryRun ? undefined : 'repair the store, and move files that no version needs to its trash',
  })
    .option('--deep', 'read and verify every byte too')
    .option('--dry-run', 'only say what would be done')
    .option('--accept-metadata', 'accept a store.sqlite that is older than the store')
    .action((folder: string | undefined, options: StoreRepairOptions) =>
      run(async (context) => (await import('./store.ts')).storeRepair(context, folder, options)),
    );

  declare(store, {
    usage: 'trust-clock',
    summary: 'say that the clock is right although it jumped ahead',
    more: 'Until then, versions whose lock would have ended by the jump cannot be removed.',
    examples: ['date && holdfast admin store trust-clock'],
    destroys: () => 'trust the clock, and so end the locks that ended during its jump',
  }).action(() => run(async (context) => (await import('./store.ts')).trustClock(context)));
}
