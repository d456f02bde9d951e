/**
 * `npm run tour [-- PART…]`: draws the dashboard and runs the journeys of the command line.
 *
 * Parts are `page` (the tour in docs/start/dashboard-tour.md), `screens` (every screen and state as
 * SVG in `.tour/`), `pictures` (those of the documentation, in docs/pictures/), `dashboard` (five
 * journeys in the dashboard, with their keys) and `journeys` (of the command line). Without
 * arguments, all parts run. `--only NAME,…` and `--size 80x24,…` select screens and journeys. The
 * exit code is 1 if a text is missing on a screen.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = join(import.meta.dirname, '../../.tour');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, size: { type: 'string' } },
});
const only = values.only?.split(',') ?? [''];

const PARTS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  page: async () => {
    const { writeTourPage } = await import('./tour-page.ts');
    return writeTourPage();
  },
  screens: async () => {
    await import('./load-tsx.ts');
    const { drawScreens, SIZES } = await import('./draw-screens.ts');
    const sizes = values.size?.split(',') ?? SIZES;
    return drawScreens({
      folder: FOLDER,
      sizes,
      isChosen: (name) => only.some((part) => name.includes(part)),
    });
  },
  pictures: async () => {
    await import('./load-tsx.ts');
    const { drawPictures } = await import('./pictures.ts');
    return drawPictures(FOLDER);
  },
  dashboard: async () => {
    await import('./load-tsx.ts');
    const { walkJourneys } = await import('./walk-journey.ts');
    return walkJourneys(only);
  },
  journeys: async () => {
    const { runJourneys } = await import('./run-journeys.ts');
    return runJourneys(FOLDER, only);
  },
};

for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const run = PARTS[part];
  if (!run) throw new Error(`unknown part "${part}": choose from ${Object.keys(PARTS).join(', ')}`);
  const faults = await run();
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${part}: ${faults.length} faults\n`);
  if (faults.length > 0) process.exitCode = 1;
}
