/** Draws the pictures of the documentation: some screens of the dashboard in one size and one theme. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { drawScreens } from './draw-screens.ts';
import { PICTURES } from './picture-names.ts';

const TO = join(import.meta.dirname, '../../docs/pictures');
const SIZE = '120x40';
const THEME = 'dark';

/** Returns the texts that are missing on the screens, one per line. */
export async function drawPictures(folder: string): Promise<readonly string[]> {
  const isChosen = (name: string): boolean => PICTURES.includes(name);
  const faults = await drawScreens({ folder, sizes: [SIZE], isChosen });
  mkdirSync(TO, { recursive: true });
  for (const name of PICTURES)
    copyFileSync(join(folder, `${name}-${SIZE}-${THEME}.svg`), join(TO, `${name}.svg`));
  return faults;
}
