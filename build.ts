/**
 * `npm run build`: creates `dist/` from the sources.
 *
 * The program has more than a thousand modules, and Node takes longer to find, read and link them than to run them. So modules
 * that are always needed together become one file, and a module that is imported on demand remains a file. Nothing is renamed or
 * minified; source maps name the line in the sources.
 *
 * Commands share files. The daemon and each thread have files of their own, which repeat code, so that each starts with one file.
 *
 * The new files replace those of the last build one by one, each by a rename, and old files are deleted last: a program that
 * is started from `dist/` at the same time (by tests, or by a service) finds all of its files.
 *
 * Packages in `dependencies` of `package.json` are installed beside the program: they are native, look for files of their own,
 * or are needed late. All other packages that the sources import are included in the files, and their licences in `licenses.txt`.
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
import { V8_FLAGS } from './src/cli/v8-flags.ts';

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
/** As deep as `dist/`, because source maps contain relative paths. */
const NEW = join(ROOT, `.dist-${process.pid}`);
/** Contains all files, so that a source finds the same files beside itself (`import.meta.url`) as before the build. */
const FOLDER = join(NEW, 'src/cli');
/** Files that are started or loaded by name, which must be the name of the source. Each is built separately. */
const ENTRIES = {
  main: 'src/cli/main.ts',
  'daemon-process': 'src/cli/daemon-process.ts',
  'syntax-worker': 'tui/syntax/syntax-worker.ts',
  'hash-worker': 'src/engine/blobs/hash-worker.ts',
  'upkeep-worker': 'src/engine/maintenance/upkeep-worker.ts',
  'writer-worker': 'src/engine/writes/writer-worker.ts',
};

/** Modules that an entry always imports, but late. Each becomes one file with everything that it needs at once. */
const ALWAYS_LOADED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  main: { 'run-process': 'src/cli/run-process.ts' },
  'daemon-process': { 'daemon-main': 'daemon/main.ts' },
};

/** Matches all modules except the program's first one, which imports nothing until it has checked Node's version. */
const NOT_MAIN = /^(?!.*\/src\/cli\/main\.ts$)/;

/** An import as rolldown writes it, on one line. The replacement is also one line, so that the source map remains valid. */
const BUILTIN_IMPORT =
  /^import (?:\* as )?([\w$]+)?(?:, )?(?:\{ (.*) \})? from "(node:[\w/]+)";$/gm;

/**
 * Packages without a licence file, and the package whose file applies: Yoga's sources name the licence (MIT) and the holder
 * (Meta Platforms) of React.
 */
const LICENSED_AS: Readonly<Record<string, string>> = { 'yoga-layout': 'react' };

/** Identifier of a module without code. The first character keeps other plugins from resolving it. */
const EMPTY = '\0empty';

/**
 * First lines of the installed command. A `#!` line cannot hold options of Node on every system, so the shell runs the second
 * line, which is a comment to Node. Node finds the file through npm's symbolic links, without any other program.
 */
const LAUNCH = `#!/bin/sh\n':' //; exec node ${V8_FLAGS.join(' ')} "$0" "$@"\n`;

process.on('exit', () => rmSync(NEW, { recursive: true, force: true }));
// What imports this package gets `tui/text/string-width.ts`, which loads the package for rare characters.
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

/** Returns all manual pages by their file names. Throws if `package.json` lists others. */
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

/** Writes the files of one entry. Returns the modules in them. */
async function build(name: string, file: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { [name]: file, ...ALWAYS_LOADED[name] },
    platform: 'node',
    external: [/^node:/, ...installed.map(withAllOf)],
    // React's development build, which it would otherwise choose at run time, is half as fast.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [otherEntries(name), derivedCommands(), lighterInk(), lazyBuiltins(), oneByteText()],
    // Some modules are imported late only to avoid a circle of imports, although they are needed at once.
    checks: { ineffectiveDynamicImport: false },
    onwarn(warning) {
      throw new Error(`build: ${warning.message}`);
    },
  });
  const { output } = await bundle.write({
    dir: FOLDER,
    entryFileNames: '[name].js',
    // If another release is installed while the program runs, it fails to load a file instead of loading one of that release.
    chunkFileNames: '[name]-[hash].js',
    // Source maps replace comments, and Node keeps the text of each file in memory.
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    codeSplitting: { groups: [{ name, tags: ['$initial'], test: NOT_MAIN }] },
  });
  await bundle.close();
  return output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}

/** Keeps an entry as a separate file if another one imports it. */
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

/** Replaces the module that derives the simple commands from the schemas of all methods by the derived commands. */
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

/** Replaces the `#!` line of the program, and adds a line to its source map. */
function writeLaunchLines(): void {
  const [hashbang, ...lines] = readFileSync(main, 'utf8').split('\n');
  if (hashbang !== '#!/usr/bin/env node') throw new Error(`build: main.js begins with ${hashbang}`);
  writeFileSync(main, LAUNCH + lines.join('\n'));
  const map = JSON.parse(readFileSync(`${main}.map`, 'utf8')) as { readonly mappings: string };
  writeFileSync(`${main}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }));
}

/** Replaces the files in `dist/`. Each entry is replaced after the files that it imports. */
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

/** Returns the paths of all files below the folder; empty if it does not exist. */
function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** Replaces the parts of Ink that take a third of the time to the dashboard's first frame. */
function lighterInk(): Plugin {
  const replacements: Readonly<Record<string, string>> = {
    // Ink measures each cell of a frame. This function has a fast path for most characters.
    'string-width': join(ROOT, 'tui/text/string-width.ts'),
    // Ink uses one function of several hundred modules.
    'es-toolkit/compat': join(ROOT, 'node_modules/es-toolkit/dist/compat/function/throttle.mjs'),
    // Ink's connection to React's developer tools needs a package that is not installed.
    './devtools.js': EMPTY,
  };
  return {
    name: 'lighter-ink',
    resolveId: (specifier) => replacements[specifier],
    load: (id) => (id === EMPTY ? 'export {};' : undefined),
    transform(code, id) {
      // Without `fetch`, Yoga decodes its WebAssembly itself. Node's `fetch` loads an HTTP client of 6 MB on the first call.
      if (!id.endsWith('yoga-wasm-base64-esm.js')) return undefined;
      return { code: `const fetch = undefined;${code}`, map: null };
    },
  };
}

/**
 * Loads Node's modules by `process.getBuiltinModule`. An `import` reads each export, and so loads the parts of the module
 * that Node loads on first use: 0.1 s for `node:http`, 10 ms for `node:fs`.
 */
function lazyBuiltins(): Plugin {
  return {
    name: 'lazy-builtins',
    renderChunk: (code) => ({ code: code.replaceAll(BUILTIN_IMPORT, loadBuiltin), map: null }),
  };
}

/** Escapes characters beyond Latin-1: V8 stores a text that contains one with two bytes per character, and parses it more slowly. */
function oneByteText(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'one-byte-text',
    // This is later than `renderChunk`, after which rolldown writes the strings again.
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

/** Returns a pattern for imports of the package and of the paths that it exports. */
function withAllOf(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}

/** Returns the folders of the packages that contain the files. */
function packagesOf(files: readonly string[]): string[] {
  const folders = files.map((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/** Returns the name and the version of a package, such as `ink@8.0.0`. The list of components has these. */
function nameAndVersion(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
  return `${name}@${version}`;
}

/** Throws if a package has no licence file: it must not be distributed then. */
function licenseOf(folder: string): string {
  const [packages = '', name = ''] = folder.split(/(?<=\/node_modules\/)(?!.*\/node_modules\/)/);
  const licensed = join(packages, LICENSED_AS[name] ?? name);
  const file = readdirSync(licensed).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`build: ${folder} has no licence file`);
  return `${name}\n\n${readFileSync(join(licensed, file), 'utf8')}`;
}
