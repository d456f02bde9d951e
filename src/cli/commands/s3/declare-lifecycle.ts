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
    summary: 'let objects and previous versions of a bucket expire',
    more:
      'Days end at midnight UTC; then the rules of all buckets are applied. What is locked stays until its lock ' +
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
    summary: 'replace the rules of a bucket; FILE - is the standard input',
    more:
      'FILE is the result of `s3 lifecycle get --json`, or a LifecycleConfiguration of the storage protocol: XML, or JSON ' +
      'as other tools have it. It may say more than `add`: tags, sizes, dates, uploads, how many versions to keep.',
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
    summary: 'add a rule to those that a bucket has',
    more:
      'Without versions, an object that expires is gone. With versions it gets a delete marker, and its version goes ' +
      'by --delete-previous-after.',
    examples: [
      'holdfast s3 lifecycle add logs week --expire-after 7',
      'holdfast s3 lifecycle add photos thumbs --prefix cache/ --expire-after 30 --delete-previous-after 1',
      'holdfast s3 lifecycle add photos later --expire-after 365 --off',
    ],
  })
    .option('--prefix <prefix>', 'only objects that begin so; the whole bucket without')
    .option('--expire-after <days>', 'the latest version expires so long after it was made', days)
    .option(
      '--delete-previous-after <days>',
      'so long after it was the latest, a version goes',
      days,
    )
    .option('--off', 'the rule waits to be switched on')
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
    summary: 'print what the rules would do, now or at a time; changes nothing',
    more: 'WHEN is a date, a time, or a duration such as "in 30d". Versions that a lock would retain are marked as locked.',
    examples: [
      'holdfast s3 lifecycle preview',
      'holdfast s3 lifecycle preview photos --at 2027-01-01',
      'holdfast s3 lifecycle preview photos --at "in 30d" --json | jq .result.changes[].key',
    ],
  })
    .option('--at <when>', 'as things are now, but then')
    .action((bucket: string | undefined, options: PreviewOptions) =>
      run(async (context) =>
        (await import('./lifecycle-runs.ts')).previewLifecycle(context, bucket, options),
      ),
    );
}
