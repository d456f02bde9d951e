/**
 * Tests that frequent commands load few modules, because loading modules takes most of their time.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { runCliProcess } from '../helpers/cli-process.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-light-'));
const home = join(folder, 'home');
const file = join(folder, 'modules');
const list = pathToFileURL(join(import.meta.dirname, '../helpers/module-list.ts'));
const env = { NODE_OPTIONS: `--import=${list.href}`, HOLDFAST_TEST_MODULES: file };
let daemon: DaemonProcess;

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonProcess(home);
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const urls = () => readFileSync(file, 'utf8').split('\n');
const loaded = () => urls().flatMap(sourcesOf);

/**
 * Returns the source files of a built module, which its source map contains. A module that only
 * re-exports others has no source map.
 */
function sourcesOf(url: string): readonly string[] {
  if (!url.includes('/dist/src/cli/')) return [url];
  const map = `${fileURLToPath(url)}.map`;
  if (!existsSync(map)) return [];
  const parsed: unknown = JSON.parse(readFileSync(map, 'utf8'));
  return (parsed as { readonly sources: readonly string[] }).sources;
}

/** Matches modules that declare commands other than the dashboard and `status`. */
const OTHER_COMMANDS = /src\/cli\/(?:commands\/(?!daemon\/)\w+\/declare-|(?:declare-)?simple)/;
const OF_OTHERS = /better-sqlite3|koffi|chokidar|undici|node_modules\/yaml|src\/(?:engine|mirror)/;

test('the dashboard loads no other command, no module of the daemon and only a part of Ink', async () => {
  const screen = new PtyScreen({ home, env });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('running');
  screen.press('q');
  await screen.ended;
  const modules = loaded();
  expect(modules.some((each) => each.endsWith('ink/build/ink.js'))).toBe(true);
  expect(modules.filter((each) => OTHER_COMMANDS.test(each))).toEqual([]);
  expect(modules.filter((each) => OF_OTHERS.test(each))).toEqual([]);
  expect(modules.filter((each) => each.includes('node_modules/string-width/'))).toEqual([]);
});

test('`status` loads no other command, and no module of the dashboard', async () => {
  const { exitCode } = await runCliProcess(['--home', home, 'status'], { env });
  expect(exitCode).toBe(0);
  const modules = loaded();
  expect(modules.some((each) => each.endsWith('src/cli/commands/daemon/status.ts'))).toBe(true);
  expect(modules.filter((each) => OTHER_COMMANDS.test(each))).toEqual([]);
  expect(modules.filter((each) => /\/tui\/|node_modules\/ink/.test(each))).toEqual([]);
  expect(modules.filter((each) => /node_modules\/zod|first-messages/.test(each))).toEqual([]);
  expect(modules.filter((each) => each.endsWith('control/messages.ts'))).toEqual([]);
  expect(modules.filter((each) => OF_OTHERS.test(each))).toEqual([]);
});

/**
 * Matches modules that a daemon should load only with its first job, its first remote service or
 * its first request.
 */
const LATER = /src\/mirror\/open-mirror|chokidar|koffi|undici|control\/(?:first-)?messages/;

test('a daemon without jobs loads a few files, and neither the mirror nor the schemas of requests', async () => {
  const other = await startDaemonProcess(join(folder, 'other'), {
    env: { ...process.env, ...env },
  });
  expect(await other.stop()).toBe(0);
  const modules = loaded();
  expect(modules.some((each) => each.endsWith('src/engine/engine.ts'))).toBe(true);
  expect(modules.filter((each) => LATER.test(each))).toEqual([]);
  expect(urls().filter((each) => each.includes('/dist/src/cli/')).length).toBeLessThan(10);
});
