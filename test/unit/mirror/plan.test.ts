/**
 * Tests of planner cases outside the decision table in plan-table.test.ts: unread and held objects,
 * and changed file types.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { planMirror } from '../../../src/mirror/plan/plan.ts';
import { type BucketKind, type Head, LOCK_UNSEEN } from '../../../src/mirror/model/types.ts';
import {
  baselineOf,
  describePlan,
  entry,
  NOW,
  planInput,
  type PlanParts,
  policy,
  THEIRS,
} from '../../helpers/plan-cells.ts';

const DAY_MS = 24 * 3_600_000;
const LOCK = { days: 30, refreshDays: 7 };
const BUCKETS: readonly BucketKind[] = ['unversioned', 'versioned', 'object-lock'];

/** The local states of a file, keyed by the letters of the decision table in plan-table.test.ts. */
const LOCAL: Record<string, PlanParts> = {
  U: { baseline: { f: baselineOf(entry('f')) }, entries: { f: entry('f') } },
  C: {
    baseline: { f: baselineOf(entry('f')) },
    entries: { f: entry('f', { mtimeMs: 2_000, sizeBytes: 11 }) },
  },
  D: { baseline: { f: baselineOf(entry('f')) } },
  N: { entries: { f: entry('f', { sizeBytes: 11 }) } },
  E: { baseline: { f: baselineOf(entry('f')) }, excluded: ['f'] },
  '–': {},
};
describe.each(BUCKETS)(
  'a bucket (%s) that lost the newest version, so that an older version of the job is current',
  (bucket) => {
    const older = {
      etag: 'older',
      sizeBytes: 10,
      versionId: 'v0',
      sha256: 'ours',
      isOutdated: true,
    };

    test.each([
      ['U', 'put drifted if older; outdated'],
      ['C', 'put drifted if older; outdated'],
      ['D', 'drop-baseline; outdated and deleted'],
      ['E', 'no longer mirrored'],
      ['–', 'foreign'],
    ])(
      'the planner handles an outdated current version for local state %s: %s',
      (local, expected) => {
        const parts = { ...LOCAL[local], remote: { f: older }, policy: { bucket } };
        expect(describePlan(planMirror(planInput(parts)))).toBe(expected);
      },
    );
  },
);

describe('an object of unknown content with the same size as the file', () => {
  const { sha256: _, ...unknown } = THEIRS as Extract<typeof THEIRS, object>;
  const changed = entry('f', { mtimeMs: 2_000 });
  const baseline = { f: baselineOf(entry('f')) };
  const planOf = (parts: PlanParts, head: object = {}) =>
    describePlan(planMirror(planInput({ remote: { f: { ...unknown, ...head } }, ...parts })));

  test.each([
    ['a changed file', { baseline, entries: { f: changed } }],
    ['a new file', { entries: { f: changed } }],
    [
      'a file that drift: enforce would upload over the object',
      { baseline, entries: { f: entry('f') }, policy: { drift: 'enforce' } },
    ],
  ] as const)(
    'the planner compares the content of %s with an object of the same size only once',
    (_what, parts) => {
      expect(planOf(parts)).toBe('examine head file content');
      expect(planOf(parts, { isCompared: true })).toContain('conflict kept-both');
      const sha256 = 'equal';
      const read = { f: { ...parts.entries.f, sha256 } };
      expect(planOf({ ...parts, entries: read }, { isCompared: true, sha256 })).toBe('adopt');
    },
  );

  test("the planner compares the content even if the object's metadata names the last upload of the job", () => {
    const known = { f: baselineOf(entry('f'), { uploadedAt: 5 }) };
    const parts = { baseline: known, entries: { f: changed } };
    expect(planOf(parts, { uploadedAt: 5, sha256: 'ours' })).toBe('examine head file content');
  });

  test.each([
    [
      'an unchanged file that is not uploaded over the object',
      { entries: { f: entry('f') } },
      {},
      'drifted',
    ],
    ['an object of another size', { entries: { f: changed } }, { sizeBytes: 9 }, 'kept-both'],
    [
      'an object that is a symbolic link',
      { entries: { f: changed } },
      { isLink: true },
      'kept-both',
    ],
  ])(
    'the planner does not read a file and an object to compare their content for %s',
    (_what, parts, head, expected) => {
      expect(planOf({ baseline, ...parts }, head)).toContain(expected);
    },
  );
});

describe('objects and files with equal checksums', () => {
  const same = { ...(THEIRS as object), sha256: 'same' } as typeof THEIRS;

  test.each(['report', 'enforce'] as const)(
    "the planner treats an object that another client rewrote with the file's content as backed up (setting drift: %s)",
    (drift) => {
      const baseline = { f: baselineOf(entry('f'), { sha256: 'same' }) };
      const plan = planMirror(
        planInput({ baseline, entries: { f: entry('f') }, remote: { f: same }, policy: { drift } }),
      );
      expect(describePlan(plan)).toBe('adopt');
    },
  );

  test.each(['keep-both', 'local', 'remote', 'ask'] as const)(
    'the planner treats an existing object with the content of a new file as its backup in the first sync round (setting conflict: %s)',
    (conflict) => {
      const plan = planMirror(
        planInput({
          entries: { f: { ...entry('f'), sha256: 'same' } },
          remote: { f: same },
          policy: { conflict, isFirstRound: true },
        }),
      );
      expect(describePlan(plan)).toBe('adopt');
    },
  );

  test('the planner does not upload a file again if its timestamps changed but its checksum did not', () => {
    const plan = planMirror(
      planInput({
        baseline: { f: baselineOf(entry('f')) },
        entries: { f: { ...entry('f', { mtimeMs: 5 }), sha256: 'ours' } },
      }),
    );
    expect(describePlan(plan)).toBe('adopt');
  });

  test('the planner uploads a file whose checksum changed even if its timestamps are unchanged', () => {
    const baseline = { f: baselineOf(entry('f'), { sha256: 'torn' }) };
    const entries = (sha256: string) => ({ f: { ...entry('f'), sha256 } });
    const planned = (sha256: string) =>
      planMirror(planInput({ baseline, entries: entries(sha256) }));
    expect(planned('torn').actions).toEqual([]);
    expect(planned('whole').actions).toMatchObject([
      { kind: 'put', key: 'f', why: 'changed', guard: { ifMatch: baseline.f.etag } },
    ]);
  });

  test('the planner uploads a new version of a file if only its mode changed', () => {
    const plan = planMirror(
      planInput({
        baseline: { f: baselineOf(entry('f')) },
        entries: { f: { ...entry('f', { ctimeMs: 5, mode: 0o600 }), sha256: 'ours' } },
      }),
    );
    expect(describePlan(plan)).toBe('put changed if ours');
  });
});

describe('objects that are known only from a listing', () => {
  const listed = { f: { etag: 'theirs', sizeBytes: 10, listed: true } };

  test.each(['U', 'C', 'D', 'N'])(
    'the planner sends a HEAD request before any other action if an object is only known from a listing, for local state %s',
    (local) => {
      const plan = planMirror(planInput({ ...LOCAL[local], remote: listed }));
      expect(describePlan(plan)).toBe('examine head');
    },
  );

  test('the planner hashes a new file if an object of the same size exists under its key', () => {
    const plan = planMirror(planInput({ entries: { f: entry('f') }, remote: { f: THEIRS } }));
    expect(describePlan(plan)).toBe('examine file');
  });

  test('the planner treats an existing empty object as the backup of a new empty file without hashing', () => {
    const head = { etag: 'e', sizeBytes: 0 };
    const plan = planMirror(
      planInput({ entries: { f: entry('f', { sizeBytes: 0 }) }, remote: { f: head } }),
    );
    expect(describePlan(plan)).toBe('adopt');
  });
});

describe('objects in folders that could not be listed', () => {
  const keys = ['top', 'a/x', 'a/b/y', 'ab/z'];
  const baseline = Object.fromEntries(keys.map((key) => [key, baselineOf(entry(key))]));

  test.each([
    ['', []],
    ['a', ['top', 'ab/z']],
    ['a/b', ['top', 'a/x', 'ab/z']],
    ['ab', ['top', 'a/x', 'a/b/y']],
  ])(
    'the planner deletes no object below folder %j if the folder could not be listed',
    (folder, deleted) => {
      const plan = planMirror(planInput({ baseline, unlisted: [folder] }));
      expect(plan.actions.map(({ key }) => key)).toEqual(deleted);
      expect(plan.notes.every(({ is }) => is === 'not seen')).toBe(true);
    },
  );
});

describe('an object with the ETag of the last upload', () => {
  const known = baselineOf(entry('f'));
  const planOf = (remote: Partial<Head> & { readonly listed?: boolean }, local = entry('f')) =>
    describePlan(
      planMirror(
        planInput({
          baseline: { f: known },
          entries: { f: local },
          remote: { f: { etag: known.etag, sizeBytes: 10, ...remote } },
        }),
      ),
    );

  test('the planner treats another version with the ETag of the last upload as backed up, but uploads a changed file', () => {
    expect(planOf({ versionId: 'v2' })).toBe('adopt');
    expect(planOf({ versionId: 'v2' }, entry('f', { mtimeMs: 2_000 }))).toContain('put changed');
  });

  test('the planner plans nothing if the object has the ETag of the last upload and the same or an unknown version id', () => {
    expect(planOf({ versionId: 'v1' })).toBe('nothing');
    expect(planOf({})).toBe('nothing');
  });

  test("the planner sends a HEAD request first if the object's ETag is only known from a listing", () => {
    expect(planOf({ listed: true })).toBe('examine head');
  });
});

describe('retention of an unchanged file and a missing object', () => {
  test.each([
    ['due or missing (it is renewed outside sync rounds)', undefined, 'nothing'],
    ['not yet due', NOW + 30 * DAY_MS, 'nothing'],
    ['not confirmed yet', LOCK_UNSEEN, 'confirm-lock'],
  ])(
    'the planner plans the right action for an unchanged file whose lock is %s',
    (_, retainUntil, expected) => {
      const known = baselineOf(entry('f'), retainUntil === undefined ? {} : { retainUntil });
      const plan = planMirror(
        planInput({
          baseline: { f: known },
          entries: { f: entry('f') },
          policy: { bucket: 'object-lock', lock: LOCK },
        }),
      );
      expect(describePlan(plan)).toBe(expected);
    },
  );

  test.each([
    [DAY_MS - 1, 'contested'],
    [DAY_MS, 'copy v1 to head else put missing if absent'],
  ])(
    'the planner restores a missing object whose last restore was %d ms ago only if a day has passed: %s',
    (ago, expected) => {
      const known = baselineOf(entry('f'), { reprotectedAt: NOW - ago });
      const plan = planMirror(
        planInput({ baseline: { f: known }, entries: { f: entry('f') }, remote: { f: 'absent' } }),
      );
      expect(describePlan(plan)).toBe(expected);
    },
  );
});

describe('a path whose file type changed', () => {
  test('the planner deletes the object of a file after uploading the folder that replaced the file', () => {
    const plan = planMirror(
      planInput({
        baseline: { a: baselineOf(entry('a')) },
        entries: { 'a/': entry('a', { kind: 'directory' }), 'a/b': entry('a/b') },
      }),
    );
    expect(describePlan(plan)).toBe('put new if absent; put new if absent; delete if ours');
  });

  test('the planner replaces the object of a file that became a symbolic link with one conditional put', () => {
    const plan = planMirror(
      planInput({
        baseline: { a: baselineOf(entry('a')) },
        entries: { a: entry('a', { kind: 'symlink' }) },
      }),
    );
    expect(describePlan(plan)).toBe('put changed if ours');
  });
});

describe('the mass-change guard on deletes', () => {
  const deletes = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${index}`, baselineOf(entry(`${index}`))]),
    );

  test.each([
    { files: 100, recent: 0, count: 50, halts: false },
    { files: 100, recent: 0, count: 51, halts: true },
    { files: 100, recent: 50, count: 1, halts: true },
    { files: 2_000, recent: 0, count: 200, halts: false },
    { files: 2_000, recent: 1, count: 200, halts: true },
  ])(
    'the planner decides whether to hold $count deletes in a job with $files files after $recent recent deletes: $halts',
    ({ files, recent, count, halts }) => {
      const deleteGuard = {
        files,
        recentDeletes: recent,
        heldBefore: 0,
        exempt: new Set<string>(),
      };
      const plan = planMirror(planInput({ baseline: deletes(count), policy: { deleteGuard } }));
      expect(plan.halt !== undefined).toBe(halts);
      expect(plan.actions.length + (plan.halt?.held.length ?? 0)).toBe(count);
    },
  );

  test('the planner does not count renames as deletes, and continues uploads while deletes are held for review', () => {
    const baseline = deletes(60);
    const exempt = new Set(Object.keys(baseline).slice(0, 20));
    const deleteGuard = { files: 100, recentDeletes: 0, heldBefore: 0, exempt };
    expect(planMirror(planInput({ baseline, policy: { deleteGuard } })).halt).toBeUndefined();
    const halted = planMirror(
      planInput({
        baseline,
        entries: { new: entry('new') },
        policy: { deleteGuard: { ...deleteGuard, exempt: new Set() } },
      }),
    );
    expect([halted.halt?.isMass, halted.halt?.held.length]).toEqual([true, 60]);
    expect(describePlan(halted)).toBe('put new if absent');
  });
});

describe('properties of the planner with random inputs', () => {
  const keys = ['a', 'b/c', 'd'];
  const content = fc.constantFrom('one', 'two', 'three');
  const side = fc.dictionary(fc.constantFrom(...keys), content);

  test('property: each write requires the current version that the job knows, and overwrites only content that is preserved', () => {
    const sides = fc.record({ known: side, tree: side, remote: side });
    const policies = fc.record({
      bucket: fc.constantFrom(...BUCKETS),
      conflict: fc.constantFrom('keep-both', 'local', 'remote', 'ask'),
      drift: fc.constantFrom('report', 'enforce'),
      isFirstRound: fc.boolean(),
    } as const);
    fc.assert(
      fc.property(sides, policies, ({ known, tree, remote }, changes) => {
        const plan = planMirror(
          planInput({
            baseline: mapValues(known, (text, key) =>
              baselineOf(entry(key), { sha256: text, etag: text }),
            ),
            entries: mapValues(tree, (text, key) => ({
              ...entry(key, { inode: text.length + 10 }),
              sha256: text,
            })),
            remote: {
              ...mapValues({ ...known, ...tree }, () => 'absent' as const),
              ...mapValues(remote, (text) => ({ etag: text, sizeBytes: 10, sha256: text })),
            },
            policy: policy(changes),
          }),
        );
        for (const action of plan.actions) {
          if (action.kind !== 'put' && action.kind !== 'delete') continue;
          const head = remote[action.key];
          const guard = 'ifMatch' in action.guard ? action.guard.ifMatch : undefined;
          expect(guard).toBe(head);
          const isForeign = head !== undefined && head !== known[action.key];
          if (isForeign)
            expect(action.kind === 'put' && changes.bucket !== 'unversioned').toBe(true);
          if (isForeign && action.kind === 'put') expect(action.supersedes?.etag).toBe(head);
        }
      }),
    );
  });
});

function mapValues<V, W>(
  record: Readonly<Record<string, V>>,
  map: (value: V, key: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
