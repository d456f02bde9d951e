/** Tests of the limits of the fields of an alarm. */

import { describe, expect, it } from 'vitest';

import type { AlarmDefinition } from '../../../src/monitoring/alarm.ts';
import { checkAlarm } from '../../../src/monitoring/check-alarm.ts';
import { MonitoringError } from '../../../src/monitoring/monitoring-error.ts';
import { alarmDefinition, NO_ACTIONS } from '../../helpers/alarms.ts';

const LOG = { type: 'log' } as const;

describe('valid alarm definitions', () => {
  it.each<[string, Partial<AlarmDefinition>]>([
    ['[alarm-1] a name of 255 characters', { name: 'x'.repeat(255) }],
    ['[alarm-2] a description of 1,024 characters', { description: 'x'.repeat(1024) }],
    ['[alarm-2] no description', {}],
    ['[alarm-3] the metric NumberOfObjects', { metric: 'NumberOfObjects' }],
    ['[alarm-6] a negative threshold', { threshold: -0.5 }],
    ['[alarm-8] a period of one second', { periodMs: 1000 }],
    ['[alarm-8] a period of one week', { periodMs: 7 * 86_400_000, evaluationPeriods: 1 }],
    ['[alarm-7] 288 periods of five minutes', { periodMs: 300_000, evaluationPeriods: 288 }],
    [
      '[alarm-12] five actions for a state',
      { actions: { ...NO_ACTIONS, OK: Array.from({ length: 5 }, () => LOG) } },
    ],
  ])('the daemon accepts an alarm with %s', (_, members) => {
    expect(() => checkAlarm(alarmDefinition(members))).not.toThrow();
  });
});

const asAction = (action: unknown) =>
  ({ ...NO_ACTIONS, ALARM: [action] }) as AlarmDefinition['actions'];

describe('invalid alarm definitions', () => {
  it.each<[string, object, string]>([
    ['[alarm-1] an empty name', { name: '' }, 'name'],
    ['[alarm-1] a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a line feed in its name', { name: 'a\nb' }, 'name'],
    [
      '[alarm-2] a description of 1,025 characters',
      { description: 'x'.repeat(1025) },
      'description',
    ],
    ['[alarm-3] an unknown metric', { metric: 'Requests' }, 'metric'],
    ['[alarm-4] an unknown statistic', { statistic: 'p99' }, 'statistic'],
    ['[alarm-5] an unknown comparison', { comparison: 'Equal' }, 'comparison'],
    ['[alarm-6] a threshold of NaN', { threshold: Number.NaN }, 'threshold'],
    ['[alarm-6] an infinite threshold', { threshold: Infinity }, 'threshold'],
    ['[alarm-7] no check periods', { evaluationPeriods: 0 }, 'check periods'],
    ['[alarm-7] half a check period', { evaluationPeriods: 1.5 }, 'check periods'],
    ['more than 288 check periods', { evaluationPeriods: 289 }, 'check periods'],
    [
      'periods of more than a week in total',
      { periodMs: 3_600_000, evaluationPeriods: 169 },
      'check periods',
    ],
    ['[alarm-8] a period of zero length', { periodMs: 0 }, 'period'],
    ['[alarm-8] a period of 7 seconds', { periodMs: 7000 }, 'period'],
    ['[alarm-8] a period of 90 seconds', { periodMs: 90_000 }, 'period'],
    ['[alarm-8] a period of half a second', { periodMs: 500 }, 'period'],
    [
      '[alarm-9] more datapoints than periods',
      { evaluationPeriods: 2, datapointsToAlarm: 3 },
      'datapoints',
    ],
    ['[alarm-9] no datapoints', { datapointsToAlarm: 0 }, 'datapoints'],
    ['[alarm-10] an unknown treatment of missing data', { treatMissingData: 'zero' }, 'missing'],
    [
      '[alarm-12] six actions for a state',
      { actions: { ...NO_ACTIONS, OK: Array.from({ length: 6 }, () => LOG) } },
      'actions',
    ],
    ['an empty command line', { actions: asAction({ type: 'command', argv: [] }) }, 'command'],
    [
      'a program with an empty name',
      { actions: asAction({ type: 'command', argv: [''] }) },
      'command',
    ],
    [
      'a NUL character in an argument',
      { actions: asAction({ type: 'command', argv: ['a', 'b\0c'] }) },
      'command',
    ],
    [
      'a command of 65 words',
      { actions: asAction({ type: 'command', argv: Array(65).fill('x') }) },
      'command',
    ],
    [
      'an argument of 4,097 characters',
      { actions: asAction({ type: 'command', argv: ['a', 'x'.repeat(4097)] }) },
      'command',
    ],
    [
      'a timeout of two hours',
      { actions: asAction({ type: 'command', argv: ['a'], timeoutMs: 7_200_000 }) },
      'timeout',
    ],
    [
      'a webhook with the scheme file',
      { actions: asAction({ type: 'webhook', url: 'file:///etc/passwd' }) },
      'webhook',
    ],
    [
      'a webhook URL without a scheme',
      { actions: asAction({ type: 'webhook', url: 'example.com' }) },
      'webhook',
    ],
    [
      'a webhook with a password',
      { actions: asAction({ type: 'webhook', url: 'https://a:b@example.com' }) },
      'webhook',
    ],
    [
      'a webhook URL of more than 3,000 characters',
      { actions: asAction({ type: 'webhook', url: `https://example.com/${'x'.repeat(3000)}` }) },
      'webhook',
    ],
  ])('the daemon refuses an alarm with %s', (_, members, word) => {
    const check = () => checkAlarm(alarmDefinition(members));
    expect(check).toThrow(MonitoringError);
    expect(check).toThrow(word);
  });
});
