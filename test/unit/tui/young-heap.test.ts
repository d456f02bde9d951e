/** What V8 takes for what dies young, in processes of their own: flags are the whole process's. */

import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../../tui/term/young-heap.ts')).href;
/** As ENOUGH_BYTES, and the step that goes beyond it. */
const ENOUGH_MB = 20;

/** Megabytes of the young heap at most, while what is drawn outlives a few collections. */
function mostYoungMb(prepare: string): number {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${prepare}
    let [kept, most] = [[], 0];
    for (let turn = 0; turn < 60; turn += 1) {
      kept = [...kept.slice(-3), Array.from({ length: 30_000 }, (_, index) => ({ index, turn }))];
      await new Promise((resolve) => setImmediate(resolve));
      const young = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
      most = Math.max(most, young.space_size);
    }
    console.log(most / 1e6);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script]));
}

test('the young heap grows to its sufficient size and no further', () => {
  const limit = `(await import(${JSON.stringify(MODULE)})).limitYoungHeap();`;
  expect(mostYoungMb('')).toBeGreaterThan(2 * ENOUGH_MB);
  expect(mostYoungMb(limit)).toBeLessThan(ENOUGH_MB);
});
