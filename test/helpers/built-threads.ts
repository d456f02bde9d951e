/**
 * Bundles the worker threads, and the programs that tests kill, before the tests. Makes the program
 * start the bundled threads. A thread or program that starts from its sources loads a hundred
 * modules and strips their types, which takes a quarter of the CPU time of the engine tests.
 */

import { globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { rolldown } from 'rolldown';
import type { Plugin } from 'vitest/config';

import manifest from '../../package.json' with { type: 'json' };
import { BUILT_FOLDER } from './built-program.ts';

const ROOT = join(import.meta.dirname, '../..');
/**
 * Source files of all worker threads, found by their file names. A copy of the project for mutation
 * tests has no `tui` folder.
 */
const THREADS = globSync('{src,tui}/**/*-worker.ts', { cwd: ROOT });
/** Helpers that are also programs. They start the bundled threads of the same folder. */
const PROGRAMS = ['test/helpers/engine-crash.ts', 'test/helpers/reserve-crash.ts'];
/**
 * Text in the sources that builds the URL of a thread's file. `script` is relative to the file that
 * starts the thread.
 */
const SOURCE = 'new URL(script, import.meta.url)';
/**
 * The folder name contains the process id, because a test run of other sources may share
 * `node_modules`.
 */
const FOLDER = join(ROOT, `.dist-threads-${process.pid}`);

/**
 * Bundles the threads only once, although Vitest reads its configuration once for each test
 * project.
 */
export async function builtThreads(): Promise<Plugin> {
  if (process.env[BUILT_FOLDER] !== FOLDER) {
    process.env[BUILT_FOLDER] = FOLDER;
    process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
    await build();
  }
  const built = `\`file://\${process.env['${BUILT_FOLDER}']}/\${script.replace(/ts$/, 'js')}\``;
  return {
    name: 'built-threads',
    transform: (code) =>
      code.includes(SOURCE) ? { code: code.replace(SOURCE, `new URL(${built})`), map: null } : null,
  };
}

async function build(): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(
      [...THREADS, ...PROGRAMS].map((file) => [basename(file, '.ts'), file]),
    ),
    platform: 'node',
    external: [/^node:/, ...Object.keys(manifest.dependencies)],
  });
  await bundle.write({ dir: FOLDER, entryFileNames: '[name].js', cleanDir: true });
  await bundle.close();
}
