/**
 * Tests of job alerts. Each is sent once when its cause begins and once when the cause ends, also
 * across restarts.
 */

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type AlertKind, alertsOf } from '../../../daemon/alerts/judge.ts';
import { JobAlerts } from '../../../daemon/alerts/job-alerts.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { AlertsConfig } from '../../../src/config/alerts.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Notice } from '../../../src/monitoring/actions/notice.ts';
import { done, failedForNow } from '../../../src/monitoring/actions/outcome.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobStatus } from '../../helpers/job-status.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const CONFIG: AlertsConfig = {
  lagMinutes: 60,
  freshnessHours: 48,
  provenDays: 7,
  actions: [{ type: 'log' }],
};
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const MOMENT = { now: NOW, startedAt: NOW - 100 * 24 * HOUR_MS };

const fine = (members: Partial<JobStatus> = {}) =>
  jobStatus({
    name: 'documents',
    state: 'watching',
    inSync: true,
    lastFullRoundAt: NOW,
    ...members,
  });
const COUNTS = jobStatus().counts;
const PROOF: NonNullable<JobStatus['proof']> = {
  lastProvenRestorableAt: NOW,
  drillFailures: 0,
  verifiedShare: 1,
  damagedEarlier: 0,
  damaged: 0,
  bytesPerDay: 0,
};
const LOCKS: NonNullable<JobStatus['locks']> = {
  locked: 1,
  bytes: 1,
  unlocked: 0,
  firstLapseDays: 30,
  renewalsDue: 0,
  failing: 0,
  released: 0,
  deferred: 0,
  retained: 0,
  renewalRight: 'proven',
};

describe('the alerts of a job', () => {
  test.each<[string, Partial<JobStatus>, readonly AlertKind[]]>([
    ['without problems', { proof: PROOF, locks: LOCKS }, []],
    ['that transfers files', { state: 'mirroring', inSync: false, lagMs: HOUR_MS }, []],
    [
      'whose transfers are late',
      { state: 'mirroring', inSync: false, lagMs: HOUR_MS + 1 },
      ['lag'],
    ],
    ['that is paused', { state: 'paused', inSync: false }, []],
    ['that failed', { state: 'failed', reason: 'no way to it\nat all' }, ['stopped']],
    ['whose root is missing', { state: 'root missing' }, ['stopped']],
    ['that stopped because of a clock difference', { state: 'clock' }, ['stopped']],
    ['with only held changes', { state: 'held' }, ['held']],
    [
      'that transfers files and has held changes',
      { state: 'mirroring', counts: { ...COUNTS, held: 9 } },
      ['held'],
    ],
    ['with a conflict', { counts: { ...COUNTS, conflicts: 1, held: 1, heldConflicts: 1 } }, []],
    [
      'under attack',
      { brake: { alarmSince: NOW, reason: 'files are encrypted', rejectedOverwrites: 0 } },
      ['held'],
    ],
    [
      'whose last full sync round is too old, although a round for file events has just ended',
      { lastFullRoundAt: NOW - 48 * HOUR_MS - 1, lastRoundAt: NOW },
      ['freshness'],
    ],
    ['whose locks expire in one day', { locks: { ...LOCKS, firstLapseDays: 1 } }, []],
    ['whose locks have expired', { locks: { ...LOCKS, firstLapseDays: 0 } }, ['locks']],
    [
      'whose locks may not be extended',
      { locks: { ...LOCKS, renewalRight: 'refused' } },
      ['locks'],
    ],
    ['whose locks cannot be extended', { locks: { ...LOCKS, failing: 1 } }, ['locks']],
    ['whose objects are damaged', { proof: { ...PROOF, damaged: 1 } }, ['damaged']],
    [
      'that has passed no restore test for a week',
      { proof: { ...PROOF, lastProvenRestorableAt: NOW - 7 * 24 * HOUR_MS - 1 } },
      ['unproven'],
    ],
  ])('the daemon raises the expected alerts for a job %s', (_, members, kinds) => {
    const alerts = alertsOf(fine(members), CONFIG, MOMENT);
    expect(alerts.map(({ kind }) => kind)).toEqual(kinds);
    for (const { reason } of alerts) expect(reason).not.toMatch(/\p{Cc}/u);
  });
});

function openBench({ file = join(temporaryFolder('alerts'), 'alerts.json') } = {}) {
  const clock = new FakeClock(NOW);
  const returned: Notice[] = [];
  const beats: string[] = [];
  const state = { status: fine(), outcome: done('told'), heartbeatUrl: 'http://a/b' };
  const open = () =>
    new JobAlerts({
      jobs: () => [{ status: state.status, heartbeatUrl: state.heartbeatUrl }],
      config: () => CONFIG,
      perform: async (_, notice) => {
        returned.push(notice);
        return state.outcome;
      },
      beat: async (url) => {
        beats.push(url);
        return done('status 200');
      },
      file,
      clock,
      logger: silentLogger,
    });
  const alerts = open();
  onTestFinished(() => alerts.close());
  const states = () => returned.map(({ document }) => [document['kind'], document['state']]);
  const late = () => fine({ state: 'mirroring', inSync: false, lagMs: 2 * HOUR_MS });
  return { clock, returned, beats, state, alerts, open, states, late };
}

describe('sending of alerts', () => {
  test('the daemon sends a job alert once when its cause begins and once when the cause ends', async () => {
    const { alerts, state, states, late, returned } = openBench();
    alerts.look();
    expect(returned).toEqual([]);
    state.status = late();
    alerts.look();
    alerts.look();
    expect(states()).toEqual([['lag', 'alert']]);
    expect(alerts.standing()).toMatchObject([{ job: 'documents', kind: 'lag' }]);
    state.status = fine();
    alerts.look();
    expect(states()).toEqual([
      ['lag', 'alert'],
      ['lag', 'over'],
    ]);
    expect(alerts.standing()).toEqual([]);
  });

  test('the daemon sends an alert about held deletes only once while their number grows, and lists the alert with the current number', () => {
    const { alerts, state, returned } = openBench();
    const held = (count: number) => fine({ state: 'held', reason: `${count} deletes are held` });
    for (const count of [51, 80]) {
      state.status = held(count);
      alerts.look();
    }
    expect(returned).toHaveLength(1);
    expect(alerts.standing()).toMatchObject([{ kind: 'held', reason: '80 deletes are held' }]);
    state.status = fine({ state: 'starting' });
    expect(alerts.standing()).toMatchObject([{ kind: 'held' }]);
    // The cause of the alert has ended, although the message about its end was not sent yet.
    state.status = fine();
    expect([alerts.standing(), returned.length]).toEqual([[], 1]);
  });

  test('the daemon does not send an alert again after a restart, but reports when the cause of the alert has ended', async () => {
    const { alerts, open, state, states, late } = openBench();
    state.status = late();
    alerts.look();
    await alerts.close();
    const again = open();
    onTestFinished(() => again.close());
    again.look();
    expect(states()).toEqual([['lag', 'alert']]);
    state.status = fine({ state: 'starting', inSync: false });
    again.look();
    expect(states()).toHaveLength(1);
    state.status = fine();
    again.look();
    expect(states()).toHaveLength(2);
  });

  test('the daemon sends an alert again if a stop interrupted the sending', async () => {
    const { alerts, open, state, returned, late } = openBench();
    state.status = late();
    state.outcome = failedForNow('away');
    alerts.look();
    await alerts.close();
    const again = open();
    onTestFinished(() => again.close());
    again.look();
    expect(returned).toHaveLength(2);
  });

  test('the daemon retries an alert while the receiver is unreachable', async () => {
    const { alerts, clock, state, returned, late } = openBench();
    state.status = late();
    state.outcome = failedForNow('away');
    alerts.look();
    await setImmediate();
    for (const ms of [1_000, 5_000]) {
      clock.advance(ms);
      await setImmediate();
    }
    expect(returned).toHaveLength(3);
    expect(new Set(returned.map(({ document }) => document.id)).size).toBe(1);
  });

  test('the daemon sends no alert for a service outage of less than 10 minutes', () => {
    const { alerts, clock, state, states } = openBench();
    state.status = fine({ state: 'failed', inSync: false, reason: 'away' });
    alerts.look();
    clock.advance(9 * 60_000);
    alerts.look();
    expect(states()).toEqual([]);
    clock.advance(60_000);
    alerts.look();
    expect(states()).toEqual([['stopped', 'alert']]);
  });

  test('the daemon sends a test message for each alert action of a job and returns the result', async () => {
    const { alerts, returned } = openBench();
    const [outcome] = await alerts.test('documents');
    expect(outcome).toMatchObject({ action: 'log', said: { ok: true } });
    expect(returned[0]).toMatchObject({ title: 'Test: documents: needs attention' });
  });
});

describe('heartbeats of a job', () => {
  test('the daemon sends a heartbeat every five minutes, only while the job is healthy', () => {
    const { alerts, beats, clock, state, late } = openBench();
    alerts.look();
    alerts.look();
    expect(beats).toEqual(['http://a/b']);
    clock.advance(5 * 60_000);
    alerts.look();
    expect(beats).toHaveLength(2);
    state.status = late();
    clock.advance(5 * 60_000);
    alerts.look();
    state.status = fine({ state: 'paused', inSync: false });
    alerts.look();
    expect(beats).toHaveLength(2);
  });
});
