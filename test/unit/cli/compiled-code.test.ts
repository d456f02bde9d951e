/** Tests that Holdfast caches compiled code only in folders that no other user can write to. */

import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ownCacheFolder } from '../../../src/cli/compiled-code.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const OWN = process.geteuid?.() ?? 0;

function caller(folder: string, env: Record<string, string> = {}) {
  return { env, userHome: folder, uid: OWN };
}

/**
 * Changes the owner of a folder so that it differs from the returned user id. Only root can change
 * the owner. For any other caller, the function returns a different user id instead.
 */
function givenAway(folder: string): number {
  if (OWN !== 0) return OWN + 1;
  chmodSync(folder, 0o755);
  chownSync(folder, 12_345, 12_345);
  return OWN;
}

test('Holdfast creates the cache folder for compiled code in the home folder, with access only for the user', () => {
  const home = temporaryFolder();
  const folder = join(home, '.cache', 'holdfast');
  expect(ownCacheFolder(caller(home))).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('Holdfast creates the cache folder for compiled code in XDG_CACHE_HOME if the variable is an absolute path', () => {
  const [home, caches] = [temporaryFolder(), temporaryFolder()];
  expect(ownCacheFolder(caller(home, { XDG_CACHE_HOME: caches }))).toBe(join(caches, 'holdfast'));
  for (const path of ['', 'caches', './caches']) {
    expect(ownCacheFolder(caller(home, { XDG_CACHE_HOME: path }))).toMatch(join(home, '.cache'));
  }
});

test.each(['.', '.cache', '.cache/holdfast'])(
  'Holdfast caches no compiled code if %s belongs to another user',
  (at) => {
    const home = temporaryFolder();
    mkdirSync(join(home, at), { recursive: true });
    const uid = givenAway(join(home, at));
    expect(ownCacheFolder({ ...caller(home), uid })).toBeUndefined();
    if (at === '.') expect(existsSync(join(home, '.cache'))).toBe(false);
  },
);

test.each(
  ['.', '.cache', '.cache/holdfast'].flatMap((at) =>
    ['777', '775', '770'].map((mode) => [at, mode] as const),
  ),
)('Holdfast caches no compiled code if other users may write to %s (mode %s)', (at, mode) => {
  const home = temporaryFolder();
  mkdirSync(join(home, at), { recursive: true });
  chmodSync(join(home, at), Number.parseInt(mode, 8));
  expect(ownCacheFolder(caller(home))).toBeUndefined();
});

test.each([
  ['.', true],
  ['.cache', true],
  ['.cache/holdfast', false],
])(
  'Holdfast decides whether the folder %s may be world-writable with the sticky bit: %s',
  (at, accepted) => {
    const home = temporaryFolder();
    mkdirSync(join(home, at), { recursive: true });
    chmodSync(join(home, at), 0o1777);
    expect(ownCacheFolder(caller(home)) !== undefined).toBe(accepted);
  },
);

test('Holdfast caches no compiled code if the cache folder cannot be created', () => {
  expect(ownCacheFolder(caller('/nowhere/at/all'))).toBeUndefined();
});
