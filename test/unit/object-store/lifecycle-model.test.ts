/**
 * Property tests of lifecycle runs with random keys, rules and times, on a model that applies the
 * resulting actions.
 */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { DAY_MS } from '../../../src/base/durations.ts';
import type { Expiration, LifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { checkLifecycle } from '../../../src/object-store/rules/lifecycle.ts';
import { ActiveRules } from '../../../src/object-store/rules/lifecycle-rules.ts';
import {
  type Verdict,
  walkEnd,
  type WalkedVersion,
  walkNext,
  type WalkState,
} from '../../../src/object-store/rules/lifecycle-walk.ts';

interface ModelVersion extends WalkedVersion {
  readonly id: number;
}

type Mode = 'never' | 'Enabled' | 'Suspended';
const versioningOf = (mode: Mode) => (mode === 'never' ? undefined : mode);

const NOW = 100 * DAY_MS + 1234;
const tag = fc.record({ key: fc.constantFrom('k', 'l'), value: fc.constantFrom('v', 'w') });
const tags = fc.uniqueArray(tag, { maxLength: 2, selector: ({ key }) => key });
const days = fc.integer({ min: 1, max: 6 });
const expiration = fc.oneof<fc.Arbitrary<Expiration>[]>(
  fc.record({ days }),
  fc.integer({ min: 95, max: 105 }).map((day) => ({ date: day * DAY_MS })),
  fc.constant({ expiredDeleteMarker: true as const }),
);
const filter = fc.record(
  {
    prefix: fc.constantFrom('', 'a', 'ab', 'b'),
    tags,
    sizeGreaterThan: fc.integer({ min: 0, max: 3 }),
    sizeLessThan: fc.integer({ min: 5, max: 9 }),
  },
  { requiredKeys: [] },
);
const noncurrentExpiration = fc.record(
  { days, keepNewest: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: ['days'] },
);
const rules = fc
  .array(
    fc.record(
      { enabled: fc.boolean(), filter, expiration, noncurrentExpiration },
      {
        requiredKeys: ['enabled', 'filter'],
      },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((some) => some.map((each, index): LifecycleRule => ({ id: `r${index}`, ...each })))
  .filter((some) => {
    try {
      checkLifecycle(some);
      return true;
    } catch {
      return false;
    }
  });

const facts = fc.record({
  age: fc.integer({ min: 0, max: 8 * DAY_MS }),
  isDeleteMarker: fc.boolean(),
  sizeBytes: fc.integer({ min: 0, max: 9 }),
  tags,
  locked: fc.boolean(),
  isNull: fc.boolean(),
});
const key = fc.constantFrom('a', 'ab', 'abc', 'b', 'c');

/** Random versions, newest first within each key. An unversioned bucket has one object per key. */
const bucket = fc
  .tuple(
    fc.constantFrom<Mode>('never', 'Enabled', 'Suspended'),
    fc.uniqueArray(fc.tuple(key, fc.array(facts, { minLength: 1, maxLength: 5 })), {
      selector: ([name]) => name,
    }),
  )
  .map(([mode, keys]) => {
    let id = 0;
    const versions = keys.flatMap(([name, all]) => {
      const some = mode === 'never' ? all.slice(0, 1) : all.toSorted((a, b) => a.age - b.age);
      return some.map(({ age, isDeleteMarker, sizeBytes, ...other }, index): ModelVersion => {
        const isMarker = isDeleteMarker && mode !== 'never';
        return {
          id: id++,
          key: name,
          isNull: mode === 'never' || (other.isNull && index === 0),
          lastModifiedAt: NOW - age,
          isDeleteMarker: isMarker,
          sizeBytes: isMarker ? 0 : sizeBytes,
          tags: isMarker ? [] : other.tags,
          // Only versions in buckets with enabled versioning can have locks.
          locked: other.locked && mode === 'Enabled' && !isMarker,
        };
      });
    });
    return { mode, versions };
  });

function walk(versions: readonly ModelVersion[], all: readonly LifecycleRule[], mode: Mode) {
  const active = new ActiveRules(all);
  const given = { of: (name: string) => active.of(name), now: NOW, versioning: versioningOf(mode) };
  let state: WalkState<ModelVersion> | undefined;
  const verdicts: Verdict<ModelVersion>[] = [];
  for (const version of versions) {
    const step = walkNext(state, version, given);
    state = step.state;
    verdicts.push(...step.verdicts);
  }
  return [...verdicts, ...walkEnd(state, given)];
}

/**
 * Applies the actions as the engine does: an expiration adds a delete marker, which replaces the
 * null version while versioning is suspended.
 */
function perform(
  versions: readonly ModelVersion[],
  verdicts: readonly Verdict<ModelVersion>[],
  mode: Mode,
): readonly ModelVersion[] {
  let after = [...versions];
  for (const { version, action, held } of verdicts) {
    if (held) continue;
    const at = after.indexOf(version);
    const added: ModelVersion = {
      ...version,
      id: 1000 + version.id,
      isDeleteMarker: true,
      sizeBytes: 0,
      tags: [],
      isNull: mode === 'Suspended',
      locked: false,
      lastModifiedAt: NOW,
    };
    const replaces =
      action !== 'expire' || mode === 'never' || (mode === 'Suspended' && version.isNull);
    const adds = action === 'expire' && mode !== 'never';
    after = after.toSpliced(at, replaces ? 1 : 0, ...(adds ? [added] : []));
  }
  return after;
}

test('[lc-17] a lifecycle run never deletes a locked version', () => {
  fc.assert(
    fc.property(bucket, rules, ({ mode, versions }, all) => {
      const after = perform(versions, walk(versions, all, mode), mode);
      const left = new Set(after.map(({ id }) => id));
      for (const { id, locked } of versions) if (locked) expect(left.has(id)).toBe(true);
    }),
  );
});

test('[lc-18] a lifecycle run acts on each version at most once', () => {
  fc.assert(
    fc.property(bucket, rules, ({ mode, versions }, all) => {
      const judged = walk(versions, all, mode).map(({ version }) => version.id);
      expect(new Set(judged).size).toBe(judged.length);
    }),
  );
});

test('[lc-16] disabled lifecycle rules change nothing in a run', () => {
  fc.assert(
    fc.property(bucket, rules, ({ mode, versions }, all) => {
      const on = all.filter(({ enabled }) => enabled);
      expect(walk(versions, all, mode)).toEqual(walk(versions, on, mode));
      const off = all.map((rule) => ({ ...rule, enabled: false }));
      expect(walk(versions, off, mode)).toEqual([]);
    }),
  );
});

test('[lc-19] a second lifecycle run at the same time changes nothing', () => {
  fc.assert(
    fc.property(bucket, rules, ({ mode, versions }, all) => {
      const after = perform(versions, walk(versions, all, mode), mode);
      const again = walk(after, all, mode).filter(({ held }) => !held);
      expect(again).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('[lc-15] lifecycle rules with different prefixes act independently if no rule keeps a number of newest versions', () => {
  const simple = rules.map((all) =>
    all.map(({ noncurrentExpiration: given, ...rule }): LifecycleRule => {
      return given ? { ...rule, noncurrentExpiration: { days: given.days } } : rule;
    }),
  );
  fc.assert(
    fc.property(bucket, simple, ({ mode, versions }, all) => {
      const wanted = (some: readonly LifecycleRule[]) =>
        walk(versions, some, mode).map(({ version, action }) => `${version.id} ${action}`);
      const together = new Set(wanted(all));
      // A delete marker may become the only version of its key only after all rules were applied.
      const each = all.flatMap((rule) => wanted([rule]));
      expect(each.filter((action) => !together.has(action))).toEqual([]);
      const more = [...together].filter((action) => !each.includes(action));
      expect(more.filter((action) => !action.endsWith('remove-marker'))).toEqual([]);
    }),
  );
});

test('the store continues a lifecycle run from its saved state after a stop at any version', () => {
  fc.assert(
    fc.property(bucket, rules, fc.nat(20), ({ mode, versions }, all, at) => {
      const active = new ActiveRules(all);
      const given = {
        of: (name: string) => active.of(name),
        now: NOW,
        versioning: versioningOf(mode),
      };
      let state: WalkState<ModelVersion> | undefined;
      const verdicts: Verdict<ModelVersion>[] = [];
      versions.forEach((version, index) => {
        if (index === at) state = structuredClone(state);
        const step = walkNext(state, version, given);
        state = step.state;
        verdicts.push(...step.verdicts);
      });
      expect([...verdicts, ...walkEnd(state, given)]).toEqual(walk(versions, all, mode));
    }),
  );
});
