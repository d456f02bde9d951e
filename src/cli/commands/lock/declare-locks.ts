/** Declares the commands for the retention and legal holds of versions, and for the default retention of buckets. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { HoldOptions } from './hold.ts';
import type { SetLockOptions } from './bucket-default.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { ExtendRetentionOptions, RetentionOptions, SetRetentionOptions } from './retention.ts';

export function declareCommands(program: Command, run: Run): void {
  declareRetention(program, run);
  declareHold(program, run);
  declareDefault(program, run);
}

function declareRetention(program: Command, run: Run): void {
  const retention = declare(program, {
    usage: 'retention',
    summary: 'show, set and extend the retention of a version',
    more: 'Requires a bucket that was created with Object Lock.',
    examples: [
      'holdfast lock retention get archive/2026.tar',
      'holdfast lock retention set archive/2026.tar --mode COMPLIANCE --for 365d',
    ],
  }).helpCommand(false);

  declare(retention, {
    usage: 'get <object>',
    summary: 'show the retention of a version',
    examples: [
      'holdfast lock retention get archive/2026.tar --version-id ID   # as `holdfast s3 versions` lists it',
    ],
  })
    .option('--version-id <id>', 'this version instead of the current one')
    .action((object: string, options: RetentionOptions) =>
      run(async (context) =>
        (await import('./retention.ts')).getRetention(context, object, options),
      ),
    );

  changing(
    declare(retention, {
      usage: 'set <object>',
      summary: 'set the retention of a version, or of all objects of a folder',
      more:
        'No user can shorten or remove COMPLIANCE, but it can be extended. GOVERNANCE can be changed by users with full ' +
        'access; shortening it needs --bypass-governance.',
      examples: [
        'holdfast lock retention set archive/2026.tar --mode GOVERNANCE --until 2027-12-31',
        'holdfast lock retention set archive/2026/ --recursive --mode COMPLIANCE --for 365d --dry-run',
      ],
      destroys: async ([object = ''], options, context) =>
        (await import('./retention.ts')).setForGood(context, object, options),
    }),
  )
    .requiredOption(
      '--mode <GOVERNANCE|COMPLIANCE>',
      'GOVERNANCE can be shortened by users with full access',
    )
    .option('--bypass-governance', 'shorten or change GOVERNANCE; needs full access')
    .action((object: string, options: SetRetentionOptions) =>
      run(async (context) =>
        (await import('./retention.ts')).setRetention(context, object, options),
      ),
    );

  changing(
    declare(retention, {
      usage: 'extend <object>',
      summary: 'extend the retention of a version, without changing its mode',
      examples: ['holdfast lock retention extend archive/2026.tar --for 730d'],
      destroys: async ([object = ''], options, context) =>
        (await import('./retention.ts')).extendForGood(context, object, options),
    }),
  ).action((object: string, options: ExtendRetentionOptions) =>
    run(async (context) =>
      (await import('./retention.ts')).extendRetention(context, object, options),
    ),
  );
}

function changing(command: Command): Command {
  return manyOr(command)
    .option('--until <time>', 'such as 2027-12-31 or 2027-12-31T12:00:00Z')
    .option('--for <duration>', 'duration from now, such as 30d or 52w');
}

function manyOr(command: Command): Command {
  return command
    .option('--version-id <id>', 'this version instead of the current one')
    .option('-r, --recursive', 'the current versions of all objects below the path')
    .option('--dry-run', 'only list and check the objects; with --recursive');
}

function declareHold(program: Command, run: Run): void {
  const hold = declare(program, {
    usage: 'hold',
    summary: 'show, set and lift the legal hold of a version',
    more: 'No user can remove a version with a legal hold, whatever its retention. Needs full access.',
    examples: [
      'holdfast lock hold on archive/2026.tar',
      'holdfast lock hold off archive/2026/ --recursive',
    ],
  }).helpCommand(false);
  for (const [name, legalHold] of [
    ['on', true],
    ['off', false],
  ] as const) {
    manyOr(
      declare(hold, {
        usage: `${name} <object>`,
        summary: legalHold ? 'place a legal hold on a version' : 'lift the legal hold of a version',
        examples: [`holdfast lock hold ${name} archive/2026.tar`],
        ...(!legalHold && { destroys: liftsHold }),
      }),
    ).action((object: string, options: HoldOptions) =>
      run(async (context) =>
        (await import('./hold.ts')).setHold(context, object, { ...options, legalHold }),
      ),
    );
  }
  declare(hold, {
    usage: 'get <object>',
    summary: 'show whether a version has a legal hold',
    examples: ['holdfast lock hold get archive/2026.tar'],
  })
    .option('--version-id <id>', 'this version instead of the current one')
    .action((object: string, options: HoldOptions) =>
      run(async (context) => (await import('./hold.ts')).getHold(context, object, options)),
    );
}

function liftsHold([object]: readonly string[], { dryRun }: HoldOptions): string | undefined {
  return dryRun ? undefined : `lift the legal hold of ${object}`;
}

const MAX_DAYS = 36_500;
const MAX_YEARS = 100;

function declareDefault(program: Command, run: Run): void {
  const lock = declare(program, {
    usage: 'default',
    summary: 'show, set and remove the default retention of a bucket',
    more: 'The bucket must have been created with Object Lock: holdfast s3 mb BUCKET --object-lock.',
    examples: [
      'holdfast lock default get archive',
      'holdfast lock default set archive --mode COMPLIANCE --years 7',
      'holdfast lock default remove archive   # existing retention does not change',
    ],
  }).helpCommand(false);
  declare(lock, {
    usage: 'set <bucket>',
    summary: 'set the default retention of new versions',
    examples: ['holdfast lock default set archive --mode GOVERNANCE --days 30'],
    destroys: async ([bucket = ''], options) =>
      (await import('./bucket-default.ts')).setForGood(bucket, options),
  })
    .requiredOption(
      '--mode <GOVERNANCE|COMPLIANCE>',
      'GOVERNANCE can be shortened by users with full access',
    )
    .option('--days <n>', `1 to ${MAX_DAYS}`, wholeNumber(1, MAX_DAYS))
    .option('--years <n>', `1 to ${MAX_YEARS}`, wholeNumber(1, MAX_YEARS))
    .action((bucket: string, options: SetLockOptions) =>
      run(async (context) =>
        (await import('./bucket-default.ts')).setLock(context, bucket, options),
      ),
    );
}
