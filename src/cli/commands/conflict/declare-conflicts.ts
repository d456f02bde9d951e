/** Declares `holdfast conflict` with its subcommands. */

import type { Command } from 'commander';

import type { ListOptions, ResolveOptions, ShowOptions } from './conflicts.ts';
import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const conflicts = declare(program, {
    usage: 'conflict',
    summary: 'see what changed both here and in the bucket, and say which is right',
    more: 'Nothing is lost: the bucket keeps the superseded side.',
    examples: [
      'holdfast conflict list',
      'holdfast conflict resolve --keep local --all --job documents',
    ],
  }).helpCommand(false);

  declare(conflicts, {
    usage: 'list [job]',
    summary: 'list the conflicts that wait for you, of one job or of all',
    more: 'Exit code 3 when there are any.',
    examples: ['holdfast conflict list', 'holdfast conflict list photos --all --json'],
  })
    .option('--all', 'those that are resolved, too')
    .action((job: string | undefined, options: ListOptions) =>
      run(async (context) => (await import('./conflicts.ts')).listConflicts(context, job, options)),
    );

  declare(conflicts, {
    usage: 'show <path>',
    summary: 'show where both sides of a path are, and what each choice would do',
    more: 'PATH is a local path, or a path below the folder of a job, as in the list.',
    examples: [
      'holdfast conflict show ~/Documents/plan.txt',
      'holdfast conflict show letters/plan.txt --job documents',
    ],
  })
    .option('--job <name>', 'of this job')
    .action((path: string, options: ShowOptions) =>
      run(async (context) => (await import('./conflicts.ts')).showConflict(context, path, options)),
    );

  declare(conflicts, {
    usage: 'resolve [paths...]',
    summary: 'say which side is right: local, remote, or both, one beside the other',
    more:
      'PATHS are JOB/PATH, local paths, or patterns as in .gitignore below the folder of --job or of the only job. ' +
      'Nothing is done if a side changed since it was listed. Exit code 3 if something is not resolved yet.',
    examples: [
      'holdfast conflict resolve --keep remote documents/letters/plan.txt',
      "holdfast conflict resolve --keep both --job photos '*.jpg' --dry-run",
      'holdfast conflict resolve --keep local --all --job documents   # all stays as it is',
    ],
  })
    .requiredOption('--keep <side>', 'local, remote or both')
    .option('--all', 'all that wait for you')
    .option('--job <name>', 'the job of patterns and of --all; the only one if not given')
    .option('--dry-run', 'only show what would be done')
    .action((paths: string[], options: ResolveOptions) =>
      run(async (context) =>
        (await import('./conflicts.ts')).resolveConflicts(context, paths, options),
      ),
    );
}
