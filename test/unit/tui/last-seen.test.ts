/** Tests that the dashboard shows when a state was last known, while the daemon is down. */

import { expect, test } from 'vitest';

import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import { seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

test('the dashboard shows when each state was last known after the daemon stopped', async () => {
  const { daemon, screen } = await startJobs({ columns: 120, rows: 40 });
  daemon.replace('status', () => ({ ...seededStatus(), jobs: [seededJob()] }));
  await screen.press('r');
  await screen.waitFor('watching, in sync');
  daemon.stop();
  await screen.waitFor('daemon down');
  expect(screen.text()).toMatch(/STATE {9}PROGRESS/);
  const isState = (line: string) => /in sync|watching|kept|in order/.test(line);
  const isKnown = (line: string) => /[Ll]ast seen 12:00|was watching/.test(line);
  const wrong = () =>
    screen
      .text()
      .split('\n')
      .filter((line) => isState(line) && !isKnown(line));
  expect(screen.text()).toContain('jobs                ');
  expect(wrong()).toEqual([]);
  await screen.press('enter');
  expect(await screen.waitFor('jobs › photos')).toContain('last seen 12:00: in sync');
  await screen.press('esc w');
  await screen.waitFor('Why was photos watching?');
  await screen.waitFor('this is the state last seen 12:00');
  await screen.press('esc 1');
  const text = await screen.waitFor('Daemon down. Last seen 12:00: The folder is kept');
  for (const title of ['Jobs', 'Throughput 60 s', 'Health']) {
    expect(text).toContain(`${title}, last seen 12:00`);
  }
  expect(text).toContain('last seen 12:00: all in sync, kept');
  await screen.press('7');
  expect((await screen.waitFor('[7 Locks]')).split('\n')[2]).toMatch(/locks .*last seen 12:00$/);
  daemon.down = undefined;
  await screen.press('r');
  await screen.waitFor('● running');
  expect(screen.text()).not.toContain('last seen');
  await screen.press('3');
  expect(await screen.waitFor('in sync')).toMatch(/STATE {5}PROGRESS/);
});
