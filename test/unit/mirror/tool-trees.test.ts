/**
 * Tests of recognizing the folders of development tools (such as .git), whose deletes count as one
 * change.
 */

import { describe, expect, test } from 'vitest';

import type { Action } from '../../../src/mirror/plan/action.ts';
import { guardDeletes, countChanges } from '../../../src/mirror/plan/delete-limit.ts';
import { TOOL_TREES, treeOf } from '../../../src/mirror/plan/tool-trees.ts';

const KNOWN = new Set([
  'app/package.json',
  'rust/Cargo.toml',
  'py/env/pyvenv.cfg',
  'go/go.mod',
  'plain/target/report.txt',
]);
const tree = (key: string) => treeOf(key, (other) => KNOWN.has(other));

describe('recognition of the folders of development tools', () => {
  test.each([
    ['.git/objects/ab/cd', '.git/'],
    ['deep/in/.git/index', 'deep/in/.git/'],
    ['app/node_modules/a/node_modules/b/c.js', 'app/node_modules/'],
    ['app/node_modules/', 'app/node_modules/'],
    ['app/dist/main.js', 'app/dist/'],
    ['rust/target/debug/x.o', 'rust/target/'],
    ['plain/target/report.txt', undefined],
    ['plain/dist/letter.txt', undefined],
    ['py/env/lib/x.py', 'py/env/'],
    ['py/.venv/lib/x.py', 'py/.venv/'],
    ['other/env/x', undefined],
    ['go/vendor/a/b.go', 'go/vendor/'],
    ['go/vendor', undefined],
    ['node_modules', undefined],
    ['my.git/x', undefined],
    ['a', undefined],
  ])('Holdfast finds the folder of a development tool that contains %s: %s', (key, expected) => {
    expect(tree(key)).toBe(expected);
  });

  test('the list of tool folders states a reason for each kind and contains no name twice', () => {
    expect(new Set(TOOL_TREES.map(({ name }) => name)).size).toBe(TOOL_TREES.length);
    expect(TOOL_TREES.filter(({ reason }) => reason === '')).toEqual([]);
  });
});

describe('deletes below the folder of a development tool', () => {
  const deletes = (count: number, folder: string): Action[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'delete',
      key: `${folder}f${index}`,
      guard: { ifMatch: 'e' },
    }));
  const brake = {
    files: 100,
    recentDeletes: 0,
    heldBefore: 0,
    exempt: new Set<string>(),
    unitOf: (key: string) => (key.startsWith('counted/') ? undefined : (tree(key) ?? key)),
  };

  test('the mass-change guard counts all deletes below one tool folder as one change, or as none if the folder was counted before', () => {
    const all = [...deletes(900, '.git/'), ...deletes(7, 'x/'), ...deletes(30, 'counted/')];
    expect(countChanges(all, brake)).toBe(8);
    expect(countChanges(all, {})).toBe(937);
    expect(guardDeletes(all, brake).halt).toBeUndefined();
  });

  test('the mass-change guard holds the deletes below a tool folder too if the other deletes exceed its limit', () => {
    const { actions, halt } = guardDeletes([...deletes(900, '.git/'), ...deletes(50, 'x/')], brake);
    expect(actions).toEqual([]);
    expect(halt?.held).toHaveLength(950);
  });

  test('the mass-change guard holds only the deletes of files that were replaced by encrypted files', () => {
    const suspects = new Set(['x/f1', 'x/f2']);
    const { actions, halt } = guardDeletes(deletes(4, 'x/'), { ...brake, suspects });
    expect(actions.map(({ key }) => key)).toEqual(['x/f0', 'x/f3']);
    expect(halt?.held.map(({ key }) => key)).toEqual(['x/f1', 'x/f2']);
    expect(halt?.isMass).toBe(false);
  });

  test('the mass-change guard does not hold approved deletes of files that were replaced by encrypted files', () => {
    const suspects = new Set(['x/f1']);
    const exempt = new Set(['x/f1']);
    expect(guardDeletes(deletes(2, 'x/'), { ...brake, suspects, exempt }).halt).toBeUndefined();
  });
});
