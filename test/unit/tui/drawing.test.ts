/**
 * Draws every screen with a connection that counts requests, and checks that drawing sends no
 * request.
 */

import { afterAll, expect, test } from 'vitest';

import { drawFrame } from '../../../tui/app/frame.ts';
import { SCREEN_COMMANDS } from '../../../tui/commands/screen-commands.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import type { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW } from '../../helpers/tui/seeds.ts';
import { take } from '../../tour/draw-screens.ts';
import { SCREENS } from '../../tour/screens.ts';
import type { TourScreen } from '../../tour/screens.ts';
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
  'help',
]);

const type = (text: string) => ({ type: text });

const counts = { entries: 3, bytes: 30, changedMeanwhile: 0, readBack: 1, readBackBytes: 10 };
const FINDINGS = [
  { is: 'finding', path: 'a.jpg', code: 'missing', message: 'is not there' },
  { is: 'done', ...counts, toBeLocked: 0, findings: 1 },
];

const verify = {
  happens: (_: TestScreen, daemon: SeededDaemon) =>
    daemon.replace('proof.verify', () => ({ stream: daemon.offer(FINDINGS) })),
};

const OTHERS: readonly Omit<TourScreen, 'shows'>[] = [
  { name: 'palette-bucket', steps: [':', type('bucket archive/2026/')] },
  { name: 'usage', steps: ['2', 'z'] },
  { name: 'keep-rules', steps: ['2 G', 'z', 'K'] },
  { name: 'findings', steps: [verify, '3 v', 'enter'] },
  { name: 'restores', steps: [':', type('restores\r')] },
  { name: 'charts', steps: ['3', 'c'] },
  { name: 'restore-times', steps: [':', type('restore photos\r'), 'D', type('2026-11-18\r')] },
];

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

test.each([...SCREENS.filter(({ name }) => TOURED.has(name)), ...OTHERS])(
  'the dashboard sends no request and starts no timer when the screen "$name" is drawn',
  async ({ world, steps }) => {
    const daemon = tourDaemon(world);
    const clock = new FakeClock(NOW);
    const screen = new TestScreen({ columns: 60, rows: 16, clock, connect: daemon.connect });
    await screen.start();
    for (const step of steps) await take(step, screen, daemon);
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
