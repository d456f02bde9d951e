/**
 * Builds the threads of the program before the tests, and lets the program start these files. From its sources, a thread
 * reads a hundred modules and strips their types each time: a quarter of the CPU time of the engine's tests.
 */

import { globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { rolldown } from 'rolldown';
import type { Plugin } from 'vitest/config';

import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
/** The sources of all threads, by the naming rule of the project. Copies with a broken rule have no folder `tui`. */
const THREADS = globSync('{src,tui}/**/*-worker.ts', { cwd: ROOT });
/** How the program names the file of a thread. `script` is relative to the file that starts the thread. */
const SOURCE = 'new URL(script, import.meta.url)';
const VARIABLE = 'HOLDFAST_TEST_THREADS';
/** Each run has its own folder, because runs of other sources may share the folder `node_modules`. */
const FOLDER = join(ROOT, `.dist-threads-${process.pid}`);

/** Builds the threads once, although Vitest reads its configuration once for each project. */
export async function builtThreads(): Promise<Plugin> {
  if (process.env[VARIABLE] !== FOLDER) {
    process.env[VARIABLE] = FOLDER;
    process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
    await build();
  }
  const built = `\`file://\${process.env['${VARIABLE}']}/\${script.replace(/ts$/, 'js')}\``;
  return {
    name: 'built-threads',
    transform: (code) =>
      code.includes(SOURCE) ? { code: code.replace(SOURCE, `new URL(${built})`), map: null } : null,
  };
}

async function build(): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(THREADS.map((file) => [basename(file, '.ts'), file])),
    platform: 'node',
    external: [/^node:/, ...Object.keys(manifest.dependencies)],
  });
  await bundle.write({ dir: FOLDER, entryFileNames: '[name].js', cleanDir: true });
  await bundle.close();
}
