/** The commands about the locks that jobs keep up. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareJobLockCommands(program: Command, run: Run): void {
  const locks = declare(program, {
    usage: 'locks [job]',
    summary: 'tell what jobs keep locked, until when, and what waits for it',
    more: 'What a bucket locks by itself: `holdfast lock get BUCKET`.',
    examples: [
      'holdfast locks',
      'holdfast locks photos --json',
      'holdfast locks why ~/Pictures/a.jpg',
    ],
  })
    .helpCommand(false)
    .action((job: string | undefined) =>
      run(async (context) => (await import('./job-locks.ts')).showLocks(context, job)),
    );

  declare(locks, {
    usage: 'why <path>',
    summary: 'tell which lock a file has, by which rule, and what ends it',
    examples: ['holdfast locks why ~/Pictures/a.jpg'],
  }).action((path: string) =>
    run(async (context) => (await import('./job-locks.ts')).explainLock(context, path)),
  );

  declare(program, {
    usage: 'release <job> <paths...>',
    summary: 'renew the locks of these files no longer',
    more:
      'Their retention ends by itself then; what holds is not shortened. A new version of a file is locked and renewed ' +
      'again. Of a folder, all that is in it now.',
    examples: ['holdfast release photos ~/Pictures/old'],
    destroys: ([job, ...paths]) => `stop renewing the locks of ${paths.join(', ')} in job ${job}`,
  }).action((job: string, paths: readonly string[]) =>
    run(async (context) => (await import('./job-locks.ts')).releaseLocks(context, job, paths)),
  );

  declare(program, {
    usage: 'forget <job> <paths...>',
    summary: 'delete the objects of files that a job leaves out',
    more: 'Earlier versions stay, where the bucket keeps them. What is mirrored must be left out (exclude:) first.',
    examples: ['holdfast forget photos ~/Pictures/cache'],
    destroys: ([job, ...paths]) => `delete the objects of ${paths.join(', ')} of job ${job}`,
  }).action((job: string, paths: readonly string[]) =>
    run(async (context) => (await import('./job-locks.ts')).forgetPaths(context, job, paths)),
  );
}
