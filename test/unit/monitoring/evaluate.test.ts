/** Tests of the evaluation of alarms: comparison operators, missing data and general properties. */

import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import {
  ALARM_STATES,
  COMPARISONS,
  MISSING_DATA,
  type TreatMissingData,
} from '../../../src/monitoring/alarm.ts';
import { evaluate } from '../../../src/monitoring/evaluate.ts';

type Condition = Parameters<typeof evaluate>[0];

function condition(members: Partial<Condition> = {}): Condition {
  return {
    metric: 'BucketSizeBytes',
    statistic: 'Average',
    comparison: 'GreaterThanThreshold',
    threshold: 10,
    datapointsToAlarm: 3,
    treatMissingData: 'missing',
    ...members,
  };
}

/** Parses datapoints, oldest first: `X` breaches the threshold, `0` does not, `-` is missing. */
function datapoints(text: string): (number | undefined)[] {
  return text.split('').map((each) => (each === '-' ? undefined : each === 'X' ? 11 : 10));
}

describe('[alarm-5] comparison operators of alarms', () => {
  it.each([
    ['GreaterThanOrEqualToThreshold', [9, 10, 11], ['OK', 'ALARM', 'ALARM']],
    ['GreaterThanThreshold', [9, 10, 11], ['OK', 'OK', 'ALARM']],
    ['LessThanThreshold', [9, 10, 11], ['ALARM', 'OK', 'OK']],
    ['LessThanOrEqualToThreshold', [9, 10, 11], ['ALARM', 'ALARM', 'OK']],
  ] as const)(
    'the evaluation compares a value with the threshold by the operator %s',
    (comparison, values, states) => {
      const one = condition({ comparison, datapointsToAlarm: 1 });
      expect(values.map((value) => evaluate(one, [value])?.state)).toEqual(states);
    },
  );
});

/** In the tables, `=` means that the alarm keeps its state. */
const TABLE: readonly [string, needed: number, ...states: string[]][] = [
  // Columns: datapoints, datapoints needed for ALARM, then the state for missing, ignore, breaching
  // and notBreaching.
  ['000', 3, 'OK', 'OK', 'OK', 'OK'],
  ['XXX', 3, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0XX', 3, 'OK', 'OK', 'OK', 'OK'],
  ['XX0', 3, 'OK', 'OK', 'OK', 'OK'],
  ['0XX', 2, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['X0X', 2, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['00X', 2, 'OK', 'OK', 'OK', 'OK'],
  ['---', 3, 'INSUFFICIENT_DATA', '=', 'ALARM', 'OK'],
  ['---', 1, 'INSUFFICIENT_DATA', '=', 'ALARM', 'OK'],
  ['--X', 3, '=', '=', 'ALARM', 'OK'],
  ['X--', 3, '=', '=', 'ALARM', 'OK'],
  ['-XX', 3, '=', '=', 'ALARM', 'OK'],
  ['--X', 1, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['-XX', 2, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['--0', 3, 'OK', 'OK', 'OK', 'OK'],
  ['0--', 2, '=', '=', 'ALARM', 'OK'],
  ['00-', 2, 'OK', 'OK', 'OK', 'OK'],
  ['0X-', 2, '=', '=', 'ALARM', 'OK'],
  ['-', 1, 'INSUFFICIENT_DATA', '=', 'ALARM', 'OK'],
];

describe('[alarm-10] missing data in alarms', () => {
  const treatments: readonly TreatMissingData[] = [
    'missing',
    'ignore',
    'breaching',
    'notBreaching',
  ];
  const cells = TABLE.flatMap(([text, needed, ...states]) =>
    treatments.map((treatment, index) => [text, needed, treatment, states[index] ?? ''] as const),
  );
  it.each(cells)(
    'the periods %s, with %d required and missing data treated as %s, result in the state %s',
    (text, datapointsToAlarm, treatMissingData, state) => {
      const verdict = evaluate(
        condition({ datapointsToAlarm, treatMissingData }),
        datapoints(text),
      );
      expect(verdict?.state ?? '=').toBe(state);
    },
  );
});

describe('properties of the evaluation', () => {
  const conditions = fc.record({
    metric: fc.constant('NumberOfObjects' as const),
    statistic: fc.constant('Maximum' as const),
    comparison: fc.constantFrom(...COMPARISONS),
    threshold: fc.integer({ min: -5, max: 5 }),
    datapointsToAlarm: fc.integer({ min: 1, max: 6 }),
    treatMissingData: fc.constantFrom(...MISSING_DATA),
  });
  const values = fc.integer({ min: -6, max: 6 });
  const gaps = fc.array(fc.option(values, { nil: undefined }), { minLength: 6, maxLength: 6 });
  const whole = fc.array(values, { minLength: 6, maxLength: 6 });

  test('[alarm-9] an alarm is in the state ALARM exactly if enough periods breach the threshold, when no data is missing', () => {
    fc.assert(
      fc.property(conditions, whole, (given, points) => {
        const each = { ...given, datapointsToAlarm: 1 };
        const breaching = points.filter((value) => evaluate(each, [value])?.state === 'ALARM');
        const expected = breaching.length >= given.datapointsToAlarm ? 'ALARM' : 'OK';
        expect(evaluate(given, points)?.state).toBe(expected);
      }),
    );
  });

  test('the evaluation decides on the same alarm state for any values in place of the missing data', () => {
    fc.assert(
      fc.property(conditions, gaps, values, (given, points, filling) => {
        fc.pre(given.treatMissingData === 'missing' || given.treatMissingData === 'ignore');
        const verdict = evaluate(given, points);
        fc.pre(verdict !== undefined && verdict.state !== 'INSUFFICIENT_DATA');
        const filled = points.map((value) => value ?? filling);
        expect(evaluate(given, filled)?.state).toBe(verdict?.state);
      }),
    );
  });

  test('the evaluation decides on the same state for any order of the periods', () => {
    fc.assert(
      fc.property(conditions, gaps, (given, points) => {
        expect(evaluate(given, points.toReversed())?.state).toBe(evaluate(given, points)?.state);
      }),
    );
  });

  test('the evaluation returns one of the three alarm states, with a reason', () => {
    fc.assert(
      fc.property(conditions, gaps, (given, points) => {
        const verdict = evaluate(given, points);
        fc.pre(verdict !== undefined);
        expect(ALARM_STATES).toContain(verdict?.state);
        expect(verdict?.reason).not.toBe('');
      }),
    );
  });
});

test('the evaluation states the condition and at most the five newest values in the reason of an alarm state', () => {
  const points = datapoints('000XXX-');
  const verdict = evaluate(condition({ treatMissingData: 'breaching' }), points);
  expect(verdict?.reason).toBe(
    '4 of the last 7 periods with Average of BucketSizeBytes > 10, 3 needed for ALARM: …, 10, 11, 11, 11, none (breaching)',
  );
});
