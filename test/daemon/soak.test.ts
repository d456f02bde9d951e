/** The soak in short, of a fixed seed and of a fresh one, side by side; `npm run test:soak` is for as long as one likes. */

import { expect, test } from 'vitest';

import { History } from '../soak/history.ts';
import { runSoak, settingOf } from '../soak/soak.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FIXED_SEED = 2_026;
const FRESH_SEED = Math.floor(Math.random() * 1e9);
/** With what comes before and after it, 30 seconds. */
const LIFE_MS = 20_000;
const TAIL_LINES = 80;
/** On a machine that is busy with much else. */
const LONGEST_MS = 240_000;

test.concurrent.each([
  ['embedded', FIXED_SEED],
  ['remote', FRESH_SEED],
] as const)(
  'a mirror %s, among writers, strangers and troubles, seed %d',
  { timeout: LONGEST_MS },
  async (variant, seed) => {
    const history = new History();
    const { findings, versions } = await runSoak({
      folder: temporaryFolder('hf-soak'),
      seed,
      variant,
      history,
      lifeMs: LIFE_MS,
      // Seldom enough to leave the processors to the tests beside it.
      deedEveryMs: 60,
      troubleEveryMs: 4_000,
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
