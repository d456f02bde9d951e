/** Alarm definitions and a monitoring instance for tests, with a fake clock and bucket sizes that the test sets. */

import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { silentLogger } from '../../src/base/logger.ts';
import type { Outcome } from '../../src/monitoring/actions/outcome.ts';
import type { AlarmAction, AlarmDefinition, Transition } from '../../src/monitoring/alarm.ts';
import {
  openMonitoring,
  type AlarmEvents,
  type Monitoring,
} from '../../src/monitoring/monitoring.ts';
import { FakeClock } from './fake-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const NO_ACTIONS: AlarmDefinition['actions'] = { OK: [], ALARM: [], INSUFFICIENT_DATA: [] };

/** Returns an alarm that is in state ALARM if the bucket contains more than 100 bytes at the end of a minute. */
export function alarmDefinition(members: Partial<AlarmDefinition> = {}): AlarmDefinition {
  return {
    name: 'full',
    bucket: 'box',
    metric: 'BucketSizeBytes',
    statistic: 'Average',
    comparison: 'GreaterThanThreshold',
    threshold: 100,
    periodMs: 60_000,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    treatMissingData: 'missing',
    actions: NO_ACTIONS,
    ...members,
  };
}

interface Performed {
  readonly action: AlarmAction;
  readonly transition: Transition;
}

export interface MonitoringBench {
  readonly clock: FakeClock;
  readonly monitoring: Monitoring;
  readonly performed: Performed[];
  /**
   * Events `alarm.changed` and `alarm.removed`, as `NAME STATE`, `NAME asleep` (bucket not monitored) or `NAME
   * removed`.
   */
  readonly published: string[];
  /** Id, size in bytes and object count of each existing bucket, by name. */
  readonly buckets: Map<string, { bucketId: number; bytes: number; objects: number }>;
  /** Performs an alarm action and returns its outcome. By default every action succeeds. */
  perform: (action: AlarmAction, transition: Transition, signal: AbortSignal) => Promise<Outcome>;
  readonly setBytes: (bytes: number) => void;
  /** Advances the clock by `count` minutes, minute by minute, and waits for timers and actions. */
  minutes(count: number): Promise<void>;
  /** Closes monitoring and opens it again, as after a restart of the process. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Opens monitoring with one monitored bucket, `box`. Call it inside a test: it registers the cleanup. */
export function monitoringBench(clock = new FakeClock()): MonitoringBench {
  const path = join(temporaryFolder('monitoring'), 'monitoring.sqlite');
  const performed: Performed[] = [];
  const published: string[] = [];
  const buckets: MonitoringBench['buckets'] = new Map([
    ['box', { bucketId: 1, bytes: 0, objects: 0 }],
  ]);
  const events: AlarmEvents = {
    changed: ({ name, state, monitored }) =>
      published.push(`${name} ${monitored ? state : 'asleep'}`),
    removed: (name) => published.push(`${name} removed`),
  };
  const open = () => {
    const monitoring = openMonitoring({
      path,
      clock,
      logger: silentLogger,
      numbersOf: (name) => {
        const bucket = buckets.get(name);
        return (
          bucket && {
            bucketId: bucket.bucketId,
            BucketSizeBytes: bucket.bytes,
            NumberOfObjects: bucket.objects,
          }
        );
      },
      perform: (action, transition, signal) => {
        performed.push({ action, transition });
        return bench.perform(action, transition, signal);
      },
    });
    monitoring.start(events);
    return monitoring;
  };
  let monitoring = open();
  let isOpen = true;
  const bench: MonitoringBench = {
    clock,
    performed,
    published,
    buckets,
    get monitoring() {
      return monitoring;
    },
    perform: () => Promise.resolve({ ok: true, said: 'done' }),
    setBytes: (bytes) => void buckets.set('box', { bucketId: 1, bytes, objects: bytes }),
    async minutes(count) {
      for (let minute = 0; minute < count; minute += 1) {
        clock.advance(60_000);
        await settled();
      }
    },
    async close() {
      if (isOpen) await monitoring.close();
      isOpen = false;
    },
    async reopen() {
      await bench.close();
      monitoring = open();
      isOpen = true;
      await settled();
    },
  };
  onTestFinished(() => bench.close());
  monitoring.setMonitored('box', true);
  return bench;
}

/** Waits five turns of the event loop, so that started actions can end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
