/**
 * Tests that docs/pictures contains exactly the pictures that the tour draws, and that a page shows
 * each picture.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { PICTURES } from '../tour/picture-names.ts';
import { SCREENS } from '../tour/screens.ts';
import { linksOf } from './links.ts';
import { documents, ROOT } from './source-files.ts';

const FOLDER = 'docs/pictures';
const files = PICTURES.map((name) => `${name}.svg`);

it('docs/pictures contains exactly the pictures that `npm run tour -- pictures` draws', () => {
  expect(readdirSync(join(ROOT, FOLDER)).toSorted()).toEqual(files.toSorted());
  const names = new Set(SCREENS.map(({ name }) => name));
  expect(PICTURES.filter((name) => !names.has(name))).toEqual([]);
});

it.each(files)(
  'docs/pictures/%s is a drawn screen of the dashboard, and a page shows it',
  (file) => {
    const svg = readFileSync(join(ROOT, FOLDER, file), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*viewBox=/);
    expect(svg).toContain('</text>');
    const shown = documents('docs').filter(({ path, text }) =>
      linksOf(text).some((link) => join(dirname(path), link.file) === join(FOLDER, file)),
    );
    expect(shown).not.toEqual([]);
  },
);
