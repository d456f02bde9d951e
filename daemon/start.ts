/**
 * The daemon as a process has it: in a heap that stays small. It lives long beside other programs, and V8's defaults
 * are for those that are alone: 128 MiB for new objects, and garbage that gathers until the heap is several times what
 * lives in it. Node has options for that, but whoever starts the program would have to give them.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

import type { RunningDaemon, StartOptions } from './main.ts';

/** Of both halves together. Less costs processor time: what lives only briefly would be kept as old. */
const NEW_SPACE_BYTES = 16 * 1024 ** 2;
/** Old objects are collected when they have grown by so much since the last time. */
const GROWTH_PERCENT = 40;
/** Living objects that are made at a time, and how often at most, to have V8 grow its new space. */
const LIVING_OBJECTS = 1_000;
const MOST_STEPS = 1_000;

/** As that of `main.ts`, which it loads. The limits that it sets hold for all threads of the process. */
export async function startDaemon(options: StartOptions): Promise<RunningDaemon> {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  fixNewSpace();
  const main = await import('./main.ts');
  return main.startDaemon(options);
}

/** V8 reads the option for the largest size at its own start only, but the factor of its growth each time. */
function fixNewSpace(): void {
  const living: object[][] = [];
  for (let step = 0; step < MOST_STEPS && newSpaceBytes() < NEW_SPACE_BYTES; step += 1)
    living.push(Array.from({ length: LIVING_OBJECTS }, () => ({})));
  setFlagsFromString('--semi-space-growth-factor=1');
}

function newSpaceBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
