/**
 * `npm run build`: creates `dist/` from the sources.
 *
 * The program has more than a thousand modules. Node takes longer to find, read and link them than
 * to run them. The build therefore combines modules that are always needed together into one file.
 * A module that is imported on demand remains a separate file. The build does not rename or minify
 * code, and source maps contain the lines of the sources.
 *
 * The commands share files. The daemon and each worker thread have their own files, so that each of
 * them starts with one file. These files repeat some code.
 *
 * The build replaces the files of the last build one by one with renames, and deletes old files
 * last. A program that starts from `dist/` during the build, such as a test or a service, therefore
 * finds all its files.
 *
 * The packages in `dependencies` of `package.json` are installed together with the program. They
 * contain native code, read their own files, or are needed late. The build includes all other
 * imported packages in its files, and their licences in `licenses.txt`.
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
import type { Plugin } from 'rolldown';

import manifest from './package.json' with { type: 'json' };
import { SIMPLE_COMMANDS } from './src/cli/simple-commands.ts';
import { DAEMON_ASSIGNMENTS, DASHBOARD_V8_FLAGS, V8_FLAGS } from './src/cli/node-options.ts';

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
/**
 * Folder for the new files. It has the same depth as `dist/`, because source maps contain relative
 * paths.
 */
const NEW = join(ROOT, `.dist-${process.pid}`);
/**
 * Folder for all built files. It has the depth of the source folder, so that paths relative to
 * `import.meta.url` remain valid.
 */
const FOLDER = join(NEW, 'src/cli');
/**
 * Modules that are started or loaded by file name. The built file must have the same name, so each
 * module is built separately.
 */
const ENTRIES = {
  main: 'src/cli/main.ts',
  'daemon-process': 'src/cli/daemon-process.ts',
  'syntax-worker': 'tui/syntax/syntax-worker.ts',
  'hash-worker': 'src/engine/blobs/hash-worker.ts',
  'upkeep-worker': 'src/engine/maintenance/upkeep-worker.ts',
  'writer-worker': 'src/engine/writes/writer-worker.ts',
};

/**
 * Modules that an entry always imports, but only after its start. Each becomes one file with
 * everything that it imports statically.
 */
const ALWAYS_LOADED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  main: { 'run-process': 'src/cli/run-process.ts' },
  'daemon-process': { 'daemon-main': 'daemon/main.ts' },
};

/**
 * Matches all modules except the first module of the program. The first module imports nothing
 * until it has checked the version of Node.
 */
const NOT_MAIN = /^(?!.*\/src\/cli\/main\.ts$)/;

/**
 * Matches an import statement of rolldown, which is on one line. The replacement is also on one
 * line, so that the source map remains valid.
 */
const BUILTIN_IMPORT =
  /^import (?:\* as )?([\w$]+)?(?:, )?(?:\{ (.*) \})? from "(node:[\w/]+)";$/gm;

/**
 * Packages without a licence file, with the package whose licence file applies. The sources of Yoga
 * refer to the licence (MIT) and the copyright holder (Meta Platforms) of React.
 */
const LICENSED_AS: Readonly<Record<string, string>> = { 'yoga-layout': 'react' };

/**
 * Identifier of a module without code. The NUL character prevents other plugins from resolving the
 * identifier.
 */
const EMPTY = '\0empty';

/**
 * First lines of the installed command. Not every system supports Node options in a `#!` line, so
 * the shell runs the second line, which Node treats as a comment. Node itself resolves the symbolic
 * links that npm creates. Without a command, `holdfast` opens the dashboard.
 */
const LAUNCH = [
  '#!/bin/sh',
  `':' //; case "$1" in ''|dashboard) f='${DASHBOARD_V8_FLAGS.join(' ')}';; *) export ${DAEMON_ASSIGNMENTS.join(' ')}; f='${V8_FLAGS.join(' ')}';; esac; exec node $f "$0" "$@"`,
  '',
].join('\n');

process.on('exit', () => rmSync(NEW, { recursive: true, force: true }));
// An import of `string-width` gets `tui/text/string-width.ts`, which loads that package only for
// rare characters.
const installed = Object.keys(manifest.dependencies).filter((name) => name !== 'string-width');
const modules: string[] = [];
for (const [name, file] of Object.entries(ENTRIES)) modules.push(...(await build(name, file)));
const joined = packagesOf(modules);
const joinedNames = [...new Set(joined.map(nameAndVersion))];
writeFileSync(join(NEW, 'licenses.txt'), joined.map(licenseOf).join('\n'));
writeFileSync(join(NEW, 'packages.json'), `${JSON.stringify(joinedNames, null, 2)}\n`);

const main = join(FOLDER, 'main.js');
writeLaunchLines();
chmodSync(main, 0o755);
for (const [page, text] of Object.entries(manPages())) writeFileSync(join(NEW, page), text);
replaceDist();

/**
 * Returns the texts of all manual pages by file name. Throws an error if `package.json` lists other
 * pages.
 */
function manPages(): Readonly<Record<string, string>> {
  const json = execFileSync(process.execPath, [main, 'completion', 'man', '--json'], {
    encoding: 'utf8',
  });
  const { result: pages } = JSON.parse(json) as {
    readonly result: Readonly<Record<string, string>>;
  };
  const files = Object.keys(pages).map((page) => `dist/${page}`);
  if (files.toSorted().join() === manifest.man.toSorted().join()) return pages;
  throw new Error(`build: "man" of package.json must list ${files.join(', ')}`);
}

/** Builds the files of one entry. Returns the modules that they contain. */
async function build(name: string, file: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { [name]: file, ...ALWAYS_LOADED[name] },
    platform: 'node',
    external: [/^node:/, ...installed.map(withAllOf)],
    // Selects the production build of React. React would otherwise choose its development build,
    // which is half as fast.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [otherEntries(name), derivedCommands(), lighterInk(), lazyBuiltins(), oneByteText()],
    // Some modules are imported dynamically only to avoid circular imports, so an ineffective
    // dynamic import is not an error.
    checks: { ineffectiveDynamicImport: false },
    onwarn(warning) {
      throw new Error(`build: ${warning.message}`);
    },
  });
  const { output } = await bundle.write({
    dir: FOLDER,
    entryFileNames: '[name].js',
    // File names contain a hash. If another release is installed while the program runs, loading a
    // file fails. Otherwise the program would load a file of the other release.
    chunkFileNames: '[name]-[hash].js',
    // Removes comments, because source maps make them unnecessary and Node keeps the text of each
    // file in memory.
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    codeSplitting: { groups: [{ name, tags: ['$initial'], test: NOT_MAIN }] },
  });
  await bundle.close();
  return output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}

/** Keeps an entry as a separate file if another entry imports it. */
function otherEntries(own: string): Plugin {
  const others = Object.entries(ENTRIES).filter(([name]) => name !== own);
  return {
    name: 'other-entries',
    resolveId(specifier, importer = '') {
      const path = relative(ROOT, join(dirname(importer), specifier));
      const [name] = others.find(([, file]) => file === path) ?? [];
      return name && { id: `./${name}.js`, external: true };
    },
  };
}

/**
 * Replaces a module that derives commands from the schemas of all methods with the derived
 * commands.
 */
function derivedCommands(): Plugin {
  const file = join(ROOT, 'src/cli/simple-commands.ts');
  return {
    name: 'derived-commands',
    load: (id) =>
      id === file
        ? `export const SIMPLE_COMMANDS = ${JSON.stringify(SIMPLE_COMMANDS)};`
        : undefined,
  };
}

/** Replaces the `#!` line of the program with two lines, and adds a line to the source map. */
function writeLaunchLines(): void {
  const [hashbang, ...lines] = readFileSync(main, 'utf8').split('\n');
  if (hashbang !== '#!/usr/bin/env node') throw new Error(`build: main.js begins with ${hashbang}`);
  writeFileSync(main, LAUNCH + lines.join('\n'));
  const map = JSON.parse(readFileSync(`${main}.map`, 'utf8')) as { readonly mappings: string };
  writeFileSync(`${main}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }));
}

/** Replaces the files in `dist/`. Replaces each entry after the files that it imports. */
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

/**
 * Returns the paths of all files in the folder and its subfolders. The result is empty if the
 * folder does not exist.
 */
function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/**
 * Replaces those parts of Ink that take a third of the time until the first frame of the dashboard.
 */
function lighterInk(): Plugin {
  const replacements: Readonly<Record<string, string>> = {
    // Ink measures each cell of a frame. The replacement has a fast path for most characters.
    'string-width': join(ROOT, 'tui/text/string-width.ts'),
    // Ink uses only one function of `es-toolkit/compat`, which has several hundred modules.
    'es-toolkit/compat': join(ROOT, 'node_modules/es-toolkit/dist/compat/function/throttle.mjs'),
    // Connecting Ink to React's developer tools requires a package that is not installed.
    './devtools.js': EMPTY,
  };
  return {
    name: 'lighter-ink',
    resolveId: (specifier) => replacements[specifier],
    load: (id) => (id === EMPTY ? 'export {};' : undefined),
    transform(code, id) {
      // Without `fetch`, Yoga decodes its WebAssembly code itself. The first call of Node's `fetch`
      // loads an HTTP client of 6 MB.
      if (!id.endsWith('yoga-wasm-base64-esm.js')) return undefined;
      return { code: `const fetch = undefined;${code}`, map: null };
    },
  };
}

/**
 * Loads built-in modules of Node with `process.getBuiltinModule`. An `import` statement reads each
 * export, and thereby loads parts of the module that Node otherwise loads on first use. This takes
 * 0.1 s for `node:http` and 10 ms for `node:fs`.
 */
function lazyBuiltins(): Plugin {
  return {
    name: 'lazy-builtins',
    renderChunk: (code) => ({ code: code.replaceAll(BUILTIN_IMPORT, loadBuiltin), map: null }),
  };
}

/**
 * Escapes characters beyond Latin-1. V8 needs two bytes per character for a text that contains such
 * a character, and parses it more slowly.
 */
function oneByteText(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'one-byte-text',
    // Runs in `generateBundle`, because rolldown writes the strings again after `renderChunk`.
    generateBundle(_, files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\u00ff]/g, escaped);
    },
  };
}

function loadBuiltin(
  _: string,
  whole: string | undefined,
  names: string | undefined,
  module: string,
) {
  const targets = [whole, names && `{ ${names.replaceAll(' as ', ': ')} }`];
  return targets
    .filter((target) => target !== undefined)
    .map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`)
    .join(' ');
}

/** Returns a pattern that matches imports of the package and of its subpaths. */
function withAllOf(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}

/** Returns the folders of the packages that contain these files. */
function packagesOf(files: readonly string[]): string[] {
  const folders = files.map((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/**
 * Returns the name and the version of a package, such as `ink@8.0.0`, in the form that the list of
 * components uses.
 */
function nameAndVersion(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
  return `${name}@${version}`;
}

/**
 * Returns the licence text of a package. Throws an error if the package has no licence file,
 * because it must not be distributed then.
 */
function licenseOf(folder: string): string {
  const [packages = '', name = ''] = folder.split(/(?<=\/node_modules\/)(?!.*\/node_modules\/)/);
  const licensed = join(packages, LICENSED_AS[name] ?? name);
  const file = readdirSync(licensed).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`build: ${folder} has no licence file`);
  return `${name}\n\n${readFileSync(join(licensed, file), 'utf8')}`;
}
