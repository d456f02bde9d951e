/**
 * `npm run build`: makes `dist/` of the sources.
 *
 * The program is more than a thousand modules, and Node takes longer to find, read and link so many than they take to run. So
 * those that are always needed together become one file, and what is imported when it is needed stays a file of its own. Packages
 * are left where npm puts them. Nothing is renamed or shortened; the maps beside the files say where each line is from.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

const ROOT = import.meta.dirname;
/** All files lie here, side by side: what the sources find beside themselves (`import.meta.url`), they find here too. */
const FOLDER = join(ROOT, 'dist/src/cli');
/** What is started or loaded by its name, which must be that of its source. */
const ENTRIES = {
  main: './src/cli/main.ts',
  'string-width': './tui/text/string-width.ts',
  'upkeep-worker': './src/engine/upkeep/upkeep-worker.ts',
  'writer-worker': './src/engine/writer-worker.ts',
};

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
const bundle = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  external: /^[^./]/,
  // Modules that are imported late so that they may import each other, and are needed at once all the same.
  checks: { ineffectiveDynamicImport: false },
  onwarn(warning) {
    throw new Error(`build: ${warning.message}`);
  },
});
await bundle.write({
  dir: FOLDER,
  entryFileNames: '[name].js',
  // A program that runs while another release is installed over it then misses a file, and loads none that does not fit.
  chunkFileNames: '[name]-[hash].js',
  // The maps have what a reader needs; what Node keeps of each file in memory is its text.
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
});
await bundle.close();

const main = join(FOLDER, 'main.js');
chmodSync(main, 0o755);
writeFileSync(join(ROOT, 'dist/holdfast.1'), execFileSync(process.execPath, [main, 'man']));
