/** Which files are loaded in place of hundreds; a new version of a package that moves them is noticed here. */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { lighter } from '../../../src/cli/lighter-modules.ts';

const urlOf = (name: string) => pathToFileURL(createRequire(import.meta.url).resolve(name)).href;

test('of all that Ink asks of es-toolkit its one function is loaded', async () => {
  const url = lighter('es-toolkit/compat', urlOf('es-toolkit/compat'));
  expect(url).toMatch(/throttle\.mjs$/);
  expect(await import(url)).toHaveProperty('throttle');
});

test("of zod's languages the one is loaded that it speaks", () => {
  const all = new URL('v4/locales/index.js', urlOf('zod')).href;
  expect(lighter('../locales/index.js', all)).toMatch(/locales\/en\.js$/);
});

test('what is not known, or lies elsewhere, is loaded as it is', () => {
  for (const url of ['file:///app/node_modules/zod/new/index.js', 'file:///app/own/index.js']) {
    expect(lighter('../locales/index.js', url)).toBe(url);
  }
  expect(lighter('ink', 'file:///app/node_modules/ink/index.js')).toMatch(/ink\/index\.js$/);
});
