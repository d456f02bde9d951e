/** Declares `holdfast job` and `holdfast config` with their subcommands. */

import { type Command, Option } from 'commander';

import { collect, declare } from '../../declare.ts';
import { addLateHelp } from '../../late-help.ts';
import type { AcknowledgeOptions } from './acknowledge.ts';
import type { ApproveOptions } from './held-changes.ts';
import { declareJobPlaces } from './declare-places.ts';
import type { JobsAddOptions } from './add.ts';
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

export function declareJobCommands(program: Command, run: Run): void {
  const jobs = declare(program, {
    usage: 'job',
    summary: 'list, add, change, pause and remove jobs',
    more: 'A job keeps one folder in one bucket. config.yaml is the record of all of them.',
    examples: ['holdfast job list', 'holdfast job add ~/Pictures --name photos'],
  }).helpCommand(false);
  declareJobsListAndAdd(jobs, run);
  declareJobsChanges(jobs, run);
  declareJobsEdit(jobs, run);
  declareJobsKeep(jobs, run);
  declareJobsDecisions(jobs, run);
  declareJobPlaces(jobs, run);

  const config = declare(program, {
    usage: 'config',
    summary: 'check the configuration, and have the daemon read it again',
    more: 'It is config.yaml in the home.',
    examples: ['holdfast config check && holdfast config reload'],
  }).helpCommand(false);
  declare(config, {
    usage: 'check [file]',
    summary: 'say every problem of a configuration, with its line',
    more: "Without FILE: the home's config.yaml. Needs no daemon.",
    examples: ['holdfast config check', 'holdfast config check ./config.yaml'],
  }).action((file: string | undefined) =>
    run(async (context) => (await import('../config/check.ts')).configCheck(context, file)),
  );
}

function declareJobsListAndAdd(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'list',
    summary: 'list the jobs, each with its state',
    examples: ['holdfast job list', 'holdfast job list --json'],
  }).action(() => run(async (context) => (await import('./jobs.ts')).listJobs(context)));

  declare(jobs, {
    usage: 'queue <job>',
    summary: 'name each path that the job has not in order yet, and why',
    more:
      'Also what `holdfast status` only counts: objects that drifted, files that wait for a lock to end. Exit code 3 where ' +
      'something is not done by itself.',
    examples: [
      'holdfast job queue photos',
      'holdfast job queue photos --reason drifted',
      "holdfast job queue photos --json | jq -r '.rows[].path'",
    ],
  })
    .addOption(new Option('--reason <reason>', 'only these').choices(QUEUE_REASONS))
    .action((job: string, options: QueueOptions) =>
      run(async (context) => (await import('./queue.ts')).listQueue(context, job, options)),
    );

  declare(jobs, {
    usage: 'add <folder>',
    summary: 'add a job to the daemon that runs',
    more: 'It begins at once; `holdfast up FOLDER` does the same and follows it. Several targets are a job each.',
    examples: [
      'holdfast job add ~/Pictures',
      'holdfast job add ~/Pictures --name photos --bucket photos --prefix laptop/',
      'holdfast job add ~/Pictures --name photos-offsite --target offsite',
    ],
  })
    .option('--name <name>', "the job's name; the bucket's if not given")
    .option('--bucket <name>', 'the bucket; named after the folder if not given')
    .option('--prefix <prefix>', 'where in the bucket, such as laptop/')
    .option('--target <name>', 'local, or a target of config.yaml', 'local')
    .option('--exclude <pattern>', 'what to leave out, as in .gitignore; may be repeated', collect)
    .option('--take-over', 'own the place though another job claimed it, which is gone for good')
    .action((folder: string, options: JobsAddOptions) =>
      run(async (context) => (await import('./add.ts')).addJob(context, folder, options)),
    );
}

function declareJobsChanges(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'remove <job>',
    summary: 'remove a job; its bucket and all versions in it stay',
    more:
      'Their locks are no longer renewed. Says what remains, and until when it is locked. On a terminal it also asks whether to ' +
      'remove the target and its key file, if no other job uses them.',
    examples: [
      'holdfast job remove photos',
      'holdfast job remove photos --yes --remove-target   # also its key of the remote service',
    ],
    destroys: ([job]) => `remove job ${job}`,
    details: async (context, { args: [job = ''] }) =>
      (await import('./remove.ts')).removalDetails(context, job),
  })
    .option('--remove-target', 'also its target and key file, if no other job uses them')
    .action((job: string, options: RemoveJobOptions) =>
      run(async (context) => (await import('./remove.ts')).removeJob(context, job, options)),
    );
  const changes = [
    ['pause', 'stop what it does at once, and mirror nothing until it is resumed'],
    ['resume', 'go on with a job that was paused'],
    ['run', 'scan the whole folder now, and mirror what differs'],
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
    summary: "change options of a job's entry in config.yaml, and apply them",
    more:
      'OPTIONS are KEY=VALUE, the value as in config.yaml; KEY= brings its default back. All other lines of the ' +
      'file stay as they are, comments too. `holdfast job edit --help` lists the keys.',
    examples: [
      'holdfast job edit photos verifyDays=7 conflict=ask --dry-run',
      "holdfast job edit photos 'exclude=[\"*.tmp\", cache/]' 'lock={mode: GOVERNANCE, days: 30}'",
      'holdfast job edit photos verifyDays=',
    ],
    destroys: async ([job = '', ...changes], { dryRun }) =>
      dryRun ? undefined : (await import('./edit.ts')).lockChange(job, changes),
  })
    .option('--dry-run', 'change nothing, only show which lines would be')
    .action((job: string, options: readonly string[], flags: { readonly dryRun?: boolean }) =>
      run(async (context) => (await import('./edit.ts')).editJob(context, job, options, flags)),
    );
  addLateHelp(edit, async () => (await import('./options-help.ts')).optionsHelp());
}

function declareJobsKeep(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'keep <job>',
    summary: 'remove the versions beyond what the job keeps, as it does each day',
    more: 'Which ones it keeps is `keep:` in config.yaml. What is locked, current, or of another tool stays.',
    examples: ['holdfast job keep photos --dry-run', 'holdfast job keep photos'],
    destroys: ([job], { dryRun }) =>
      dryRun ? undefined : `remove the versions of job ${job} that it does not keep`,
  })
    .option('--dry-run', 'remove nothing, only say what would be')
    .action((job: string, options: { readonly dryRun?: boolean }) =>
      run(async (context) =>
        (await import('./keep-versions.ts')).keepVersions(context, job, options),
      ),
    );
}

/** Declares the commands for decisions that a job leaves to the user. */
function declareJobsDecisions(jobs: Command, run: Run): void {
  declare(jobs, {
    usage: 'review <job>',
    summary: 'list the changes that are held, and why',
    more: 'Held are deletes that are too many at once, overwrites with the signs of encryption, and renames that lock too much twice.',
    examples: ['holdfast job review photos', 'holdfast job review photos --json'],
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).reviewJob(context, job)),
  );
  declare(jobs, {
    usage: 'approve <job>',
    summary: 'do what was reviewed in the bucket too',
    more: 'At a terminal it is shown and asked for; elsewhere it is named by the digest of the review.',
    examples: [
      'holdfast job approve photos',
      'holdfast job approve photos --digest 1f0c9be2a47d5603',
    ],
  })
    .option('--digest <digest>', 'of the review: refused when something else is held now')
    .option('--all', 'whatever is held now')
    .action((job: string, options: ApproveOptions) =>
      run(async (context) => (await import('./held-changes.ts')).approveJob(context, job, options)),
    );
  declare(jobs, {
    usage: 'reject <job>',
    summary: 'leave the objects of what is held now as they are',
    more: "Deleted files are no longer the job's; files that were overwritten differ until they change again.",
    examples: ['holdfast job reject photos'],
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).rejectJob(context, job)),
  );
  declare(jobs, {
    usage: 'acknowledge <job> <path>',
    summary: 'accept a known problem of a file until a time',
    more:
      'PATH is one that `holdfast status` or `holdfast job show` names, below the folder of the job. `status` still counts and lists ' +
      'the problem, with the note. Another problem of the same path is a risk again.',
    examples: [
      'holdfast job acknowledge photos cache/lock --note "the program rebuilds it" --for 90d',
      'holdfast job acknowledge photos cache/lock --withdraw',
    ],
  })
    .option('--note <text>', 'why the problem is no risk, up to 200 characters')
    .option('--for <duration>', 'how long, up to 365d', '30d')
    .option('--withdraw', 'make the problem a risk again')
    .action((job: string, path: string, options: AcknowledgeOptions) =>
      run(async (context) =>
        (await import('./acknowledge.ts')).acknowledge(context, job, path, options),
      ),
    );
  declare(jobs, {
    usage: 'accept-root <job>',
    summary: 'mirror the folder that is at the path now, though it is empty or another one',
    more: 'What is missing in it then counts as deleted; many deletes at once are held all the same.',
    examples: ['holdfast job accept-root photos'],
    destroys: ([job]) => `accept the folder of job ${job} as it is now`,
  }).action((job: string) =>
    run(async (context) => (await import('./held-changes.ts')).acceptRoot(context, job)),
  );
}
