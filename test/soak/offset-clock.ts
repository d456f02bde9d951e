/**
 * Sets the wall clock of a daemon ahead by the number of milliseconds in a file. `NODE_OPTIONS=--import` loads this
 * module before the daemon. The clock can therefore jump without a test hook in the program, and without changing the
 * system clock.
 */

import { readFileSync } from 'node:fs';

const file = process.env['HOLDFAST_SOAK_CLOCK'] ?? '';
const LOOK_EVERY_MS = 20;
const realNow = Date.now;
let offset = 0;
let lookAt = 0;

function offsetNow(): number {
  const now = realNow();
  if (now >= lookAt) {
    lookAt = now + LOOK_EVERY_MS;
    // The file is empty while it is being written. The previous offset then stays in force.
    offset = Number(readFileSync(file, 'utf8') || offset);
  }
  return now + offset;
}

if (file !== '') Date.now = offsetNow;
