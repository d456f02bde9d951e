/** Declares `holdfast target` with its subcommands. A target is a remote service that jobs can back up to. */

import type { Command } from 'commander';

import type { CredentialOptions } from '../../arguments/remote-target.ts';
import { CREDENTIALS, declare, protocolOption } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { AddTargetOptions } from './targets.ts';
import type { TestTargetOptions } from './test-target.ts';

const CREDENTIALS_FROM =
  'The access key is read from the source that an option names, else from HOLDFAST_TARGET_ACCESS_KEY_ID and ' +
  'HOLDFAST_TARGET_SECRET_ACCESS_KEY, else from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; on a terminal, the command asks ' +
  'for it otherwise. The key is tried before it is saved, in a file that only you can read.';
const KEY =
  'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n      holdfast target';

export function declareCommands(program: Command, run: Run): void {
  const target = declare(program, {
    usage: 'target',
    summary: 'list, add, test, rename and remove the services to back up to',
    more: 'A target is a remote storage service. Each job backs up to the embedded store or to one target.',
    examples: ['holdfast target list', 'holdfast target test offsite'],
  }).helpCommand(false);
  declareViews(target, run);
  declareChanges(target, run);
}

function declareViews(target: Command, run: Run): void {
  declare(target, {
    usage: 'list',
    summary: 'list the targets, with the jobs that use them',
    examples: [
      'holdfast target list',
      'holdfast target list --json | jq -r .result.targets[].name',
    ],
  }).action(() => run(async (context) => (await import('./targets.ts')).listTargets(context)));

  declare(target, {
    usage: 'test <target>',
    summary: 'test that a target can be reached, and what it supports for jobs',
    more:
      'TARGET is a name, or NAME:BUCKET[/PREFIX]. Tests the access key and the clock. In that bucket and in the buckets of the jobs, also tests ' +
      'versions, Object Lock, conditional writes and checksums, and says what a job there cannot guarantee. Writes small objects ' +
      'below PREFIX.holdfast/probe/, and removes them. Needs no daemon. Exit code 1 if a test fails, 3 if something needs attention.',
    examples: [
      'holdfast target test offsite',
      'holdfast target test offsite:backup/laptop',
      'holdfast target test offsite:backup/laptop --policy > policy.json   # the permissions that its key needs',
      'holdfast target test offsite --json | jq .result.supports',
    ],
  })
    .option('--policy', 'print the smallest IAM policy for a job with locks there; test nothing')
    .action((place: string, options: TestTargetOptions) =>
      run(async (context) =>
        (await import('./test-target.ts')).testTarget(context, place, options),
      ),
    );
}

function declareChanges(target: Command, run: Run): void {
  declare(target, {
    usage: 'add <name> <service>',
    summary: 'add a target',
    more:
      'SERVICE is s3://BUCKET[/PREFIX] for AWS, b2:BUCKET[/PREFIX] for Backblaze, a host, or https://HOST[:PORT][/BUCKET[/PREFIX]]. ' +
      'Its bucket is not saved with the target: the key is tried with it, and the output shows how to back up to it. ' +
      CREDENTIALS_FROM,
    examples: [
      `${KEY} add offsite https://storage.example.com/backup`,
      'holdfast target add offsite s3://backup/laptop --profile backup',
      'holdfast target add offsite s3://backup/laptop --policy > policy.json   # the permissions that its key needs',
    ],
  })
    .addOption(protocolOption())
    .option(
      '--region <name>',
      'region of the service; default for AWS: the region of the profile, AWS_REGION, or us-east-1',
    )
    .option('--ca-file <file>', 'trust the certificates in this PEM file instead of the usual ones')
    .option('--policy', 'print the smallest IAM policy for a job with locks there; add nothing')
    .option(...CREDENTIALS.file)
    .option(...CREDENTIALS.profile)
    .option(...CREDENTIALS.command)
    .action((name: string, service: string, options: AddTargetOptions) =>
      run(async (context) =>
        (await import('./targets.ts')).addTarget(context, { name, service }, options),
      ),
    );

  declare(target, {
    usage: 'set-key <name>',
    summary: 'replace the access key of a target',
    more: `${CREDENTIALS_FROM} Jobs use it at once.`,
    examples: [
      `${KEY} set-key offsite`,
      "holdfast target set-key offsite --credentials-command 'pass show offsite'",
    ],
  })
    .option(...CREDENTIALS.file)
    .option(...CREDENTIALS.profile)
    .option(...CREDENTIALS.command)
    .action((name: string, options: CredentialOptions) =>
      run(async (context) => (await import('./targets.ts')).setTargetKey(context, name, options)),
    );

  declare(target, {
    usage: 'rename <old> <new>',
    summary: 'rename a target, also in the jobs that use it',
    more: 'Its key, its jobs and their locks stay. A job with several targets is named after each: photos@old becomes photos@new.',
    examples: ['holdfast target rename offsite frankfurt'],
  }).action((old: string, name: string) =>
    run(async (context) => (await import('./targets.ts')).renameTarget(context, old, name)),
  );

  declare(target, {
    usage: 'remove <name>',
    summary: 'remove a target that no job uses, and its access key',
    more: 'Buckets and objects at the service are not changed.',
    examples: ['holdfast target remove offsite'],
    destroys: ([name]) => `remove target ${name} and its access key`,
  }).action((name: string) =>
    run(async (context) => (await import('./targets.ts')).removeTarget(context, name)),
  );
}
