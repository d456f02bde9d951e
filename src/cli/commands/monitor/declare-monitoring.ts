/** Declares `monitor metrics` and `monitor alarms`. */

import type { Command } from 'commander';

import type { AddAlarmOptions } from './alarm-options.ts';
import { collect, declare } from '../../declare.ts';
import type { MetricsOptions } from './metrics.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';

/** Far more periods than an alarm may evaluate. The daemon rejects a value above its own limit. */
const MAX_PERIODS = 10_000;

export function declareCommands(program: Command, run: Run): void {
  declareMetrics(program, run);
  const alarms = declare(program, {
    usage: 'alarms',
    summary: 'watch what buckets hold, and act when it is too much or too little',
    more: 'An alarm is awake while its bucket is monitored: see `holdfast monitor metrics on`.',
    examples: [
      'holdfast monitor alarms add too-full --bucket photos --metric size --comparison ">" --threshold 500GB --on-alarm notification',
      'holdfast monitor alarms list',
    ],
  }).helpCommand(false);
  declareAlarmAdd(alarms, run);
}

function declareMetrics(program: Command, run: Run): void {
  declare(program, {
    usage: 'metrics [bucket]',
    summary: 'show what buckets hold, now or over time',
    more:
      'BucketSizeBytes are the bytes of all versions and of the parts of open uploads, NumberOfObjects counts these and ' +
      'the delete markers. A series is kept while monitoring is on.',
    examples: [
      'holdfast monitor metrics',
      'holdfast monitor metrics on photos',
      'holdfast monitor metrics photos --since 7d --period 6h --statistic maximum',
      'holdfast monitor metrics --prometheus',
    ],
  })
    .helpCommand(false)
    .option('--since <time>', 'the series from then on, such as 1d or 2026-11-20; 1d if not given')
    .option('--period <duration>', 'one value for so long, such as 1m, 1h or 1d')
    .option(
      '--statistic <name>',
      'average, minimum, maximum, sum or samplecount; average if not given',
    )
    .option('--metric <name>', 'size or objects; size if not given')
    .option('--prometheus', 'all numbers of the daemon, in the text format of Prometheus')
    .action((bucket: string | undefined, options: MetricsOptions) =>
      run(async (context) => (await import('./metrics.ts')).showMetrics(context, bucket, options)),
    );
}

function declareAlarmAdd(alarms: Command, run: Run): void {
  declare(alarms, {
    usage: 'add <name>',
    summary: 'make an alarm',
    more:
      'At the end of each period, the last periods are evaluated. Enough of them beyond the threshold set the state ALARM. ' +
      'Actions are done once, when a state is entered: log, notification, webhook:URL, command:PROGRAM, or ' +
      `command:'["PROGRAM", "ARGUMENT"]' (no shell; HOLDFAST_ALARM_NAME, _STATE, _REASON and more are in its environment).`,
    examples: [
      'holdfast monitor alarms add too-full --bucket photos --threshold 500GB --on-alarm notification --on-ok log',
      'holdfast monitor alarms add idle --bucket backups --metric objects --statistic maximum --comparison "<" --threshold 1 --period 1h --periods 24',
      'holdfast monitor alarms add page-me --bucket photos --threshold 1TB --on-alarm webhook:https://example.com/hook --secret-file hook.header',
    ],
  })
    .requiredOption('--bucket <bucket>', 'the bucket that it watches')
    .requiredOption('--threshold <number>', 'a number, or a size such as 10GB or 2.5TiB')
    .option('--description <text>', 'what it is for')
    .option('--metric <name>', 'size (BucketSizeBytes) or objects (NumberOfObjects)', 'size')
    .option('--statistic <name>', 'average, minimum, maximum, sum or samplecount', 'average')
    .option('--comparison <operator>', '>, >=, < or <=, or its long name', '>')
    .option(
      '--period <duration>',
      'how long a period is: seconds that divide a minute, or whole minutes',
      '5m',
    )
    .option('--periods <number>', 'how many periods are evaluated', wholeNumber(1, MAX_PERIODS), 1)
    .option(
      '--datapoints <number>',
      'how many of them make it ALARM; all if not given',
      wholeNumber(1, MAX_PERIODS),
    )
    .option(
      '--missing <as>',
      'what a period without samples counts as: missing, breaching, notBreaching, ignore',
      'missing',
    )
    .option('--on-alarm <action>', 'done when it becomes ALARM; up to five', collect)
    .option('--on-ok <action>', 'done when it becomes OK', collect)
    .option('--on-insufficient-data <action>', 'done when nothing is known any more', collect)
    .option('--command-timeout <duration>', 'how long its commands may take; 1m if not given')
    .option(
      '--secret-file <file>',
      'a header `Name: value` for its webhooks, in a file that only you may read',
    )
    .option('--replace', 'take the place of an alarm of that name, and keep its state')
    .action((name: string, options: AddAlarmOptions) =>
      run(async (context) => (await import('./alarms.ts')).addAlarm(context, name, options)),
    );
}
