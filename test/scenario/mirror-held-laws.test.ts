/**
 * Property test of changes that are held for review, over random histories of a job. A held change may take effect
 * only after the user approves its path and current version. The object of an existing file must never be deleted.
 */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { HeldHistory, KEYS } from '../helpers/held-history.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

/** The number of histories. `HISTORIES=1000` tests more. A failure prints its seed. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 20);
const PATIENCE_MS = HISTORIES * 10_000;

type Act = (history: HeldHistory, keys: readonly string[]) => Promise<void> | void;

const ACTS: Readonly<Record<string, Act>> = {
  'delete some': (history, keys) => history.delete(keys),
  'delete all': (history) => history.delete(KEYS),
  'bring back or rewrite some': (history, keys) => history.write(keys),
  'encrypt some': (history, keys) => history.encrypt(keys),
  'encrypt all': (history) => history.encrypt(KEYS),
  'another client writes': (history, keys) => history.writeForeign(keys),
  'another client deletes': (history, keys) => history.deleteForeign(keys),
  'more files': (history) => history.addFiles(),
  approve: (history) => history.approve(),
  reject: (history) => history.reject(),
  pause: (history) => history.pause(),
  resume: (history) => history.resume(),
  restart: (history) => history.restart(),
  'restart with paths excluded': (history) => history.restart('exclude'),
  'take over': (history) => history.takeOver(),
  'window over': (history) => history.windowOver(),
  'full round': (history) => history.fullRound(),
  'urgent round': (history) => history.urgentRound(),
  'event round': (history) => history.eventRound(),
};
/** The names of the actions. Rounds and deletes are repeated, so that they occur more often. */
const NAMES = [
  ...Object.keys(ACTS),
  'delete some',
  'encrypt some',
  'urgent round',
  'full round',
  'event round',
  'window over',
];
const STEPS = fc.array(
  fc.record({
    act: fc.constantFrom(...NAMES),
    keys: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 8, maxLength: 14 },
);

test.each([
  ['versioned', true],
  ['unversioned', false],
])(
  'property: a change held for review needs an approval of its path and version, in a bucket that is %s',
  async (_what, versioned) => {
    const clock = new ShiftedClock();
    const bench = await openMirrorBench({ clock, versioned });
    let judged = 0;
    let number = 0;
    const law = fc.asyncProperty(STEPS, async (steps) => {
      const history = new HeldHistory(bench, clock, number++);
      await history.begin();
      try {
        for (const { act, keys } of steps) {
          await ACTS[act]?.(history, keys);
          await history.judge(act);
        }
        await history.urgentRound();
        await history.judge('the end');
      } finally {
        await history.end();
        judged += history.judged;
      }
    });
    await fc.assert(law, { numRuns: HISTORIES });
    // Ensures that the histories led to enough checks.
    expect(judged).toBeGreaterThan(HISTORIES);
  },
  PATIENCE_MS,
);
