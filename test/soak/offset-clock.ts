/**
 * Sets a daemon's wall clock ahead by the number of milliseconds in a file. `NODE_OPTIONS=--import` loads this module
 * before the daemon. The clock can therefore jump without a test hook in the program and without a change of the system
 * clock.
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
    // While the file is being written, it is empty. The previous offset then remains in effect.
    offset = Number(readFileSync(file, 'utf8') || offset);
  }
  return now + offset;
}

if (file !== '') Date.now = offsetNow;
