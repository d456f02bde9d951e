/** Declares `holdfast target` with its subcommands. Targets are the remote services that jobs can back up to. */

import type { Command } from 'commander';

import { declare, protocolOption } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { AddTargetOptions, KeyOptions } from './targets.ts';

const CREDENTIALS_FROM =
  'The access key is read from HOLDFAST_TARGET_ACCESS_KEY_ID and HOLDFAST_TARGET_SECRET_ACCESS_KEY, from AWS_ACCESS_KEY_ID ' +
  'and AWS_SECRET_ACCESS_KEY, or from a file.';
const CREDENTIALS = ['--credentials <file>', 'a JSON file with the access key'] as const;
const KEY =
  'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n      holdfast target';

export function declareTargetCommands(program: Command, run: Run): void {
  const target = declare(program, {
    usage: 'target',
    summary: 'list, add, test and remove the services to back up to',
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
    examples: ['holdfast target list', 'holdfast target list --json | jq -r .targets[].name'],
  }).action(() => run(async (context) => (await import('./targets.ts')).listTargets(context)));

  declare(target, {
    usage: 'test <name>',
    summary: 'check that a target can be reached, and what it supports for its jobs',
    more:
      'Checks the access key, the clock, and the versioning, locks and lifecycle of the bucket of each job. Changes nothing, and ' +
      'needs no daemon. Exit code 1 if a check fails, 3 if something needs attention.',
    examples: ['holdfast target test offsite', 'holdfast target test offsite --json'],
  }).action((name: string) =>
    run(async (context) => (await import('./targets.ts')).testTarget(context, name)),
  );
}

function declareChanges(target: Command, run: Run): void {
  declare(target, {
    usage: 'add <endpoint>',
    summary: 'add a target',
    more: `ENDPOINT is https://HOST or http://HOST:PORT. ${CREDENTIALS_FROM} The key is tried before it is saved.`,
    examples: [`${KEY} add https://storage.example.com --name offsite`],
  })
    .option('--name <name>', 'the name of the target; made from the host if not given')
    .addOption(protocolOption())
    .option('--region <name>', 'its region')
    .option('--ca-file <file>', 'trust the certificates in this PEM file instead of the usual ones')
    .option(...CREDENTIALS)
    .action((endpoint: string, options: AddTargetOptions) =>
      run(async (context) => (await import('./targets.ts')).addTarget(context, endpoint, options)),
    );

  declare(target, {
    usage: 'set-key <name>',
    summary: 'replace the access key of a target',
    more: `${CREDENTIALS_FROM} The key is tried before it is saved. Jobs use it at once.`,
    examples: [`${KEY} set-key offsite`],
  })
    .option(...CREDENTIALS)
    .action((name: string, options: KeyOptions) =>
      run(async (context) => (await import('./targets.ts')).setTargetKey(context, name, options)),
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
