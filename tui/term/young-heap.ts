/** How much memory V8 takes for what dies young. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Drawing allocates much that dies at once, and V8 takes up to 64 MB for it, which it gives back only when all is quiet.
 * Much less than this, and frames outlive it: that costs more time and more memory.
 */
const ENOUGH_BYTES = 16_000_000;
/** V8's own. */
const USUAL_GROWTH = 2;

/** V8 lets what lives long, with its garbage, grow to several times what is in use. */
const OLD_GROWTH_PERCENT = 20;

/** From now on garbage is collected early: not before the first picture, which would wait for it. */
export function collectEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH_PERCENT}`);
}

/** Lets the young heap of this process grow to what is enough, and no further. */
export function limitYoungHeap(): void {
  let growth = USUAL_GROWTH;
  const collected = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const wanted = young && young.space_size >= ENOUGH_BYTES ? 1 : USUAL_GROWTH;
    if (wanted === growth) return;
    growth = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  });
  collected.observe({ entryTypes: ['gc'] });
}
