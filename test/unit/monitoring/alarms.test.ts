/** Tests of alarms over time: states, disabled monitoring, history and actions. */

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { MAX_HISTORY, MAX_PENDING } from '../../../src/monitoring/alarm-table.ts';
import { MAX_BEGUN, RETRY_AFTER_MS } from '../../../src/monitoring/dispatcher.ts';
import { openMonitoring } from '../../../src/monitoring/monitoring.ts';
import { Tables } from '../../../src/monitoring/tables.ts';
import {
  alarmDefinition,
  type MonitoringBench,
  monitoringBench,
  NO_ACTIONS,
} from '../../helpers/alarms.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const LOG = { type: 'log' } as const;
const ALL_LOG = { OK: [LOG], ALARM: [LOG], INSUFFICIENT_DATA: [LOG] };

const add = (bench: MonitoringBench, members: Parameters<typeof alarmDefinition>[0] = {}) =>
  bench.monitoring.putAlarm(alarmDefinition(members), { replace: false });

const stateOf = ({ monitoring }: MonitoringBench, name = 'full') => monitoring.alarm(name).state;

const entries = ({ monitoring }: MonitoringBench, name = 'full') =>
  monitoring.history(name, { limit: 1000 }).map(({ summary }) => summary);

/** Returns the alarm states whose actions ran. */
const done = ({ performed }: MonitoringBench) => performed.map(({ transition }) => transition.to);

describe('[alarm-11] the state of an alarm', () => {
  it('the daemon starts an alarm with INSUFFICIENT_DATA and sets it to OK or ALARM after the first period', async () => {
    const bench = monitoringBench();
    add(bench);
    expect(stateOf(bench)).toBe('INSUFFICIENT_DATA');
    await bench.minutes(1);
    expect(stateOf(bench)).toBe('OK');
    bench.setBytes(101);
    await bench.minutes(1);
    expect(stateOf(bench)).toBe('ALARM');
    bench.setBytes(100);
    await bench.minutes(1);
    expect(stateOf(bench)).toBe('OK');
    expect(bench.published).toEqual(['full INSUFFICIENT_DATA', 'full OK', 'full ALARM', 'full OK']);
  });

  it('the daemon evaluates the configured number of periods', async () => {
    const bench = monitoringBench();
    add(bench, { evaluationPeriods: 3, datapointsToAlarm: 2, periodMs: 120_000 });
    bench.setBytes(101);
    await bench.minutes(2);
    expect(stateOf(bench)).toBe('INSUFFICIENT_DATA');
    await bench.minutes(2);
    expect(stateOf(bench)).toBe('ALARM');
    bench.setBytes(0);
    await bench.minutes(2);
    expect(stateOf(bench)).toBe('ALARM');
    await bench.minutes(2);
    expect(stateOf(bench)).toBe('OK');
  });

  it('the daemon evaluates each alarm by its own metric and statistic', async () => {
    const bench = monitoringBench();
    const watch = (name: string, members: object) =>
      add(bench, { name, evaluationPeriods: 1, periodMs: 120_000, ...members });
    watch('least', { statistic: 'Minimum', threshold: 4, comparison: 'LessThanThreshold' });
    watch('most', { statistic: 'Maximum', threshold: 6, comparison: 'GreaterThanThreshold' });
    watch('sum', { statistic: 'Sum', threshold: 10, comparison: 'GreaterThanOrEqualToThreshold' });
    watch('count', { statistic: 'SampleCount', threshold: 2, comparison: 'LessThanThreshold' });
    watch('objects', {
      metric: 'NumberOfObjects',
      threshold: 5,
      comparison: 'GreaterThanOrEqualToThreshold',
    });
    bench.setBytes(3);
    await bench.minutes(1);
    bench.setBytes(7);
    await bench.minutes(1);
    const states = bench.monitoring.alarms().map(({ name, state }) => `${name} ${state}`);
    expect(states).toEqual(['count OK', 'least ALARM', 'most ALARM', 'objects ALARM', 'sum ALARM']);
  });

  it('the daemon keeps the state of an alarm across a restart, even after a long stop', async () => {
    const bench = monitoringBench();
    add(bench, { evaluationPeriods: 2, datapointsToAlarm: 1 });
    bench.setBytes(200);
    await bench.minutes(2);
    await bench.reopen();
    expect(stateOf(bench)).toBe('ALARM');
    await bench.close();
    bench.clock.advance(600_000);
    await bench.reopen();
    await bench.minutes(1);
    expect(stateOf(bench)).toBe('ALARM');
  });

  it('the daemon evaluates an alarm with a period of seconds at that interval', () => {
    const bench = monitoringBench();
    add(bench, { periodMs: 10_000 });
    bench.clock.advance(10_000);
    expect(stateOf(bench)).toBe('OK');
    bench.setBytes(101);
    bench.clock.advance(10_000);
    expect(stateOf(bench)).toBe('ALARM');
  });
});

describe('[alarm-13] alarms while monitoring of the bucket is off', () => {
  it('the daemon keeps the state of an alarm and runs no actions while monitoring is off', async () => {
    const bench = monitoringBench();
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    bench.monitoring.setMonitored('box', false);
    bench.setBytes(500);
    await bench.minutes(5);
    expect(bench.monitoring.alarm('full')).toMatchObject({ state: 'OK', monitored: false });
    expect(done(bench)).toEqual(['OK']);
    bench.monitoring.setMonitored('box', true);
    await bench.minutes(1);
    expect(bench.monitoring.alarm('full')).toMatchObject({ state: 'ALARM', monitored: true });
    expect(done(bench)).toEqual(['OK', 'ALARM']);
    expect(bench.published).toEqual([
      'full INSUFFICIENT_DATA',
      'full OK',
      'full asleep',
      'full OK',
      'full ALARM',
    ]);
  });

  it('the daemon accepts a new alarm while monitoring is off, but refuses to set its state', () => {
    const bench = monitoringBench();
    bench.monitoring.setMonitored('box', false);
    expect(add(bench)).toMatchObject({ monitored: false, state: 'INSUFFICIENT_DATA' });
    const set = () => bench.monitoring.setState('full', { state: 'ALARM', reason: 'a trial' });
    expect(set).toThrow('monitoring of box is off');
  });
});

describe('[alarm-14] actions of an alarm', () => {
  it('the daemon runs the actions for the new state of an alarm once, when the state changes', async () => {
    const bench = monitoringBench();
    add(bench, { actions: { ...NO_ACTIONS, ALARM: [LOG, { type: 'notification' }] } });
    bench.setBytes(101);
    await bench.minutes(5);
    expect(bench.performed.map(({ action }) => action.type)).toEqual(['log', 'notification']);
    expect(bench.performed[0]?.transition).toMatchObject({
      from: 'INSUFFICIENT_DATA',
      to: 'ALARM',
      isTest: false,
      alarm: { name: 'full', bucket: 'box', threshold: 100 },
    });
    expect(entries(bench)).toEqual([
      'ALARM, notification: done: done',
      'ALARM, log: done: done',
      expect.stringContaining('INSUFFICIENT_DATA to ALARM: 1 of the last 1 period with'),
      'added',
    ]);
  });

  it('the daemon records a permanent failure of an alarm action and does not retry it', async () => {
    const bench = monitoringBench();
    bench.perform = () => Promise.resolve({ ok: false, said: 'exit code 1' });
    add(bench, { actions: ALL_LOG });
    await bench.minutes(3);
    expect(done(bench)).toEqual(['OK']);
    expect(entries(bench)[0]).toBe('OK, log: failed: exit code 1');
  });

  it('the daemon retries alarm actions at growing intervals and then abandons them', async () => {
    const bench = monitoringBench();
    const startedAt = bench.clock.now();
    const at: number[] = [];
    bench.perform = () => {
      at.push(bench.clock.now() - startedAt - 60_000);
      return Promise.resolve({ ok: false, said: 'status 503', mayRetry: true });
    };
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    for (const wait of RETRY_AFTER_MS) {
      bench.clock.advance(wait);
      await bench.minutes(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await bench.minutes(60);
    expect(at).toEqual([0, 1000, 6000, 36_000, 156_000, 756_000]);
    expect(entries(bench).filter((entry) => entry.includes('retry in'))).toHaveLength(5);
    expect(entries(bench)[0]).toBe('OK, log: failed: status 503');
  });

  it('[alarm-15] the daemon runs alarm actions again that a crash interrupted, with the same transition id', async () => {
    const bench = monitoringBench();
    bench.perform = (_action, _transition, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    bench.perform = () => Promise.resolve({ ok: true, said: 'sent' });
    await bench.reopen();
    expect(done(bench)).toEqual(['OK', 'OK']);
    expect(bench.performed[1]?.transition.id).toBe(bench.performed[0]?.transition.id);
    expect(entries(bench)[0]).toBe('OK, log: done: sent');
    await bench.reopen();
    expect(bench.performed).toHaveLength(2);
  });

  it('the daemon abandons an alarm action that is interrupted at each start', async () => {
    const bench = monitoringBench();
    bench.perform = (_action, _transition, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    for (let start = 0; start < MAX_BEGUN + 2; start += 1) await bench.reopen();
    expect(bench.performed).toHaveLength(MAX_BEGUN);
    expect(entries(bench)[0]).toContain('given up');
  });

  it('the daemon limits the number of queued alarm actions', async () => {
    const bench = monitoringBench();
    bench.perform = () => Promise.resolve({ ok: false, said: 'busy', mayRetry: true });
    const five = Array.from({ length: 5 }, () => LOG);
    add(bench, { actions: { OK: five, ALARM: five, INSUFFICIENT_DATA: five } });
    for (let change = 0; change < MAX_PENDING / 5 + 1; change += 1) {
      const state = change % 2 === 0 ? 'ALARM' : 'OK';
      bench.monitoring.setState('full', { state, reason: 'it flutters' });
    }
    expect(entries(bench)).toContain(`skipped: ${MAX_PENDING} actions are pending`);
  });

  it('the daemon does not run the pending actions of a removed alarm', async () => {
    const bench = monitoringBench();
    bench.perform = () => Promise.resolve({ ok: false, said: 'busy', mayRetry: true });
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    bench.monitoring.removeAlarm('full');
    await bench.minutes(10);
    expect(done(bench)).toEqual(['OK']);
  });
});

describe('[alarm-16] manual changes of an alarm', () => {
  it('the daemon runs the actions of an alarm when its state is set, and keeps the state until the next period', async () => {
    const bench = monitoringBench();
    add(bench, { actions: ALL_LOG });
    await bench.minutes(1);
    bench.monitoring.setState('full', { state: 'ALARM', reason: 'a trial' });
    await bench.minutes(0);
    expect(stateOf(bench)).toBe('ALARM');
    await bench.minutes(1);
    expect(stateOf(bench)).toBe('OK');
    expect(done(bench)).toEqual(['OK', 'ALARM', 'OK']);
    expect(entries(bench)).toContain('OK to ALARM: a trial');
  });

  it('the daemon tests the actions for an alarm state without changing the state', async () => {
    const bench = monitoringBench();
    add(bench, {
      actions: { ...NO_ACTIONS, ALARM: [LOG, { type: 'command', argv: ['/bin/mail', 'me'] }] },
    });
    bench.perform = ({ type }) => Promise.resolve({ ok: type === 'log', said: 'so it is' });
    const outcomes = await bench.monitoring.testActions(
      'full',
      'ALARM',
      new AbortController().signal,
    );
    expect(outcomes).toEqual([
      { action: 'log', ok: true, said: 'so it is' },
      { action: 'command /bin/mail', ok: false, said: 'so it is' },
    ]);
    expect(bench.performed.every(({ transition }) => transition.isTest)).toBe(true);
    expect(stateOf(bench)).toBe('INSUFFICIENT_DATA');
    expect(entries(bench).toSorted()).toEqual([
      'added',
      'test of ALARM, command /bin/mail: failed: so it is',
      'test of ALARM, log: done: so it is',
    ]);
  });
});

describe('acknowledged alarms', () => {
  const raised = async () => {
    const bench = monitoringBench();
    add(bench);
    bench.setBytes(101);
    await bench.minutes(1);
    return bench;
  };

  it('the daemon keeps an alarm acknowledged until its state changes', async () => {
    const bench = await raised();
    expect(bench.monitoring.acknowledge('full').acknowledgedAt).toBe(bench.clock.now());
    expect(entries(bench)[0]).toBe('acknowledged');
    await bench.minutes(1);
    expect(bench.monitoring.alarm('full').acknowledgedAt).toBeDefined();
    bench.setBytes(1);
    await bench.minutes(1);
    expect(bench.monitoring.alarm('full').acknowledgedAt).toBeUndefined();
  });

  it('the daemon records a repeated acknowledgment of an alarm only once', async () => {
    const bench = await raised();
    bench.monitoring.acknowledge('full');
    bench.monitoring.acknowledge('full');
    expect(entries(bench).filter((entry) => entry === 'acknowledged')).toHaveLength(1);
  });

  it('the daemon accepts an acknowledgment only for an alarm in the state ALARM', () => {
    const bench = monitoringBench();
    add(bench);
    expect(() => bench.monitoring.acknowledge('full')).toThrow('its state is INSUFFICIENT_DATA');
  });
});

describe('stored alarms', () => {
  it('the daemon refuses to add an alarm with an existing name unless it replaces the alarm', async () => {
    const bench = monitoringBench();
    add(bench);
    await bench.minutes(1);
    expect(() => add(bench)).toThrow('it exists already');
    bench.monitoring.putAlarm(alarmDefinition({ threshold: 5 }), { replace: true });
    expect(bench.monitoring.alarm('full')).toMatchObject({ threshold: 5, state: 'OK' });
    expect(entries(bench)[0]).toBe('replaced');
  });

  it('the daemon accepts up to 100 alarms in a store', () => {
    const bench = monitoringBench();
    for (let index = 0; index < 100; index += 1) add(bench, { name: `alarm-${index}` });
    expect(() => add(bench, { name: 'one-more' })).toThrow('the limit');
  });

  it('the daemon deletes the alarms with their bucket and has none for a new bucket with the same name', async () => {
    const bench = monitoringBench();
    add(bench);
    bench.buckets.set('box', { bucketId: 2, bytes: 0, objects: 0 });
    expect(bench.monitoring.alarms()).toEqual([]);
    expect(bench.published).toEqual(['full INSUFFICIENT_DATA', 'full removed']);
    expect(() => bench.monitoring.alarm('full')).toThrow('unknown alarm "full"');
  });

  it('the daemon refuses an alarm for a missing bucket', () => {
    const bench = monitoringBench();
    expect(() => add(bench, { bucket: 'none' })).toThrow('unknown bucket "none"');
  });

  it('[alarm-17] the daemon limits the length of the alarm history and lists it newest first, in pages', () => {
    const bench = monitoringBench();
    add(bench);
    for (let change = 0; change < MAX_HISTORY + 10; change += 1) {
      bench.monitoring.setState('full', {
        state: change % 2 === 0 ? 'ALARM' : 'OK',
        reason: `${change}`,
      });
    }
    const all = bench.monitoring.history('full', { limit: 2000 });
    expect(all).toHaveLength(MAX_HISTORY);
    expect(all[0]?.summary).toContain(`${MAX_HISTORY + 9}`);
    const [, second] = all;
    const page = bench.monitoring.history('full', { limit: 2, before: all[0]?.id ?? 0 });
    expect(page[0]).toEqual(second);
  });

  it('the daemon requires that the secret file of a webhook is readable and private', () => {
    const bench = monitoringBench();
    const secretFile = join(temporaryFolder('secret'), 'header');
    const hook = { type: 'webhook', url: 'https://example.com/', secretFile } as const;
    const addHook = () => add(bench, { actions: { ...NO_ACTIONS, ALARM: [hook] } });
    expect(addHook).toThrow('cannot use secret header');
    writeFileSync(secretFile, 'authorization: Bearer abc\n', { mode: 0o644 });
    chmodSync(secretFile, 0o644);
    expect(addHook).toThrow('other users can read it');
    chmodSync(secretFile, 0o600);
    expect(addHook).not.toThrow();
  });
});

test('the daemon continues to evaluate alarms after an evaluation failed', () => {
  const bench = monitoringBench();
  add(bench);
  const { buckets } = bench;
  const box = buckets.get('box');
  Object.defineProperty(box, 'bytes', { value: Number.NaN, configurable: true });
  bench.clock.advance(120_000);
  expect(stateOf(bench)).toBe('INSUFFICIENT_DATA');
  bench.setBytes(5);
  bench.clock.advance(60_000);
  expect(stateOf(bench)).toBe('OK');
});

test('the daemon sets a damaged alarm file aside and starts monitoring without alarms', async () => {
  const path = join(temporaryFolder('monitoring'), 'monitoring.sqlite');
  writeFileSync(path, 'not a database, and longer than the header of a database'.repeat(20));
  const { clock } = monitoringBench();
  const opened = () =>
    openMonitoring({
      path,
      clock,
      logger: silentLogger,
      numbersOf: () => undefined,
      perform: () => Promise.resolve({ ok: true, said: '' }),
    });
  const first = opened();
  expect(first.warnings()).toEqual([expect.stringContaining(`${path}.damaged`)]);
  await first.close();
  expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('not a database');
  const second = opened();
  expect(second.warnings()).toEqual([]);
  await second.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('the daemon refuses an alarm file that a later release wrote and does not change the file', () => {
  const path = join(temporaryFolder('monitoring'), 'monitoring.sqlite');
  const database = new Database(path);
  database.pragma('user_version = 99');
  database.close();
  expect(() => new Tables(path)).toThrow('has format 99, and this Holdfast reads up to 3');
});

test('[alarm-15] the daemon records an alarm action on disk as started while it runs', async () => {
  const path = join(temporaryFolder('monitoring'), 'monitoring.sqlite');
  const { clock } = monitoringBench();
  const seen: unknown[] = [];
  const monitoring = openMonitoring({
    path,
    clock,
    logger: silentLogger,
    numbersOf: () => ({ bucketId: 1, BucketSizeBytes: 500, NumberOfObjects: 1 }),
    perform: async () => {
      const other = new Tables(path);
      seen.push(...other.alarms.pending().map(({ attempts, action }) => [attempts, action.type]));
      other.close();
      return { ok: true, said: 'done' };
    },
  });
  onTestFinished(() => monitoring.close());
  monitoring.start();
  monitoring.setMonitored('box', true);
  monitoring.putAlarm(alarmDefinition({ actions: ALL_LOG }), { replace: false });
  clock.advance(60_000);
  await until(
    () => monitoring.history('full', { limit: 5 }).length,
    (entries) => entries === 3,
  );
  expect(seen).toEqual([[1, 'log']]);
});
