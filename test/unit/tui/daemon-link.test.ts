/** The dashboard's connection to the daemon. */

import { expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { DaemonLink } from '../../../tui/store/daemon-link.ts';

test('a link subscribes to what is listened to, after what jobs did before', async () => {
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

test('a link that is lost goes on behind the last event it heard of', async () => {
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
