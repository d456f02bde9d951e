/**
 * The daemon as a process has it: in a heap that stays small. It lives long beside other programs, and V8's defaults
 * are for those that are alone: 128 MiB for new objects, and garbage that gathers until the heap is several times what
 * lives in it. Node has options for that, but whoever starts the program would have to give them.
 */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

import type { RunningDaemon, StartOptions } from './main.ts';

/** Of both halves together. Less costs processor time: what lives only briefly would be kept as old. */
const NEW_SPACE_BYTES = 16 * 1024 ** 2;
/** Old objects are collected when they have grown by so much since the last time. */
const GROWTH_PERCENT = 40;

/** As that of `main.ts`, which it loads. The limits that it sets hold for all threads of the process. */
export async function startDaemon(options: StartOptions): Promise<RunningDaemon> {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // Compiling the modules would make the new space large, and it never shrinks.
  limitNewSpace();
  const main = await import('./main.ts');
  growNewSpace();
  return main.startDaemon(options);
}

function limitNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** As it is needed, up to the limit. */
function growNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    if (newSpaceBytes() < NEW_SPACE_BYTES) return;
    limitNewSpace();
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function newSpaceBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
