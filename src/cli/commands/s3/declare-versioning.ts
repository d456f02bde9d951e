/** Declares the commands for versioning and quotas. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { QuotaOptions, SetQuotaOptions } from './quota.ts';

export function declareCommands(s3: Command, run: Run): void {
  declareVersioning(s3);
  declareQuota(s3, run);
}

function declareVersioning(program: Command): void {
  declare(program, {
    usage: 'versioning',
    summary: 'show, enable and suspend the versions of a bucket',
    more: 'Once enabled it can only be suspended; older versions stay. With object lock it stays enabled.',
    examples: ['holdfast s3 versioning get photos', 'holdfast s3 versioning suspend photos'],
  }).helpCommand(false);
}

function declareQuota(program: Command, run: Run): void {
  const quota = declare(program, {
    usage: 'quota',
    summary: 'show and set what a bucket or a project may hold',
    more: 'What is not set here is as config.yaml says (storage.quotas).',
    examples: [
      'holdfast s3 quota get                            # buckets of your project',
      'holdfast s3 quota get photos',
      'holdfast s3 quota set photos --bytes 10TiB --objects default',
      'holdfast s3 quota set --project shop --buckets 100',
    ],
  }).helpCommand(false);
  declare(quota, {
    usage: 'get [bucket]',
    summary: 'show what a bucket, or without one a project, holds and may hold',
    examples: ['holdfast s3 quota get photos', 'holdfast s3 quota get --project shop'],
  })
    .option('--project <project>', 'of that project: PROJECT or PROJECT@CUSTOMER')
    .action((bucket: string | undefined, options: QuotaOptions) =>
      run(async (context) => (await import('./quota.ts')).getQuota(context, bucket, options)),
    );
  declare(quota, {
    usage: 'set [bucket]',
    summary: 'set what a bucket, or without one a project, may hold',
    more: 'The word `default` takes back what was set. Nothing that is there is taken away.',
    examples: [
      'holdfast s3 quota set photos --objects 1000000',
      'holdfast s3 quota set --buckets 100',
    ],
  })
    .option('--bytes <size>', 'of a bucket, all versions together: 500GB, 25TiB')
    .option('--objects <n>', 'of a bucket, all versions counted')
    .option('--buckets <n>', 'of a project, up to 1000')
    .option('--project <project>', 'of that project: PROJECT or PROJECT@CUSTOMER')
    .action((bucket: string | undefined, options: SetQuotaOptions) =>
      run(async (context) => (await import('./quota.ts')).setQuota(context, bucket, options)),
    );
}
