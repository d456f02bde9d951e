/**
 * Alarm definitions and a monitoring service for tests. The clock is fake, and each test sets the
 * bucket sizes.
 */

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

/**
 * Returns an alarm that changes to the state ALARM if the bucket has more than 100 bytes at the end
 * of a minute.
 */
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
   * Published events in order. `NAME STATE` and `NAME asleep` (the bucket is not monitored) are
   * `alarm.changed` events, and `NAME removed` is an `alarm.removed` event.
   */
  readonly published: string[];
  /** Existing buckets by name, with their id, size in bytes and object count. */
  readonly buckets: Map<string, { bucketId: number; bytes: number; objects: number }>;
  /** Performs an alarm action and returns its outcome. By default every action succeeds. */
  perform: (action: AlarmAction, transition: Transition, signal: AbortSignal) => Promise<Outcome>;
  readonly setBytes: (bytes: number) => void;
  /**
   * Advances the clock by `count` minutes, one minute at a time. Waits for timers and alarm actions
   * after each minute.
   */
  minutes(count: number): Promise<void>;
  /** Closes the monitoring service and opens it again, as a restart of the process does. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a monitoring service for the bucket `box`. Call it inside a test, because it registers its
 * cleanup.
 */
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

/** Waits five turns of the event loop, so that alarm actions that have started can finish. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
