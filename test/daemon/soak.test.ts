/** Runs the soak test for a short time, with a fixed and with a random seed. `npm run test:soak` runs it for longer. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { History } from '../soak/history.ts';
import { runSoak, settingOf } from '../soak/soak.ts';

const FIXED_SEED = 2_026;
const FRESH_SEED = Math.floor(Math.random() * 1e9);
/** Duration of a soak run in milliseconds: two phases of random changes, each followed by a quiet phase. */
const LIFE_MS = 12_000;
const TAIL_LINES = 80;
/** Timeout of a test in milliseconds, long enough for a busy machine. */
const LONGEST_MS = 240_000;

// One folder for both concurrent tests: a folder of one test could be removed when the other test ends.
const folder = mkdtempSync(join(tmpdir(), 'hf-soak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.concurrent.each([
  ['embedded', FIXED_SEED],
  ['remote', FRESH_SEED],
] as const)(
  'a mirror (%s) loses nothing under other writers, crashes and network faults, seed %d',
  { timeout: LONGEST_MS },
  async (variant, seed) => {
    const history = new History();
    const own = join(folder, variant);
    mkdirSync(own);
    const { findings, versions } = await runSoak({
      folder: own,
      seed,
      variant,
      history,
      lifeMs: LIFE_MS,
      // Milliseconds between two changes: long enough to leave CPU time to the tests that run beside it.
      deedEveryMs: 60,
      troubleEveryMs: 2_500,
      times: 5,
    });
    // A failure also prints the events before it, because another run does not repeat their exact times.
    const again = `npm run test:soak -- --seed ${seed} --variant ${variant}`;
    const setting = JSON.stringify(settingOf(seed));
    const led = findings.length > 0 ? [setting, ...history.tail(TAIL_LINES), again] : [];
    expect([...findings, ...led]).toEqual([]);
    expect(versions).toBeGreaterThan(20);
  },
);
