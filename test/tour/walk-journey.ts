/** Runs a journey of the dashboard in a pseudoterminal with a new daemon. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCli } from '../helpers/run-cli.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';
import { DASHBOARD_JOURNEYS, keysOf, MOST_KEYS } from './dashboard-journeys.ts';
import type { DashboardJourney, JourneyWorld } from './dashboard-journeys.ts';

/**
 * Pause in milliseconds after a dialog opens. A new dialog ignores keys for a short time, which is
 * less than a user needs to read it.
 */
const READING_MS = 500;

/**
 * Runs the journeys whose title contains one of the names. Prints the keys of each journey, and
 * returns the failures.
 */
export async function walkJourneys(names: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const journey of DASHBOARD_JOURNEYS) {
    const { title, steps } = journey;
    if (!names.some((name) => title.includes(name))) continue;
    const count = keysOf(journey);
    const keys = steps.map((step) => step.keys).join(' ');
    process.stdout.write(`${title}: ${keys} (${String(count)} keys)\n`);
    const fault = await walkJourney(journey).catch((error: unknown) => String(error));
    if (fault !== undefined) faults.push(`${title}: ${fault}`);
    if (count > MOST_KEYS) faults.push(`${title}: ${String(count)} keys`);
  }
  return faults;
}

/** Returns what is wrong after the journey, or undefined if the journey reached its goal. */
export async function walkJourney(journey: DashboardJourney): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-journey-'));
  const home = join(folder, 'home');
  const clock = new ShiftedClock();
  clock.jump(-(journey.startsBeforeMs ?? 0));
  makeHome(home, 0, journey.config?.(folder));
  const daemon = await startDaemon({
    home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }),
    clock,
  });
  const world: JourneyWorld = { folder, clock, cli: commandLine(home, folder) };
  try {
    await journey.prepare(world);
    const screen = new PtyScreen({ home, columns: 100, rows: 30, env: { HOME: folder } });
    try {
      await take(journey, screen);
      return await journey.fault(world);
    } finally {
      screen.kill('SIGKILL');
      await screen.ended;
    }
  } finally {
    await daemon.stop('the journey is over');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function take({ begins, steps }: DashboardJourney, screen: PtyScreen): Promise<void> {
  await screen.waitFor(begins);
  for (const { keys, shows } of steps) {
    await systemClock.sleep(READING_MS);
    screen.press(keys);
    await screen.waitFor(shows);
  }
}

function commandLine(home: string, cwd: string): JourneyWorld['cli'] {
  return async (...argv) => {
    const result = await runCli(argv, { env: { HOLDFAST_HOME: home }, cwd });
    if (result.exitCode !== 0) throw new Error(`${argv.join(' ')}: ${result.stderr}`);
    return result.stdout;
  };
}
