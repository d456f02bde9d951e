/**
 * Opens the jobs screen of the dashboard with data of the fake daemon. The screen is closed after
 * the test.
 */

import { onTestFinished } from 'vitest';

import { FakeClock } from '../fake-clock.ts';
import { jobAnswers } from './job-seeds.ts';
import { SeededDaemon } from './seeded-daemon.ts';
import type { Answers } from './seeded-daemon.ts';
import { TestScreen } from './screen.ts';
import { NOW } from './seeds.ts';

interface Start {
  readonly columns?: number;
  readonly rows?: number;
  readonly answers?: Answers;
  /** Text that must be on the screen before the test continues. */
  readonly until?: string;
}

export async function startJobs({
  columns = 80,
  rows = 24,
  answers = {},
  until = 'mirroring',
}: Start = {}) {
  const daemon = new SeededDaemon({ ...jobAnswers, ...answers });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ columns, rows, clock, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  await screen.press('3');
  await screen.waitFor(until);
  return { daemon, screen };
}
