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
    summary: 'show, enable and suspend the versioning of a bucket',
    more: 'Versioning can be suspended, but not disabled; older versions remain. With Object Lock it cannot be suspended.',
    examples: ['holdfast s3 versioning get photos', 'holdfast s3 versioning suspend photos'],
  }).helpCommand(false);
}

function declareQuota(program: Command, run: Run): void {
  const quota = declare(program, {
    usage: 'quota',
    summary: 'show and set the quotas of a bucket or a project',
    more: 'The defaults are in config.yaml (storage.quotas).',
    examples: [
      'holdfast s3 quota get                            # buckets of your project',
      'holdfast s3 quota get photos',
      'holdfast s3 quota set photos --bytes 10TiB --objects default',
      'holdfast s3 quota set --project shop --buckets 100',
    ],
  }).helpCommand(false);
  declare(quota, {
    usage: 'get [bucket]',
    summary: 'show the usage and the quotas of a bucket, or of a project',
    examples: ['holdfast s3 quota get photos', 'holdfast s3 quota get --project shop'],
  })
    .option('--project <project>', 'PROJECT or PROJECT@CUSTOMER')
    .action((bucket: string | undefined, options: QuotaOptions) =>
      run(async (context) => (await import('./quota.ts')).getQuota(context, bucket, options)),
    );
  declare(quota, {
    usage: 'set [bucket]',
    summary: 'set the quotas of a bucket, or of a project',
    more: 'The value `default` restores the default. Existing objects are not removed.',
    examples: [
      'holdfast s3 quota set photos --objects 1000000',
      'holdfast s3 quota set --buckets 100',
    ],
  })
    .option('--bytes <size>', 'size of all versions of a bucket: 500GB, 25TiB')
    .option('--objects <n>', 'number of all versions of a bucket')
    .option('--buckets <n>', 'number of buckets of a project, up to 1000')
    .option('--project <project>', 'PROJECT or PROJECT@CUSTOMER')
    .action((bucket: string | undefined, options: SetQuotaOptions) =>
      run(async (context) => (await import('./quota.ts')).setQuota(context, bucket, options)),
    );
}
