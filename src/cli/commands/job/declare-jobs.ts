/** Declares `holdfast job` with its subcommands. */

import { type Command, Option } from 'commander';

import { collect, declare } from '../../declare.ts';
import { addLateHelp } from '../../late-help.ts';
import type { AcknowledgeOptions } from './acknowledge.ts';
import type { ApproveOptions } from './held-changes.ts';
import { declareJobPlaces } from './declare-places.ts';
import type { JobsAddOptions } from './add.ts';
import type { KeepOptions } from './keep-versions.ts';
import type { RemoveJobOptions } from './remove.ts';
import type { QueueOptions } from './queue.ts';
import type { Run } from '../../program.ts';

const QUEUE_REASONS = [
  'error',
  'conflict',
  'held',
  'drifted',
  'busy',
  'waiting',
  'retained',
] as const satisfies readonly QueueOptions['reason'][];

export function declareCommands(program: Command, run: Run): void {
  const jobs = declare(program, {
    usage: 'job',
    summary: 'list, add, change, pause and remove jobs',
    more: 'A job mirrors one folder to one bucket. All jobs are in config.yaml.',
    examples: ['holdfast job list', 'holdfast job add ~/Pictures --name photos'],
  }).helpCommand(false);
  declareJobsListAndAdd(jobs, run);
  declareJobsChanges(jobs, run);
  declareJobsEdit(jobs, run);
  declareJobsKeep(jobs, run);
  declareJobsDecisions(jobs, run);
  declareJobPlaces(jobs, run);
}

function declareJobsListAndAdd(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'list',
    summary: 'list the jobs and their states',
    examples: ['holdfast job list', 'holdfast job list --json'],
  }).action(() => run(async (context) => (await import('./jobs.ts')).listJobs(context)));

  declare(jobs, {
    usage: 'queue <job>',
    summary: 'list the paths that are not in sync, each with the reason',
    more:
      'Lists everything that `holdfast status` counts, such as objects that another client changed and files that wait for ' +
      'the end of a lock. Exit code 3 if the job does not resolve all of it by itself.',
    examples: [
      'holdfast job queue photos',
      'holdfast job queue photos --reason drifted',
      "holdfast job queue photos --json | jq -r '.result.rows[].path'",
    ],
  })
    .addOption(
      new Option('--reason <reason>', 'list only paths with this reason').choices(QUEUE_REASONS),
    )
    .action((job: string, options: QueueOptions) =>
      run(async (context) => (await import('./queue.ts')).listQueue(context, job, options)),
    );

  declare(jobs, {
    usage: 'add <folder>',
    summary: 'add a job to the running daemon',
    more:
      'The job starts immediately. `holdfast up FOLDER` does the same and follows the job. To back up a folder to several ' +
      'targets, add a job for each.',
    examples: [
      'holdfast job add ~/Pictures',
      'holdfast job add ~/Pictures --name photos --bucket photos --prefix laptop/',
      'holdfast job add ~/Pictures --name photos-offsite --target offsite',
    ],
  })
    .option('--name <name>', 'name of the job; by default, that of the bucket')
    .option('--bucket <name>', 'bucket; by default, named after the folder')
    .option('--prefix <prefix>', 'prefix in the bucket, such as laptop/')
    .option('--target <name>', 'local, or a target of config.yaml', 'local')
    .option('--exclude <pattern>', 'files to exclude, as in .gitignore; may be repeated', collect)
    .option('--take-over', 'take over the destination from another job that no longer exists')
    .action((folder: string, options: JobsAddOptions) =>
      run(async (context) => (await import('./add.ts')).addJob(context, folder, options)),
    );
}

function declareJobsChanges(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'remove <job>',
    summary: 'remove a job, but keep its bucket and all versions in it',
    more:
      'The locks of the versions are no longer renewed. Prints what remains, and when its locks end. On a terminal, also asks ' +
      'whether to remove the target and its key file, if no other job uses them.',
    examples: [
      'holdfast job remove photos',
      'holdfast job remove photos --yes --remove-target   # also removes the target and its key',
    ],
    destroys: ([job]) => `remove job ${job}`,
    details: async (context, { args: [job = ''] }) =>
      (await import('./remove.ts')).removalDetails(context, job),
  })
    .option('--remove-target', 'also remove its target and key file, if no other job uses them')
    .action((job: string, options: RemoveJobOptions) =>
      run(async (context) => (await import('./remove.ts')).removeJob(context, job, options)),
    );
  const changes = [
    ['pause', 'stop a job immediately, until it is resumed'],
    ['resume', 'resume a paused job'],
    ['run', 'scan the whole folder now, and mirror all differences'],
  ] as const;
  for (const [change, summary] of changes) {
    declare(jobs, {
      usage: `${change} <job>`,
      summary,
      examples: [`holdfast job ${change} photos`],
    }).action((job: string) =>
      run(async (context) => (await import('./jobs.ts')).changeJob(context, job, change)),
    );
  }
}

function declareJobsEdit(jobs: Command, run: Run): void {
  const edit = declare(jobs, {
    usage: 'edit <job> <options...>',
    summary: 'change options of a job in config.yaml, and apply them',
    more:
      'OPTIONS are KEY=VALUE, with a value as below or as in config.yaml. KEY= restores the default. Keeps all other lines of the file, ' +
      'including comments. `holdfast job edit --help` lists the keys.',
    examples: [
      'holdfast job edit photos verifyDays=7 conflict=ask --dry-run',
      "holdfast job edit photos 'exclude=*.tmp, cache/' lock=30d",
      'holdfast job edit photos verifyDays=',
    ],
    destroys: async ([job = '', ...changes], { dryRun }) =>
      dryRun ? undefined : (await import('./edit.ts')).lockChange(job, changes),
  })
    .option('--dry-run', 'only show which lines would change')
    .action((job: string, options: readonly string[], flags: { readonly dryRun?: boolean }) =>
      run(async (context) => (await import('./edit.ts')).editJob(context, job, options, flags)),
    );
  addLateHelp(edit, async () => (await import('./options-help.ts')).optionsHelp());
}

function declareJobsKeep(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'keep <job>',
    summary: 'remove the versions that the job does not keep, as it does every day',
    more: '`keep` in config.yaml sets which versions the job keeps. Current versions, locked versions and versions of other tools stay.',
    examples: [
      'holdfast job keep photos --preview',
      'holdfast job keep photos --dry-run',
      'holdfast job keep photos',
    ],
    destroys: ([job], { dryRun, preview }) =>
      dryRun || preview ? undefined : `remove the versions of job ${job} that it does not keep`,
  })
    .option('--dry-run', 'only report what would be removed')
    .option('--preview', 'compare what several rules would remove, and remove nothing')
    .action((job: string, options: KeepOptions) =>
      run(async (context) =>
        (await import('./keep-versions.ts')).keepVersions(context, job, options),
      ),
    );
}

/** Declares the commands for decisions that a job leaves to the user. */
function declareJobsDecisions(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'review <job>',
    summary: 'list the changes that are held for review, and why',
    more:
      'A job holds deletes if they are too many at once, overwrites that look like encryption by an attacker, and renames ' +
      'that would lock too much data twice.',
    examples: ['holdfast job review photos', 'holdfast job review photos --json'],
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).reviewJob(context, job)),
  );
  declare(jobs, {
    usage: 'approve <job>',
    summary: 'apply the held changes to the bucket',
    more: 'On a terminal, shows the changes and asks. Elsewhere, --digest must name the review that lists them.',
    examples: [
      'holdfast job approve photos',
      'holdfast job approve photos --digest 1f0c9be2a47d5603',
    ],
  })
    .option('--digest <digest>', 'digest of the review; fails if other changes are held now')
    .option('--all', 'approve all changes that are held now')
    .action((job: string, options: ApproveOptions) =>
      run(async (context) => (await import('./held-changes.ts')).approveJob(context, job, options)),
    );
  declare(jobs, {
    usage: 'reject <job>',
    summary: 'discard the held changes, and keep the objects in the bucket',
    more: 'The job no longer tracks the deleted files. Overwritten files differ from the bucket until they change again.',
    examples: ['holdfast job reject photos'],
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).rejectJob(context, job)),
  );
  declare(jobs, {
    usage: 'acknowledge <job> <path>',
    summary: 'accept a known problem of a file for some time',
    more:
      'PATH is relative to the folder of the job, as in `holdfast status` and `holdfast job show`. `status` still lists and ' +
      'counts the problem, with the note. Another problem of the same path is a risk again.',
    examples: [
      'holdfast job acknowledge photos cache/lock --note "the program rebuilds it" --for 90d',
      'holdfast job acknowledge photos cache/lock --withdraw',
    ],
  })
    .option('--note <text>', 'why the problem is not a risk, up to 200 characters')
    .option('--for <duration>', 'duration, up to 365d', '30d')
    .option('--withdraw', 'make the problem a risk again')
    .action((job: string, path: string, options: AcknowledgeOptions) =>
      run(async (context) =>
        (await import('./acknowledge.ts')).acknowledge(context, job, path, options),
      ),
    );
  declare(jobs, {
    usage: 'accept-root <job>',
    summary: 'mirror the folder that is now at the path, even if it is empty or another folder',
    more: 'Files that are missing in it count as deleted. Many deletes at once are held for review.',
    examples: ['holdfast job accept-root photos'],
    destroys: ([job]) => `accept the folder of job ${job} as it is now`,
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).acceptRoot(context, job)),
  );
}
