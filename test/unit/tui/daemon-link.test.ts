/** Tests of the connection of the dashboard to the daemon. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { DaemonLink } from '../../../tui/data/daemon-link.ts';
import { watchSocket } from '../../../tui/data/socket-watch.ts';

test('the dashboard subscribes to all event types that the listeners need and first requests missed activity', async () => {
  const daemon = new SeededDaemon({});
  const link = new DaemonLink({ connect: daemon.connect, clock: new FakeClock() });
  link.listen(['activity'], () => undefined);
  const stop = link.listen(['job.transfers', 'job.changed'], () => undefined);
  await link.connect();
  stop();
  expect(daemon.asked.map(({ params }) => params)).toEqual([
    { after: 0, types: ['activity'] },
    { types: ['activity', 'job.changed', 'job.transfers'] },
    { types: ['activity'] },
  ]);
  link.close();
});

test('the dashboard resumes after the last received event when a lost connection is restored', async () => {
  const clock = new FakeClock();
  const daemon = new SeededDaemon({});
  const link = new DaemonLink({ connect: daemon.connect, clock });
  link.listen(['activity'], () => undefined);
  await link.connect();
  const did = { type: 'activity', job: 'photos', level: 'info', action: 'put' } as const;
  daemon.emit({ ...did, message: 'a' });
  daemon.emit({ ...did, message: 'b' });
  daemon.stop();
  expect(link.whyDown).toBe('the daemon is down');
  daemon.down = undefined;
  await link.connect();
  expect(daemon.asked.at(-2)?.params).toEqual({ after: 2, types: ['activity'] });
  link.close();
});

test('the dashboard rejects a request without a connection with the reason and without the name of the method', async () => {
  const link = new DaemonLink({ connect: new SeededDaemon({}).connect, clock: new FakeClock() });
  await expect(link.call('status', {})).rejects.toThrow(/^connecting to the daemon$/);
});

test('the dashboard connects to a restarted daemon within 500 ms, however long the daemon was down', async () => {
  const clock = new FakeClock();
  const daemon = new SeededDaemon({});
  const link = new DaemonLink({ connect: daemon.connect, clock });
  let changes = 0;
  link.onState(() => (changes += 1));
  daemon.stop();
  await link.connect();
  for (let retries = 0; retries < 40; retries += 1) {
    clock.advance(500);
    await settled();
  }
  expect({ isUp: link.isUp, changes }).toEqual({ isUp: false, changes: 1 });
  daemon.down = undefined;
  clock.advance(500);
  await settled();
  expect({ isUp: link.isUp, changes }).toEqual({ isUp: true, changes: 2 });
  link.close();
});

test('the dashboard connects to a started daemon as soon as its socket exists', async () => {
  const socketPath = join(temporaryFolder('link'), 'control.sock');
  const daemon = new SeededDaemon({});
  daemon.stop();
  const link = new DaemonLink({
    connect: daemon.connect,
    clock: new FakeClock(),
    watch: (started) => watchSocket(socketPath, started),
  });
  const isUp = new Promise<void>((resolve) =>
    link.onState(({ kind }) => kind === 'up' && resolve()),
  );
  await link.connect();
  expect(link.isUp).toBe(false);
  daemon.down = undefined;
  writeFileSync(socketPath, '');
  await isUp;
  expect(link.isUp).toBe(true);
  link.close();
});

test('the dashboard retries the connection even if the folder of the socket does not exist', async () => {
  const stop = watchSocket(join(temporaryFolder('link'), 'none', 'control.sock'), () => undefined);
  expect(stop).not.toThrow();
});

test('the dashboard retries the connection to a daemon of another version with delays of up to 8 s', async () => {
  const clock = new FakeClock();
  const daemon = new SeededDaemon({});
  daemon.down = new ControlError('VersionMismatch', 'the daemon has another version');
  const link = new DaemonLink({ connect: daemon.connect, clock });
  await link.connect();
  for (let retries = 0; retries < 10; retries += 1) {
    clock.advance(8_000);
    await settled();
  }
  const { state } = link;
  expect(state.kind === 'down' && state.retryAt - clock.now()).toBe(8_000);
  link.close();
});

/** Waits until a connection attempt has completed, because it needs a few promises. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
