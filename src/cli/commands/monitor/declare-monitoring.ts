/** Declares `monitor metrics` and `monitor alarms`. */

import type { Command } from 'commander';

import type { AddAlarmOptions } from './alarm-options.ts';
import { collect, declare } from '../../declare.ts';
import type { MetricsOptions } from './metrics.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';

/** The maximum value that the command line accepts. The daemon has a much lower limit. */
const MAX_PERIODS = 10_000;

export function declareCommands(program: Command, run: Run): void {
  declareMetrics(program, run);
  const alarms = declare(program, {
    usage: 'alarms',
    summary: 'watch the size of buckets, and act if it crosses a threshold',
    more: 'An alarm is active while its bucket is monitored: see `holdfast monitor metrics on`.',
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
    summary: 'show the metrics of buckets, now or over time',
    more:
      'BucketSizeBytes is the size of all versions and of the parts of open uploads. NumberOfObjects counts these and ' +
      'delete markers. Values are recorded while monitoring is on.',
    examples: [
      'holdfast monitor metrics',
      'holdfast monitor metrics on photos',
      'holdfast monitor metrics photos --since 7d --period 6h --statistic maximum',
      'holdfast monitor metrics --prometheus',
    ],
  })
    .helpCommand(false)
    .option('--since <time>', 'start of the values, such as 1d or 2026-11-20; default: 1d')
    .option('--period <duration>', 'interval of the values, such as 1m, 1h or 1d')
    .option('--statistic <name>', 'average, minimum, maximum, sum or samplecount; default: average')
    .option('--metric <name>', 'size or objects; default: size')
    .option('--prometheus', 'print all metrics of the daemon in the text format of Prometheus')
    .action((bucket: string | undefined, options: MetricsOptions) =>
      run(async (context) => (await import('./metrics.ts')).showMetrics(context, bucket, options)),
    );
}

function declareAlarmAdd(alarms: Command, run: Run): void {
  declare(alarms, {
    usage: 'add <name>',
    summary: 'create an alarm',
    more:
      'The last periods are evaluated at the end of each period. If enough of them breach the threshold, the state becomes ALARM. ' +
      'Actions run once, when a state is entered: log, notification, webhook:URL, command:PROGRAM, or ' +
      `command:'["PROGRAM", "ARGUMENT"]' (no shell; HOLDFAST_ALARM_NAME, _STATE, _REASON and more are in its environment).`,
    examples: [
      'holdfast monitor alarms add too-full --bucket photos --threshold 500GB --on-alarm notification --on-ok log',
      'holdfast monitor alarms add idle --bucket backups --metric objects --statistic maximum --comparison "<" --threshold 1 --period 1h --periods 24',
      'holdfast monitor alarms add page-me --bucket photos --threshold 1TB --on-alarm webhook:https://example.com/hook --secret-file hook.header',
    ],
  })
    .requiredOption('--bucket <bucket>', 'bucket of the alarm')
    .requiredOption('--threshold <number>', 'a number, or a size such as 10GB or 2.5TiB')
    .option('--description <text>', 'purpose of the alarm')
    .option('--metric <name>', 'size (BucketSizeBytes) or objects (NumberOfObjects)', 'size')
    .option('--statistic <name>', 'average, minimum, maximum, sum or samplecount', 'average')
    .option('--comparison <operator>', '>, >=, < or <=, or its long name', '>')
    .option(
      '--period <duration>',
      'length of a period: seconds that divide a minute, or whole minutes',
      '5m',
    )
    .option('--periods <number>', 'number of evaluated periods', wholeNumber(1, MAX_PERIODS), 1)
    .option(
      '--datapoints <number>',
      'number of breaching periods for ALARM; default: all',
      wholeNumber(1, MAX_PERIODS),
    )
    .option(
      '--missing <as>',
      'how a period without samples counts: missing, breaching, notBreaching, ignore',
      'missing',
    )
    .option('--on-alarm <action>', 'action when the state becomes ALARM; up to five', collect)
    .option('--on-ok <action>', 'action when the state becomes OK', collect)
    .option(
      '--on-insufficient-data <action>',
      'action when the state becomes INSUFFICIENT_DATA',
      collect,
    )
    .option('--command-timeout <duration>', 'timeout of its commands; default: 1m')
    .option(
      '--secret-file <file>',
      'file that only you can read, with a header `Name: value` for its webhooks',
    )
    .option('--replace', 'replace an existing alarm with this name, and keep its state')
    .action((name: string, options: AddAlarmOptions) =>
      run(async (context) => (await import('./alarms.ts')).addAlarm(context, name, options)),
    );
}
