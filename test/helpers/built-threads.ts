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
const PROGRAMS = [
  'test/helpers/engine-crash.ts',
  'test/helpers/reserve-crash.ts',
  'test/helpers/thread-host.ts',
];
/** Sources that start a thread that tests reuse (`reused-threads.ts`). */
const REUSING = /src\/engine\/(?:writes\/writer|maintenance\/upkeep-thread)\.ts$/;
const WORKER_IMPORT = /import \{ Worker \} from ["']node:worker_threads["'];/;
const REUSED_IMPORT = `import { ReusedThread as Worker } from '${join(import.meta.dirname, 'reused-threads.ts')}';`;
/** Scripts that run on a reused thread. */
const REUSED = /src\/engine\/(?:writes\/writer|maintenance\/upkeep)-worker\.ts$/;
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
    transform(code, id) {
      if (!code.includes(SOURCE)) return null;
      const own = code.replace(SOURCE, `new URL(${built})`);
      return {
        code: REUSING.test(id) ? own.replace(WORKER_IMPORT, REUSED_IMPORT) : own,
        map: null,
      };
    },
  };
}

async function build(): Promise<void> {
  const entries = new Set([...THREADS, ...PROGRAMS].map((file) => join(ROOT, file)));
  const isModule = (id: string) => id.startsWith(join(ROOT, 'src/')) && !entries.has(id);
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([...entries].map((file) => [basename(file, '.ts'), file])),
    platform: 'node',
    external: [/^node:(?!worker_threads)/, ...Object.keys(manifest.dependencies)],
    plugins: [
      {
        name: 'thread-globals',
        resolveId: (id, importer = '') => {
          if (id !== 'node:worker_threads') return null;
          return REUSED.test(importer)
            ? join(import.meta.dirname, 'thread-globals.ts')
            : { id, external: true };
        },
      },
    ],
  });
  await bundle.write({
    dir: FOLDER,
    entryFileNames: '[name].js',
    cleanDir: true,
    // A reused thread imports the script again for each engine, so the file of the script contains only the script.
    codeSplitting: { groups: [{ name: 'modules', test: isModule }] },
  });
  await bundle.close();
}
