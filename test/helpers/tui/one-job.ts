/** Opens the dashboard with a daemon that has one job. The dashboard is closed after the test. */

import { onTestFinished } from 'vitest';

import { SeededDaemon } from './seeded-daemon.ts';
import { TestScreen } from './screen.ts';
import type { ScreenOptions } from './screen.ts';
import { seededStatus } from './seeds.ts';

export async function startWithOneJob(options: Partial<ScreenOptions> = {}) {
  const daemon = new SeededDaemon({ status: seededStatus });
  const screen = await new TestScreen({ ...options, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  return { daemon, screen };
}
