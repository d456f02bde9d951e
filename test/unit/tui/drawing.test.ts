/**
 * Draws every screen with a connection that counts requests, and checks that drawing sends no
 * request.
 */

import { afterAll, expect, test } from 'vitest';

import { drawFrame } from '../../../tui/app/frame.ts';
import { SCREEN_COMMANDS } from '../../../tui/commands/screen-commands.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW } from '../../helpers/tui/seeds.ts';
import { appears, take } from '../../tour/draw-screens.ts';
import { SCREENS } from '../../tour/screens.ts';
import { tourDaemon } from '../../tour/tour-world.ts';

/** The screens that the tour opens, one per scope, and some screens below an overlay. */
const TOURED: ReadonlySet<string> = new Set([
  'dashboard',
  'buckets',
  'bucket-settings',
  'lifecycle',
  'lifecycle-preview',
  'objects',
  'objects-filter',
  'object',
  'preview',
  'versions',
  'versions-diff',
  'jobs',
  'job-moving',
  'job-queue',
  'job-locks',
  'job-rounds',
  'job-about',
  'review',
  'conflicts',
  'clusters',
  'nodegroups',
  'nodegroup',
  'metrics',
  'alarm',
  'locks',
  'activity',
  'restore',
  'restore-plan',
  'restore-run',
  'restore-runs-none',
  'restore-compare',
  'charts',
  'usage',
  'usage-keep-rules',
  'job-findings',
  'palette-keys',
  'help',
]);

/** Reloads the screen while the terminal is too small for it, so that all visible data is outdated. */
async function forget(screen: TestScreen): Promise<void> {
  const { top } = screen.ui.router;
  await screen.resize(20, 5);
  top.hide();
  top.show();
  await screen.tick(LONG_MS);
  await screen.tick();
}

/** Longer than the time in milliseconds for which loaded data counts as current. */
const LONG_MS = 20_000;

const drawn = new Set<string>();

test.each(SCREENS.filter(({ name }) => TOURED.has(name)))(
  'the dashboard sends no request and starts no timer when the screen "$name" is drawn',
  async ({ world, steps, shows }) => {
    const daemon = tourDaemon(world);
    const clock = new FakeClock(NOW);
    const screen = new TestScreen({ columns: 60, rows: 16, clock, connect: daemon.connect });
    await screen.start();
    for (const step of steps) await take(step, screen, daemon);
    await appears(screen, shows);
    const { ui } = screen;
    drawn.add(ui.router.top.scope);
    await forget(screen);
    const asked: string[] = [];
    const refuse = (what: string): Promise<never> => {
      asked.push(what);
      return Promise.reject(new Error(`${what} was called`));
    };
    ui.link.call = refuse;
    ui.link.client = () => refuse('client');
    const { timers } = clock;
    // In the larger terminal, more rows and columns are visible.
    for (const [columns, rows] of [
      [200, 60],
      [80, 24],
    ] as const) {
      expect(drawFrame(ui, '', columns, rows).lines).toHaveLength(rows);
    }
    expect(asked).toEqual([]);
    expect(clock.timers).toBe(timers);
    await screen.close();
  },
);

afterAll(() => {
  expect([...drawn].toSorted()).toEqual(Object.keys(SCREEN_COMMANDS).toSorted());
});
