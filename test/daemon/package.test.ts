/**
 * Tests of the package file that `npm pack` creates. `npm run test:install` installs the package.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../../.ci/packages/npm.ts';
import { isWithinBand, statedMegabytes } from '../install/figures.ts';
import { parsedJson } from '../helpers/run-cli.ts';

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** Matches modules that start to work when they are imported: main modules and worker threads. */
const STARTS = /\/(?:main|[a-z]+-worker)\.js$/;

describe('the package file', () => {
  let packed: Packed;
  let paths: readonly string[];

  beforeAll(() => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const returned: unknown = parsedJson(
      execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }),
    );
    [packed] = returned as [Packed];
    paths = packed.files.map(({ path }) => path);
  });

  it('the package contains all built files', () => {
    const built = readdirSync(join(ROOT, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
    expect(paths).toEqual(expect.arrayContaining(built));
  });

  it('the package contains the documents for users, and no development files', () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'config.example.yaml',
        'docs/start/install.md',
      ]),
    );
    const places =
      /^(dist\/src\/cli\/[^/]*\.js(\.map)?|dist\/(holdfast|holdfast(-[a-z0-9-]+)?\.1|licenses\.txt|packages\.json)|docs\/.*|src\/engine\/FORMAT\.md)$/;
    const others = paths.filter((path) => path.includes('/') && !places.test(path));
    expect(others).toEqual([]);
  });

  it('each module of the package loads with its imports', () => {
    const files = paths
      .filter((path) => path.startsWith('dist/') && path.endsWith('.js') && !STARTS.test(path))
      .map((path) => pathToFileURL(join(ROOT, path)).href);
    expect(files.length).toBeGreaterThan(100);
    const load = `for (const file of ${JSON.stringify(files)}) await import(file); process.exit();`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', load]);
  });

  it('the package contains the program as an executable file', () => {
    expect(packed.files.find(({ path }) => path === 'dist/src/cli/main.js')?.mode).toBe(0o755);
  });

  it('the package has the size that docs/start/install.md states', () => {
    expect(isWithinBand(statedMegabytes().tarball, packed.size)).toBe(true);
  });
});
