/** Which file is loaded in place of hundreds; a new version of the package that moves it is noticed here. */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { throttleIn } from '../../../tui/term/lighter-ink.ts';

test('of all that Ink asks of es-toolkit its one function is loaded', async () => {
  const { resolve } = createRequire(import.meta.url);
  const url = throttleIn(pathToFileURL(resolve('es-toolkit/compat')).href);
  expect(url).toMatch(/throttle\.mjs$/);
  expect(await import(url)).toHaveProperty('throttle');
});

test('where it is not beside what was found, that is loaded', () => {
  const url = 'file:///app/es-toolkit/new/index.js';
  expect(throttleIn(url)).toBe(url);
});
