/**
 * Loaded into a daemon before it (`NODE_OPTIONS=--import`): its wall clock is ahead by the milliseconds that a file
 * says. So a clock can jump without a door for it in the program, and without moving the machine's.
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
    // Empty while it is being written: as before.
    offset = Number(readFileSync(file, 'utf8') || offset);
  }
  return now + offset;
}

if (file !== '') Date.now = offsetNow;
