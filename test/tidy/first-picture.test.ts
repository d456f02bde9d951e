/**
 * Tests that commands start, and that the dashboard draws its first screen, without first loading
 * modules that they need only later.
 */

import { join } from 'node:path/posix';

import { expect, test } from 'vitest';

import { importsOf, sourceFiles } from './source-files.ts';

const texts = new Map(sourceFiles('src', 'tui').map(({ path, text }) => [path, text]));

/**
 * Returns all files and packages that a module imports statically, directly or through other
 * modules.
 */
function broughtBy(path: string, brought = new Set<string>()): ReadonlySet<string> {
  for (const { from, dynamic, typeOnly } of importsOf(texts.get(path) ?? '')) {
    const target = from.startsWith('.') ? join(path, '..', from) : from;
    if (dynamic || typeOnly || brought.has(target)) continue;
    brought.add(target);
    broughtBy(target, brought);
  }
  return brought;
}

test.each(['src/cli/run-process.ts', 'src/cli/commands/daemon/dashboard.ts', 'tui/main.ts'])(
  'importing %s loads neither React nor the schemas of the control protocol',
  (path) => {
    expect(texts.has(path)).toBe(true);
    expect([...broughtBy(path)].filter((each) => /^(?:ink|react|zod|yaml)$/.test(each))).toEqual(
      [],
    );
  },
);

test('importing the dashboard loads Ink, but no screens, schemas or daemon client', () => {
  const brought = [...broughtBy('tui/dashboard.tsx')];
  expect(brought).toContain('ink');
  const late =
    /^(?:zod|yaml|vscode-jsonrpc)|-screen\.ts$|^src\/control\/(?:client|messages|methods)/;
  expect(brought.filter((each) => late.test(each))).toEqual([]);
});
