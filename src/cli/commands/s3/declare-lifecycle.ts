/** Declares the commands for lifecycle rules and their runs. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { AddRuleOptions } from './lifecycle.ts';
import type { PreviewOptions } from './lifecycle-runs.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';

const days = wholeNumber(1, 1_000_000);

export function declareCommands(program: Command, run: Run): void {
  const lifecycle = declare(program, {
    usage: 'lifecycle',
    summary: 'show and set the lifecycle rules of a bucket',
    more:
      'Days end at midnight UTC; then the rules of all buckets are applied. A locked version remains until its lock ' +
      'has ended.',
    examples: [
      'holdfast s3 lifecycle add photos old-versions --delete-previous-after 30',
      'holdfast s3 lifecycle preview photos --at "in 31d"',
    ],
  }).helpCommand(false);
  declareRules(lifecycle, run);
  declareRuns(lifecycle, run);
}

function declareRules(lifecycle: Command, run: Run): void {
  declare(lifecycle, {
    usage: 'set <bucket> <file>',
    summary: 'replace the rules of a bucket; FILE - is standard input',
    more:
      'FILE is the result of `s3 lifecycle get --json`, or a LifecycleConfiguration of the storage protocol: XML, or JSON ' +
      'as in other tools. It can contain more than `lifecycle add` can set: tags, sizes, dates, uploads, and the number of versions to keep.',
    examples: [
      'holdfast s3 lifecycle set photos rules.xml',
      `echo '{"Rules": [{"ID": "uploads", "Status": "Enabled", "Filter": {},
      "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7}}]}' | holdfast s3 lifecycle set photos -`,
    ],
  }).action((bucket: string, file: string) =>
    run(async (context) => (await import('./lifecycle.ts')).setLifecycle(context, bucket, file)),
  );

  declare(lifecycle, {
    usage: 'add <bucket> <name>',
    summary: 'add a rule to those of a bucket',
    more:
      'Without versioning, an expired object is removed. With versioning it gets a delete marker, and its version is removed ' +
      'by --delete-previous-after.',
    examples: [
      'holdfast s3 lifecycle add logs week --expire-after 7',
      'holdfast s3 lifecycle add photos thumbs --prefix cache/ --expire-after 30 --delete-previous-after 1',
      'holdfast s3 lifecycle add photos later --expire-after 365 --off',
    ],
  })
    .option('--prefix <prefix>', 'only keys with this prefix; default: the whole bucket')
    .option('--expire-after <days>', 'age in days at which the current version expires', days)
    .option(
      '--delete-previous-after <days>',
      'days after which a noncurrent version is removed',
      days,
    )
    .option('--off', 'add the rule disabled')
    .action((bucket: string, name: string, options: AddRuleOptions) =>
      run(async (context) =>
        (await import('./lifecycle.ts')).addRule(context, { bucket, name }, options),
      ),
    );

  declare(lifecycle, {
    usage: 'remove <bucket> <name>',
    summary: 'remove a rule',
    examples: ['holdfast s3 lifecycle remove logs week'],
    destroys: ([bucket, name]) => `remove lifecycle rule ${name} of bucket ${bucket}`,
  }).action((bucket: string, name: string) =>
    run(async (context) => (await import('./lifecycle.ts')).removeRule(context, bucket, name)),
  );

  for (const word of ['on', 'off'] as const) {
    declare(lifecycle, {
      usage: `${word} <bucket> <name>`,
      summary: `switch a rule ${word}`,
      examples: [`holdfast s3 lifecycle ${word} logs week`],
    }).action((bucket: string, name: string) =>
      run(async (context) =>
        (await import('./lifecycle.ts')).switchRule(context, { bucket, name }, word === 'on'),
      ),
    );
  }
}

function declareRuns(lifecycle: Command, run: Run): void {
  declare(lifecycle, {
    usage: 'preview [bucket]',
    summary: 'print what the rules would remove, now or at a time; change nothing',
    more: 'WHEN is a date, a time, or a duration such as "in 30d". Versions that a lock would retain are marked as locked.',
    examples: [
      'holdfast s3 lifecycle preview',
      'holdfast s3 lifecycle preview photos --at 2027-01-01',
      'holdfast s3 lifecycle preview photos --at "in 30d" --json | jq .result.changes[].key',
    ],
  })
    .option('--at <when>', 'evaluate the current objects at this time')
    .action((bucket: string | undefined, options: PreviewOptions) =>
      run(async (context) =>
        (await import('./lifecycle-runs.ts')).previewLifecycle(context, bucket, options),
      ),
    );
}
