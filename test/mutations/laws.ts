/**
 * The checks that must detect a mutant, by subject. Each check runs with the modules of the mutant.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { silentLogger } from '../../src/base/logger.ts';
import type { openEngine as OpenEngine } from '../../src/engine/engine.ts';
import type { Caller } from '../../src/object-store/caller.ts';
import { type AccessRules, checkAccessLaw } from '../helpers/access-law.ts';
import { checkEngineLaw } from '../helpers/engine-access-law.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { PLAN_LAWS, type Planner } from '../helpers/plan-law.ts';
import { wrongCells } from '../helpers/plan-table.ts';
import { STATE_LAWS, type StateModules } from '../helpers/state-law.ts';
import type { Mutant, Mutation } from './mutation.ts';

const ACCESS_RUNS = 60_000;
const ENGINE_CASES = 800;
const PLAN_RUNS = 3_000;
const STATE_RUNS = 100;
const SEED = 11;

/** A check that must detect a mutant. It rejects if the mutant breaks the tested behaviour. */
export type Law = (mutant: Mutant, mutation: Mutation) => Promise<void>;

export const ofRules: Law = async (mutant) => {
  const decide = await mutant.load<Pick<AccessRules, 'decideAccess' | 'decideMissing'>>(
    'object-store/rules/access/decide.ts',
  );
  const policy = await mutant.load<Pick<AccessRules, 'parsePolicy'>>(
    'object-store/rules/access/parse-policy.ts',
  );
  checkAccessLaw({ ...decide, ...policy }, { runs: ACCESS_RUNS, seed: SEED, endOnFailure: true });
};

export const ofEngine: Law = async (mutant, { focus = {} }) => {
  const { openEngine } = await mutant.load<{ openEngine: typeof OpenEngine }>('engine/engine.ts');
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-mutant-store-'));
  const clock = new FakeClock();
  const engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { bucketsPerProject: 1e6 },
    passive: true,
    uptime: () => undefined,
  });
  try {
    const bound = { as: (caller: Caller) => engine.as(caller), now: () => clock.now() };
    const options = { dir, cases: ENGINE_CASES, seed: SEED, endOnFailure: true, focus };
    await checkEngineLaw(bound, options);
  } finally {
    await engine.close();
    rmSync(dir, { recursive: true });
  }
};

export const ofPlanner: Law = async (mutant) => {
  const { planMirror } = await mutant.load<Pick<Planner, 'planMirror'>>('mirror/plan/plan.ts');
  const { treeOf } = await mutant.load<Pick<Planner, 'treeOf'>>('mirror/plan/tool-trees.ts');
  for (const law of Object.values(PLAN_LAWS)) {
    const options = { numRuns: PLAN_RUNS, seed: SEED, endOnFailure: true };
    fc.assert(law({ planMirror, treeOf }), options);
  }
  assert.deepEqual(wrongCells(planMirror).slice(0, 1), []);
};

export const ofState: Law = async (mutant) => {
  const load = <Name extends keyof StateModules>(file: string) =>
    mutant.load<Pick<StateModules, Name>>(`mirror/state/${file}`);
  const modules = {
    ...(await load<'openStateFile'>('state-file.ts')),
    ...(await load<'migrate'>('state-schema.ts')),
    ...(await load<'Commits'>('commits.ts')),
    ...(await load<'JournalTable'>('journal-table.ts')),
  };
  // Tries a few runs first, because one property detects most mutants quickly.
  for (const numRuns of [STATE_RUNS / 10, STATE_RUNS]) {
    const options = { numRuns, seed: SEED, endOnFailure: true, ignoreEqualValues: true };
    for (const law of Object.values(STATE_LAWS)) await fc.assert(law(modules), options);
  }
};

/**
 * Fails if a test of the mutant fails by an assertion. A test that times out or crashes has not
 * detected the broken rule.
 */
export const ofTests: Law = async (mutant, { tests }) => {
  if (!tests) throw new Error('the mutation names no test');
  for (const message of await mutant.runTests(tests))
    if (/^AssertionError|^Error: Property failed/.test(message)) assert.fail(message);
    else throw new Error(message);
};
