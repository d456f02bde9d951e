/** Declares `job show`, `job take-over` and `job forget`. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareJobPlaces(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'show <job>',
    summary: 'show the state of a job, and what the service of its bucket supports',
    examples: ['holdfast job show photos', 'holdfast job show photos --json | jq .capabilities'],
  }).action((job: string) =>
    run(async (context) => (await import('./show.ts')).showJob(context, job)),
  );
  declare(jobs, {
    usage: 'forget <job> <paths...>',
    summary: 'delete the objects of files that a job leaves out',
    more: 'Earlier versions stay, where the bucket keeps them. What is mirrored must be left out (exclude:) first.',
    examples: ['holdfast job forget photos ~/Pictures/cache'],
    destroys: ([job, ...paths]) => `delete the objects of ${paths.join(', ')} of job ${job}`,
  }).action((job: string, paths: readonly string[]) =>
    run(async (context) => (await import('../lock/job-locks.ts')).forgetPaths(context, job, paths)),
  );
}
