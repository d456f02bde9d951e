/** Declares `job show`, `job take-over` and `job forget`. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareJobPlaces(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'show <job>',
    summary: 'show the state of a job and the capabilities of its service',
    examples: [
      'holdfast job show photos',
      'holdfast job show photos --json | jq .result.capabilities',
    ],
  }).action((job: string) =>
    run(async (context) => (await import('./show.ts')).showJob(context, job)),
  );
  declare(jobs, {
    usage: 'forget <job> <paths...>',
    summary: 'delete the objects of files that a job excludes',
    more: 'Earlier versions stay if the bucket is versioned. Mirrored files must first be excluded (`exclude` in config.yaml).',
    examples: ['holdfast job forget photos ~/Pictures/cache'],
    destroys: ([job, ...paths]) => `delete the objects of ${paths.join(', ')} of job ${job}`,
  }).action((job: string, paths: readonly string[]) =>
    run(async (context) => (await import('../lock/job-locks.ts')).forgetPaths(context, job, paths)),
  );
}
