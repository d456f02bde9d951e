/**
 * Tests of the loader that replaces the package es-toolkit, used by Ink, by its one required file.
 * They fail if a new version moves this file.
 */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { throttleIn } from '../../../tui/term/lighter-ink.ts';

test('only the file of the function "throttle" is loaded from es-toolkit', async () => {
  const { resolve } = createRequire(import.meta.url);
  const url = throttleIn(pathToFileURL(resolve('es-toolkit/compat')).href);
  expect(url).toMatch(/throttle\.mjs$/);
  expect(await import(url)).toHaveProperty('throttle');
});

test('if the file of "throttle" is not found beside the package entry, the entry itself is loaded', () => {
  const url = 'file:///app/es-toolkit/new/index.js';
  expect(throttleIn(url)).toBe(url);
});
