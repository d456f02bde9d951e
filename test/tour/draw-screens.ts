/**
 * Draws the screens of the dashboard as SVG files in several sizes and themes, and creates a page
 * that shows them.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { THEMES } from '../../tui/theme/look.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { TestScreen } from '../helpers/tui/screen.ts';
import type { SeededDaemon } from '../helpers/tui/seeded-daemon.ts';
import { NOW } from '../helpers/tui/seeds.ts';
import { indexPage } from './index-page.ts';
import { paletteOf } from './palettes.ts';
import type { TourScreen } from './screens.ts';
import { SCREENS } from './screens.ts';
import { faintTexts, svgOf } from './svg.ts';
import { tourDaemon } from './tour-world.ts';

export const SIZES: readonly string[] = ['60x16', '80x24', '120x40', '200x60'];

export interface Chosen {
  readonly folder: string;
  readonly sizes: readonly string[];
  readonly isChosen: (name: string) => boolean;
}

/** Minimum contrast of text. WCAG 2.2 requires this contrast for small text. */
const LEAST_CONTRAST = 4.5;

/**
 * Returns the texts that are missing on the screens, one per line. Lists texts with low contrast in
 * `faint.txt`.
 */
export async function drawScreens({ folder, sizes, isChosen }: Chosen): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const screens = SCREENS.filter(({ name }) => isChosen(name));
  const [faults, faint]: [string[], string[]] = [[], []];
  for (const screen of screens) {
    for (const size of sizes) {
      const found = await drawScreen(screen, size, folder);
      faults.push(...found.faults);
      faint.push(...found.faint);
    }
    process.stdout.write(`${screen.name}\n`);
  }
  const shown = { names: screens.map(({ name }) => name), sizes, themes: THEMES };
  writeFileSync(join(folder, 'faint.txt'), faint.map((line) => `${line}\n`).join(''));
  writeFileSync(join(folder, 'index.html'), indexPage(shown));
  return faults;
}

async function drawScreen(
  { name, world, steps, shows }: TourScreen,
  size: string,
  folder: string,
): Promise<{ readonly faults: readonly string[]; readonly faint: readonly string[] }> {
  const [columns = 0, rows = 0] = size.split('x').map(Number);
  const daemon = tourDaemon(world);
  const clock = new FakeClock(NOW);
  const outside = { folder: '/home/ada', copy: async () => 'by the terminal, if it allows that' };
  const screen = new TestScreen({ columns, rows, clock, connect: daemon.connect, outside });
  const [faults, faint]: [string[], string[]] = [[], []];
  try {
    await screen.start();
    for (const step of steps) await take(step, screen, daemon);
    await appears(screen, shows);
  } catch (error) {
    faults.push(`${name} ${size}: ${(error as Error).message}`);
  }
  writeFileSync(join(folder, `${name}-${size}.txt`), `${screen.text()}\n`);
  for (const theme of THEMES) {
    screen.ui.themes.choose(theme);
    screen.ui.changes.now();
    await screen.settle();
    const [cells, palette] = [screen.cells(), paletteOf(theme)];
    writeFileSync(join(folder, `${name}-${size}-${theme}.svg`), svgOf(cells, palette));
    for (const [text, contrast] of faintTexts(cells, palette, LEAST_CONTRAST))
      faint.push(`${name} ${size} ${theme}: contrast ${contrast.toFixed(1)}: ${text}`);
  }
  await screen.close();
  return { faults, faint };
}

/**
 * Maximum number of redraws of live data until a screen that loads its content in several steps is
 * complete.
 */
const MOST_REDRAWS = 40;

/** Redraws the screen until it shows the text. A screen may first load modules, which takes longer on a busy machine. */
export async function appears(screen: TestScreen, shows: string | RegExp): Promise<void> {
  const isThere = (text: string) =>
    typeof shows === 'string' ? text.includes(shows) : shows.test(text);
  for (let turn = 0; !isThere(screen.text()); turn += 1) {
    if (turn === MOST_REDRAWS) throw new Error(`no ${String(shows)} in\n${screen.text()}`);
    await screen.tick();
    await systemClock.sleep(turn);
  }
}

/**
 * Maximum time in milliseconds between two requests of a screen that loads its content in several
 * steps.
 */
const LOADING_MS = 300;

/** Performs one step of a tour screen. */
export async function take(
  step: TourScreen['steps'][number],
  screen: TestScreen,
  daemon: SeededDaemon,
): Promise<void> {
  if (typeof step === 'string') await screen.press(step);
  else if ('type' in step) await screen.type(step.type);
  else if ('emit' in step) {
    for (const [index, event] of step.emit.entries()) {
      daemon.emit(event, NOW - (step.emit.length - index) * 1_000);
    }
  } else await step.happens(screen, daemon);
  for (let turn = 0; turn < 3; turn += 1) await screen.tick(LOADING_MS);
}
