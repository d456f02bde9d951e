/**
 * `npm run build`: makes `dist/` of the sources.
 *
 * The program is more than a thousand modules, and Node takes longer to find, read and link so many than they take to run. So
 * those that are always needed together become one file, and what is imported when it is needed stays a file of its own. Nothing is
 * renamed or shortened; the maps beside the files say where each line is from.
 *
 * The new files replace those of the last build one by one, each by a rename, and what is stale is deleted last: a program that
 * is started from `dist/` meanwhile (by tests, or by a service) finds all of its files.
 *
 * Packages that `package.json` names under `dependencies` are installed beside the program: what is native, has files of its own
 * to find, or is needed late. All others that the sources import are joined with them, and their licences are put beside.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { rolldown } from 'rolldown';

import manifest from './package.json' with { type: 'json' };

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
/** As deep as `dist/`, since maps have relative paths. */
const NEW = join(ROOT, `.dist-${process.pid}`);
/** All files lie here, side by side: what the sources find beside themselves (`import.meta.url`), they find here too. */
const FOLDER = join(NEW, 'src/cli');
/** What is started or loaded by its name, which must be that of its source. */
const ENTRIES = {
  main: './src/cli/main.ts',
  'string-width': './tui/text/string-width.ts',
  'upkeep-worker': './src/engine/maintenance/upkeep-worker.ts',
  'writer-worker': './src/engine/writes/writer-worker.ts',
};

process.on('exit', () => rmSync(NEW, { recursive: true, force: true }));
const bundle = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  external: [/^node:/, ...Object.keys(manifest.dependencies).map(withAllOf)],
  // Modules that are imported late so that they may import each other, and are needed at once all the same.
  checks: { ineffectiveDynamicImport: false },
  onwarn(warning) {
    throw new Error(`build: ${warning.message}`);
  },
});
const { output } = await bundle.write({
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

const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(join(NEW, 'licenses.txt'), packagesOf(modules).map(licenseOf).join('\n'));

const main = join(FOLDER, 'main.js');
chmodSync(main, 0o755);
writeFileSync(join(NEW, 'holdfast.1'), execFileSync(process.execPath, [main, 'man']));
replaceDist();

/** A file that is started comes after all that it imports. */
function replaceDist(): void {
  const started = new Set(Object.keys(ENTRIES).map((name) => `src/cli/${name}.js`));
  const files = filesOf(NEW).toSorted((a, b) => Number(started.has(a)) - Number(started.has(b)));
  for (const file of files) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    renameSync(join(NEW, file), join(DIST, file));
  }
  const kept = new Set(files);
  for (const file of filesOf(DIST)) if (!kept.has(file)) rmSync(join(DIST, file), { force: true });
}

/** Paths below the folder; none where it does not exist. */
function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** The package itself, and what it exports by a path. */
function withAllOf(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}

/** The folders of the packages that files are of. */
function packagesOf(files: readonly string[]): string[] {
  const folders = files.map((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/** Throws where a package has none: then it may not be given on. */
function licenseOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`build: ${folder} has no licence`);
  const [, name] = folder.split(/\/node_modules\/(?!.*\/node_modules\/)/);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}
