/** Declares `holdfast conflict` with its subcommands. */

import type { Command } from 'commander';

import type { ListOptions, ResolveOptions, ShowOptions } from './conflicts.ts';
import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const conflicts = declare(program, {
    usage: 'conflict',
    summary: 'list and resolve paths that changed both locally and in the bucket',
    more: 'Nothing is lost: the bucket keeps the superseded side.',
    examples: [
      'holdfast conflict list',
      'holdfast conflict resolve --keep local --all --job documents',
    ],
  }).helpCommand(false);

  declare(conflicts, {
    usage: 'list [job]',
    summary: 'list the unresolved conflicts of one job or of all jobs',
    more: 'Exit code 3 if there are any.',
    examples: ['holdfast conflict list', 'holdfast conflict list photos --all --json'],
  })
    .option('--all', 'also list resolved conflicts')
    .action((job: string | undefined, options: ListOptions) =>
      run(async (context) => (await import('./conflicts.ts')).listConflicts(context, job, options)),
    );

  declare(conflicts, {
    usage: 'show <path>',
    summary: 'show both sides of a conflict, and what each choice would do',
    more: 'PATH is a local path, or a path below the folder of a job, as in the list.',
    examples: [
      'holdfast conflict show ~/Documents/plan.txt',
      'holdfast conflict show letters/plan.txt --job documents',
    ],
  })
    .option('--job <name>', 'job of the path')
    .action((path: string, options: ShowOptions) =>
      run(async (context) => (await import('./conflicts.ts')).showConflict(context, path, options)),
    );

  declare(conflicts, {
    usage: 'resolve [paths...]',
    summary: 'resolve a conflict: keep the local side, the remote side, or both side by side',
    more:
      'PATHS are JOB/PATH, local paths, or patterns as in .gitignore below the folder of --job or of the only job. ' +
      'Changes nothing if a side has changed since it was listed. Exit code 3 if a conflict is not resolved yet.',
    examples: [
      'holdfast conflict resolve --keep remote documents/letters/plan.txt',
      "holdfast conflict resolve --keep both --job photos '*.jpg' --dry-run",
      'holdfast conflict resolve --keep local --all --job documents   # keeps all local files',
    ],
  })
    .requiredOption('--keep <side>', 'local, remote or both')
    .option('--all', 'all unresolved conflicts')
    .option('--job <name>', 'job of patterns and of --all; by default, the only job')
    .option('--dry-run', 'only show what would be done')
    .action((paths: string[], options: ResolveOptions) =>
      run(async (context) =>
        (await import('./conflicts.ts')).resolveConflicts(context, paths, options),
      ),
    );
}
