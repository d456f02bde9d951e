/** The soak in short, of a fixed seed and of a fresh one, side by side; `npm run test:soak` is for as long as one likes. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { History } from '../soak/history.ts';
import { runSoak, settingOf } from '../soak/soak.ts';

const FIXED_SEED = 2_026;
const FRESH_SEED = Math.floor(Math.random() * 1e9);
/** Two stretches with a quiet moment after each. */
const LIFE_MS = 12_000;
const TAIL_LINES = 80;
/** On a machine that is busy with much else. */
const LONGEST_MS = 240_000;

// Of both: of tests side by side, a folder of one could go with the end of the other.
const folder = mkdtempSync(join(tmpdir(), 'hf-soak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.concurrent.each([
  ['embedded', FIXED_SEED],
  ['remote', FRESH_SEED],
] as const)(
  'a mirror %s, among writers, strangers and troubles, seed %d',
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
      // Seldom enough to leave the processors to the tests beside it.
      deedEveryMs: 60,
      troubleEveryMs: 2_500,
      times: 5,
    });
    // What led to a finding, too, since the same moments do not come again.
    const again = `npm run test:soak -- --seed ${seed} --variant ${variant}`;
    const setting = JSON.stringify(settingOf(seed));
    const led = findings.length > 0 ? [setting, ...history.tail(TAIL_LINES), again] : [];
    expect([...findings, ...led]).toEqual([]);
    expect(versions).toBeGreaterThan(20);
  },
);
