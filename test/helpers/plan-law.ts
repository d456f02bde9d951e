/**
 * Properties that every sync plan of the planner must have. The planner is a parameter, so that
 * mutants can be tested, too.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import type { planMirror } from '../../src/mirror/plan/plan.ts';
import { TOOL_TREES, type treeOf } from '../../src/mirror/plan/tool-trees.ts';
import { baselineOf, entry, planInput } from './plan-cells.ts';
import { GUARD_LAWS } from './plan-guard-law.ts';
import { HEAD_LAWS } from './plan-head-law.ts';
import { HISTORY_LAWS } from './plan-histories.ts';

/** Functions under test: the real planner, or a mutant. */
export interface Planner {
  readonly planMirror: typeof planMirror;
  readonly treeOf: typeof treeOf;
}

/** Creates a property of the planner for the real planner or for a mutant. */
export type PlanLaw = (planner: Planner) => fc.IRawProperty<unknown, false>;

const FOLDERS = ['a', 'a/b', 'a/b/c', 'ab', ''];
const KEYS = ['top', 'a/x', 'a/b/y', 'a/b/c/z', 'ab/z', 'b/a/x'];

const NAMES = ['.git', 'node_modules', 'target', 'venv', 'dist', 'src', 'a'];
const IDENTIFYING = ['package.json', 'Cargo.toml', 'pyvenv.cfg'];

/**
 * Returns the outermost tool folder (such as `.git`) that contains a key, according to the list of
 * tool folders.
 */
function naiveTreeOf(key: string, mirrored: ReadonlySet<string>): string | undefined {
  const names = key.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const above = names
      .slice(0, depth - 1)
      .map((name) => `${name}/`)
      .join('');
    const folder = `${above}${names[depth - 1]}/`;
    const tool = TOOL_TREES.find(({ name }) => name === names[depth - 1]);
    const marks =
      tool?.inside === undefined
        ? tool?.siblings?.map((name) => above + name)
        : [folder + tool.inside];
    if (tool && (marks ?? ['']).some((mark) => !marks || mirrored.has(mark))) return folder;
  }
  return undefined;
}

const SCAN_LAWS: Readonly<Record<string, PlanLaw>> = {
  'a file is deleted from the bucket only if its folder was listed completely': (planner) =>
    fc.property(fc.subarray(FOLDERS), fc.subarray(KEYS), (unlisted, keys) => {
      const baseline = Object.fromEntries(keys.map((key) => [key, baselineOf(entry(key))]));
      const plan = planner.planMirror(planInput({ baseline, unlisted }));
      const isHidden = (key: string) =>
        unlisted.some((folder) => folder === '' || key.startsWith(`${folder}/`));
      assert.deepEqual(
        plan.actions.map(({ key }) => key),
        keys.filter((key) => !isHidden(key)),
      );
      assert.deepEqual(
        plan.notes,
        keys.filter(isHidden).map((key) => ({ key, is: 'not seen' })),
      );
    }),
  'the tool folder of a key is the outermost folder that its name and its files identify as one': (
    planner,
  ) =>
    fc.property(
      fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...IDENTIFYING))),
      (folders, files) => {
        const key = [...folders, 'f'].join('/');
        const pathOf = (depth: number, name: string) =>
          [...folders.slice(0, depth), name].join('/');
        const mirrored = new Set(files.map(([depth, name]) => pathOf(depth, name)));
        const found = planner.treeOf(key, (other) => mirrored.has(other));
        assert.equal(found, naiveTreeOf(key, mirrored));
      },
    ),
};

export const PLAN_LAWS: Readonly<Record<string, PlanLaw>> = {
  ...HISTORY_LAWS,
  ...HEAD_LAWS,
  ...GUARD_LAWS,
  ...SCAN_LAWS,
};
