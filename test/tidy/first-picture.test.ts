/** The first picture comes before what it does not need is loaded, which is most of the dashboard. */

import { join } from 'node:path/posix';

import { expect, test } from 'vitest';

import { importsOf, sourceFiles } from './source-files.ts';

const texts = new Map(sourceFiles('src', 'tui').map(({ path, text }) => [path, text]));

/** All that a module brings when it is imported: files of ours and packages. */
function broughtBy(path: string, brought = new Set<string>()): ReadonlySet<string> {
  for (const { from, dynamic, typeOnly } of importsOf(texts.get(path) ?? '')) {
    const target = from.startsWith('.') ? join(path, '..', from) : from;
    if (dynamic || typeOnly || brought.has(target)) continue;
    brought.add(target);
    broughtBy(target, brought);
  }
  return brought;
}

test.each(['src/cli/dashboard.ts', 'tui/main.ts'])(
  '%s alone brings neither React nor schemas',
  (path) => {
    expect(texts.has(path)).toBe(true);
    expect([...broughtBy(path)].filter((each) => /^(?:ink|react|zod|yaml)$/.test(each))).toEqual(
      [],
    );
  },
);

test('the dashboard brings Ink, and no screen, no schema and no client of the daemon', () => {
  const brought = [...broughtBy('tui/dashboard.tsx')];
  expect(brought).toContain('ink');
  const late =
    /^(?:zod|yaml|vscode-jsonrpc)|-screen\.ts$|^src\/control\/(?:client|messages|methods)/;
  expect(brought.filter((each) => late.test(each))).toEqual([]);
});
