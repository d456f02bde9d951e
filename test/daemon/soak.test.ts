/**
 * Runs the soak test for a short time, once with a fixed seed and once with a random seed. `npm run
 * test:soak` runs it for longer.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { History } from '../soak/history.ts';
import { runSoak, settingOf } from '../soak/soak.ts';

const FIXED_SEED = 2_026;
const FRESH_SEED = Math.floor(Math.random() * 1e9);
/**
 * Duration of a soak test in milliseconds. It has two phases of random changes, and a quiet phase
 * after each of them.
 */
const LIFE_MS = 3_000;
const TAIL_LINES = 80;
/** Timeout of a test in milliseconds. It is long enough for a busy machine. */
const LONGEST_MS = 240_000;

// Both concurrent tests share one folder. The folder of a single test would be removed when that
// test ends first.
const folder = mkdtempSync(join(tmpdir(), 'hf-soak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.concurrent.each([
  ['embedded', FIXED_SEED],
  ['remote', FRESH_SEED],
] as const)(
  'a job (%s) loses no data while other clients write, processes crash and the network fails, seed %d',
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
      life: { ms: LIFE_MS },
      // Milliseconds between two changes. The pause leaves CPU time to tests that run at the same
      // time.
      deedEveryMs: 60,
      troubleEveryMs: 750,
      times: 2,
    });
    // After a failure, the test also prints the preceding events, because another run has slightly
    // different times.
    const again = `npm run test:soak -- --seed ${seed} --variant ${variant}`;
    const setting = JSON.stringify(settingOf(seed));
    const led = findings.length > 0 ? [setting, ...history.tail(TAIL_LINES), again] : [];
    expect([...findings, ...led]).toEqual([]);
    expect(versions).toBeGreaterThan(20);
  },
);
