/**
 * Properties of the planner in random histories of a folder and a bucket to which another client
 * also writes. The planner is a parameter, so that mutants can be tested, too.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { BucketModel } from './bucket-model.ts';
import type { PlanLaw, Planner } from './plan-law.ts';

const KEYS = ['a', 'b/c', 'd'];
const POLICIES = fc.record({
  kind: fc.constantFrom('unversioned', 'versioned', 'object-lock'),
  conflict: fc.constantFrom('keep-both', 'local', 'remote', 'ask'),
  drift: fc.constantFrom('report', 'enforce'),
  isFirstRound: fc.boolean(),
} as const);

/** Generates random steps of the job's user and of another client. With `same`, both write the same content. */
const STEPS = fc.array(
  fc.record({
    do: fc.constantFrom(
      'write',
      'write',
      'delete',
      'write there',
      'write there',
      'delete there',
      'sync',
    ),
    key: fc.constantFrom(...KEYS),
    same: fc.boolean(),
  } as const),
  { maxLength: 30 },
);
type Step = (typeof STEPS extends fc.Arbitrary<infer T> ? T : never)[number];
type Policy = typeof POLICIES extends fc.Arbitrary<infer P> ? P : never;

/**
 * Applies a step to the model: a write or delete in the folder, or in the bucket by the other
 * client.
 */
function apply(model: BucketModel, { do: what, key, same }: Step, number: number): void {
  if (what === 'write') model.writeLocal(key, same ? 'same' : `ours ${number}`);
  if (what === 'delete') model.local.delete(key);
  if (what === 'write there') model.writeRemote(key, same ? 'same' : `theirs ${number}`);
  if (what === 'delete there') model.deleteRemote(key);
}

/**
 * Creates a property from a function that runs one history and calls `sync` for each sync round.
 */
const inHistories =
  (onSync: (model: BucketModel) => void, atEnd: (model: BucketModel) => void = () => undefined) =>
  ({ planMirror }: Planner) =>
    fc.property(POLICIES, STEPS, ({ kind, ...policy }: Policy, steps) => {
      const lock = kind === 'object-lock' ? { lock: { days: 30, refreshDays: 7 } } : {};
      const model = new BucketModel(kind, { ...policy, ...lock }, planMirror);
      for (const [number, step] of steps.entries()) {
        apply(model, step, number);
        if (step.do === 'sync') onSync(model);
      }
      atEnd(model);
    });

export const HISTORY_LAWS: Readonly<Record<string, PlanLaw>> = {
  'after a plan is executed, the next plan contains no actions': inHistories((model) => {
    model.carryOut(model.plan());
    assert.deepEqual(model.plan().actions, []);
  }),
  'no overwritten or deleted content is lost, and the conflict log lists every object that was overwritten':
    inHistories((model) => {
      const theirs = KEYS.flatMap((key) => model.foreign(key) ?? []);
      const files = [...model.local.values()].map(({ sha256 }) => sha256);
      const recorded = model.ledger.length;
      const plan = model.plan();
      const covered = plan.conflicts.filter(({ outcome }) => outcome === 'kept-both');
      model.carryOut(plan);
      for (const { bytes } of theirs) assert.ok(isReadable(model, bytes), `lost ${bytes}`);
      for (const bytes of files) assert.ok(isReadable(model, bytes), `lost ${bytes}`);
      assert.deepEqual(
        model.ledger.slice(recorded),
        covered.map(({ head }) => head.etag),
      );
    }),
  'a file that equals its object in the bucket is adopted without any transfer': inHistories(
    (model) => model.carryOut(model.plan()),
    (model) => {
      for (const key of KEYS) {
        const head = model.head(key);
        if (head) model.writeLocal(key, head.bytes);
        else model.local.delete(key);
      }
      const plan = model.plan();
      assert.deepEqual(plan.conflicts, []);
      for (const { kind } of plan.actions) assert.ok(kind === 'adopt' || kind === 'drop-baseline');
      model.carryOut(plan);
      assert.deepEqual(model.plan().actions, []);
    },
  ),
};

/** Returns true if the folder or the bucket still contains these bytes. */
function isReadable(model: BucketModel, bytes: string): boolean {
  const isHere = [...model.local.values()].some(({ sha256 }) => sha256 === bytes);
  return isHere || model.isReadable(bytes);
}
