/** Declares the commands for the locks that jobs set and renew. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareCommands(lock: Command, run: Run): void {
  declare(lock, {
    usage: 'list [job]',
    summary: 'list the locks of jobs, when they end, and the changes that wait for their end',
    more: 'For the default retention of a bucket, see `holdfast lock default get BUCKET`.',
    examples: ['holdfast lock list', 'holdfast lock list photos --json'],
  }).action((job: string | undefined) =>
    run(async (context) => (await import('./job-locks.ts')).showLocks(context, job)),
  );

  declare(lock, {
    usage: 'why <path>',
    summary: 'show the lock of a file, its rule, and how it can end',
    examples: ['holdfast lock why ~/Pictures/a.jpg'],
  }).action((path: string) =>
    run(async (context) => (await import('./job-locks.ts')).explainLock(context, path)),
  );

  declare(lock, {
    usage: 'release <job> <paths...>',
    summary: 'stop renewing the locks of files',
    more:
      'Existing retention is not shortened and ends by itself. A new version of a file is locked and renewed ' +
      'again. A folder means all files that are in it now.',
    examples: ['holdfast lock release photos ~/Pictures/old'],
    destroys: ([job, ...paths]) => `stop renewing the locks of ${paths.join(', ')} in job ${job}`,
  }).action((job: string, paths: readonly string[]) =>
    run(async (context) => (await import('./job-locks.ts')).releaseLocks(context, job, paths)),
  );
}
