/**
 * Tests of the dashboard as plain text, which prints the state once and then changes, at most every
 * five seconds.
 */

import { expect, test } from 'vitest';

import { ControlError } from '../../../src/control/control-error.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { runPlain } from '../../../tui/plain.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { seededAlarm } from '../../helpers/tui/metric-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

interface Seeded {
  follow?: boolean;
  down?: Error;
  job?: JobStatus;
}

function start({ follow = true, down, job = seededJob() }: Seeded = {}) {
  const daemon = new SeededDaemon({ status: () => ({ ...seededStatus(), jobs: [job] }) });
  daemon.down = down;
  const clock = new FakeClock();
  const lines: string[] = [];
  const abort = new AbortController();
  const write = async (more: readonly string[]) => void lines.push(...more);
  const look = makeLook('mono');
  const ended = runPlain({
    clock,
    look,
    connect: daemon.connect,
    write,
    follow,
    signal: abort.signal,
  });
  const settle = async () => {
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number) => {
    for (let each = 0; each < ms; each += 250) {
      clock.advance(250);
      await settle();
    }
    return lines.splice(0);
  };
  const end = async () => {
    abort.abort();
    await ended;
  };
  return { daemon, lines, pass, settle, end, ended };
}

test('the plain output prints the state once if it does not follow changes', async () => {
  const { lines, ended } = start({ follow: false });
  await ended;
  expect(lines).toEqual([
    '12:00:00 holdfast 0.1.0, up 3 d 4 h, 1 job',
    '12:00:00 daemon: running',
    '12:00:00 job photos: in sync; kept; 48,213 files, 1.24 TB',
  ]);
});

test('the plain output mentions the conflicts of a job and the command that lists them', async () => {
  const counts = { ...seededJob().counts, conflicts: 3, held: 1, heldConflicts: 1 };
  const { lines, ended } = start({ follow: false, job: seededJob({ counts }) });
  await ended;
  expect(lines.at(-1)).toBe(
    '12:00:00 job photos: in sync except for 3 conflicts; at risk: 3 files in conflict; 48,213 files, 1.24 TB; ' +
      'see `holdfast conflict list photos`',
  );
});

test('the plain output prints only changes after the first report', async () => {
  const { daemon, pass, settle, end } = start();
  await settle();
  await pass(0);
  const { counts } = seededJob();
  const job = seededJob({ inSync: false, state: 'mirroring', counts: { ...counts, pending: 3 } });
  daemon.emit({ type: 'job.changed', job });
  daemon.emit({ type: 'alarm.changed', alarm: seededAlarm({ reason: 'too\u{1b}[2Jmuch' }) });
  expect(await pass(4_750)).toEqual([]);
  expect(await pass(250)).toEqual([
    '12:00:05 job photos: mirroring; kept; 48,213 files, 1.24 TB; 3 changes to go',
    '12:00:05 alarm too-full: logs: too␛[2Jmuch',
  ]);
  expect(await pass(5_000)).toEqual([]);
  daemon.emit({ type: 'alarm.removed', name: 'too-full' });
  expect(await pass(5_000)).toEqual(['12:00:15 alarm too-full: over']);
  await end();
});

test('the plain output prints ten warnings and errors and counts further ones', async () => {
  const { daemon, pass, settle, end } = start();
  await settle();
  await pass(0);
  for (let each = 0; each < 15; each += 1) {
    const message = `put ${each}: refused`;
    daemon.emit({ type: 'activity', job: 'photos', level: 'error', action: 'put', message });
  }
  const lines = await pass(5_000);
  expect(lines[0]).toBe('12:00:05 error of job photos: put 0: refused');
  expect(lines.at(-1)).toBe('12:00:05 and 5 more lines');
  await end();
});

test('the plain output reports that the daemon is not running and that it runs again', async () => {
  const down = new ControlError('NotRunning', 'Holdfast is not running');
  const { daemon, lines, pass, settle, end } = start({ down });
  await settle();
  expect(lines.splice(0)).toEqual(['12:00:00 daemon: not running: Holdfast is not running']);
  daemon.down = undefined;
  expect(await pass(5_000)).toEqual([
    '12:00:05 daemon: running',
    '12:00:05 job photos: in sync; kept; 48,213 files, 1.24 TB',
  ]);
  await end();
});
