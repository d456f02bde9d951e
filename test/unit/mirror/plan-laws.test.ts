/**
 * Tests of properties of the planner with random histories of a folder and a bucket that has a
 * second writer.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { BucketModel } from '../../helpers/bucket-model.ts';

const KEYS = ['a', 'b/c', 'd'];
const POLICIES = fc.record({
  kind: fc.constantFrom('unversioned', 'versioned', 'object-lock'),
  conflict: fc.constantFrom('keep-both', 'local', 'remote', 'ask'),
  drift: fc.constantFrom('report', 'enforce'),
  isFirstRound: fc.boolean(),
} as const);

/** Random steps of both writers. With `same`, both write the same content. */
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

/**
 * Applies one step to the model: a local write or delete, or one by the other client in the bucket.
 */
function apply(model: BucketModel, { do: what, key, same }: Step, number: number): void {
  if (what === 'write') model.writeLocal(key, same ? 'same' : `ours ${number}`);
  if (what === 'delete') model.local.delete(key);
  if (what === 'write there') model.writeRemote(key, same ? 'same' : `theirs ${number}`);
  if (what === 'delete there') model.deleteRemote(key);
}

function openModel({ kind, ...policy }: typeof POLICIES extends fc.Arbitrary<infer P> ? P : never) {
  const lock = kind === 'object-lock' ? { lock: { days: 30, refreshDays: 7 } } : {};
  return new BucketModel(kind, { ...policy, ...lock });
}

describe('property: random histories of both writers', () => {
  test('property: after a plan was carried out, the next plan has no actions', () => {
    fc.assert(
      fc.property(POLICIES, STEPS, (policy, steps) => {
        const model = openModel(policy);
        for (const [number, step] of steps.entries()) {
          apply(model, step, number);
          if (step.do !== 'sync') continue;
          model.carryOut(model.plan());
          expect(model.plan().actions).toEqual([]);
        }
      }),
    );
  });

  test('property: no overwritten or deleted content is lost, and the conflict log lists every overwritten object', () => {
    fc.assert(
      fc.property(POLICIES, STEPS, (policy, steps) => {
        const model = openModel(policy);
        for (const [number, step] of steps.entries()) {
          apply(model, step, number);
          if (step.do !== 'sync') continue;
          const theirs = KEYS.flatMap((key) => model.foreign(key) ?? []);
          const files = [...model.local.values()].map(({ sha256 }) => sha256);
          const recorded = model.ledger.length;
          const plan = model.plan();
          const covered = plan.conflicts.filter(({ outcome }) => outcome === 'kept-both');
          model.carryOut(plan);
          for (const { bytes } of theirs) expect(readable(model, bytes)).toBe(true);
          for (const bytes of files) expect(readable(model, bytes)).toBe(true);
          expect(model.ledger.slice(recorded)).toEqual(covered.map(({ head }) => head.etag));
        }
      }),
    );
  });

  test('property: files that equal the objects in the bucket are adopted without any transfer', () => {
    fc.assert(
      fc.property(POLICIES, STEPS, (policy, steps) => {
        const model = openModel(policy);
        for (const [number, step] of steps.entries()) {
          apply(model, step, number);
          if (step.do === 'sync') model.carryOut(model.plan());
        }
        for (const key of KEYS) {
          const head = model.head(key);
          if (head) model.writeLocal(key, head.bytes);
          else model.local.delete(key);
        }
        const { actions, conflicts } = model.plan();
        expect(conflicts).toEqual([]);
        for (const { kind } of actions) expect(['adopt', 'drop-baseline']).toContain(kind);
        model.carryOut({ ...model.plan(), actions });
        expect(model.plan().actions).toEqual([]);
      }),
    );
  });
});

/** Returns whether the content still exists in the folder or in the bucket. */
function readable(model: BucketModel, bytes: string): boolean {
  const isHere = [...model.local.values()].some(({ sha256 }) => sha256 === bytes);
  return isHere || model.isReadable(bytes);
}
