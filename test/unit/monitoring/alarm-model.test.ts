/**
 * Property test that compares alarms with a simple model, which tries every way to fill the gaps in
 * the data.
 */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  type AlarmState,
  MISSING_DATA,
  type TreatMissingData,
} from '../../../src/monitoring/alarm.ts';
import { alarmDefinition, monitoringBench } from '../../helpers/alarms.ts';

const THRESHOLD = 100;

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ verb: fc.constant('hold' as const), breaching: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant('wait' as const),
      minutes: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('switch' as const), on: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('stop' as const),
      minutes: fc.integer({ min: 0, max: 4 }),
    }),
  },
);

interface Watch {
  readonly periods: number;
  readonly needed: number;
  readonly treat: TreatMissingData;
}

/** Counts minutes instead of reading a clock, and stores the result of each minute. */
class NaiveAlarm {
  readonly #watch: Watch;
  readonly #breached = new Map<number, boolean>();
  #minute = 0;
  state: AlarmState = 'INSUFFICIENT_DATA';
  readonly entered: AlarmState[] = [];

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  pass(): void {
    this.#minute += 1;
  }

  see(breaching: boolean): void {
    this.#breached.set(this.#minute, breaching);
    this.pass();
    const next = this.#judged();
    if (next !== this.state) this.entered.push(next);
    this.state = next;
  }

  #judged(): AlarmState {
    const { periods, treat } = this.#watch;
    const seen = Array.from({ length: periods }, (_, back) =>
      this.#breached.get(this.#minute - 1 - back),
    );
    if (treat === 'missing' && seen.every((each) => each === undefined)) return 'INSUFFICIENT_DATA';
    const verdicts = new Set(this.#filled(seen).map((all) => this.#verdict(all)));
    const [only] = verdicts;
    return verdicts.size === 1 && only ? only : this.state;
  }

  /** Returns every way in which the gaps may be filled. */
  #filled(seen: readonly (boolean | undefined)[]): boolean[][] {
    const { treat } = this.#watch;
    const fillings =
      treat === 'breaching' ? [true] : treat === 'notBreaching' ? [false] : [true, false];
    return seen.reduce<boolean[][]>(
      (ways, each) =>
        (each === undefined ? fillings : [each]).flatMap((value) =>
          ways.map((way) => [...way, value]),
        ),
      [[]],
    );
  }

  #verdict(all: readonly boolean[]): AlarmState {
    return all.filter(Boolean).length >= this.#watch.needed ? 'ALARM' : 'OK';
  }
}

const watches = fc
  .record({
    periods: fc.integer({ min: 1, max: 4 }),
    needed: fc.integer({ min: 1, max: 4 }),
    treat: fc.constantFrom(...MISSING_DATA),
  })
  .filter(({ periods, needed }) => needed <= periods);

test('[alarm-11] [alarm-14] alarms have the same states and actions as a simple model after any history', async () => {
  const run = async (
    watch: Watch,
    steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  ) => {
    const bench = monitoringBench();
    const naive = new NaiveAlarm(watch);
    const all = [{ type: 'log' }] as const;
    const alarm = alarmDefinition({
      threshold: THRESHOLD,
      evaluationPeriods: watch.periods,
      datapointsToAlarm: watch.needed,
      treatMissingData: watch.treat,
      actions: { OK: all, ALARM: all, INSUFFICIENT_DATA: all },
    });
    bench.monitoring.putAlarm(alarm, { replace: false });
    let [isOn, breaching] = [true, false];
    for (const each of steps) {
      switch (each.verb) {
        case 'hold':
          ({ breaching } = each);
          bench.setBytes(breaching ? THRESHOLD + 1 : THRESHOLD);
          break;
        case 'wait':
          for (let minute = 0; minute < each.minutes; minute += 1) {
            await bench.minutes(1);
            if (isOn) naive.see(breaching);
            else naive.pass();
          }
          break;
        case 'switch':
          isOn = each.on;
          bench.monitoring.setMonitored('box', isOn);
          break;
        default:
          await bench.close();
          bench.clock.advance(each.minutes * 60_000);
          for (let minute = 0; minute < each.minutes; minute += 1) naive.pass();
          await bench.reopen();
      }
      expect(bench.monitoring.alarm('full').state).toBe(naive.state);
      expect(bench.performed.map(({ transition }) => transition.to)).toEqual(naive.entered);
    }
    await bench.close();
  };
  await fc.assert(fc.asyncProperty(watches, fc.array(step, { maxLength: 15 }), run), {
    numRuns: 40,
  });
});
