/** The frame around every screen, on an emulated terminal. */

import { afterEach, expect, test } from 'vitest';

import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { seededStatus } from '../../helpers/tui/seeds.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon({ status: seededStatus });
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  return { daemon, screen };
}

test('the header tells a running daemon, and the tabs all screens', async () => {
  const { screen } = await start();
  const text = await screen.waitFor('running');
  expect(text).toContain('[1 Dash] 2 Buckets 3 Jobs 4 Conflicts 5 Nodes');
});

test('keys that come in one piece are all done', async () => {
  const { screen, daemon } = await start();
  for (let count = 0; count < 30; count += 1) {
    const message = `put ${count}`;
    daemon.emit({ type: 'activity', job: 'photos', level: 'info', action: 'put', message });
  }
  await screen.tick();
  await screen.press('8');
  await screen.type('ggjjjj');
  expect(await screen.waitFor('5 of 30')).toContain('❯');
});
