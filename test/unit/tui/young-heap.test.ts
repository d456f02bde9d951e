/**
 * Tests of the limit of V8's young generation, in separate processes, because V8 flags apply to a
 * whole process.
 */

import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../../tui/term/young-heap.ts')).href;
/**
 * Expected limit of the young generation in megabytes: ENOUGH_BYTES and the step by which it is
 * exceeded.
 */
const ENOUGH_MB = 20;

/**
 * Returns the maximum size of the young generation in megabytes while drawn objects survive a few
 * collections.
 */
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

test('the young generation of the heap grows to its limit and not further', () => {
  const limit = `(await import(${JSON.stringify(MODULE)})).limitYoungHeap();`;
  expect(mostYoungMb('')).toBeGreaterThan(2 * ENOUGH_MB);
  expect(mostYoungMb(limit)).toBeLessThan(ENOUGH_MB);
});
