/**
 * Creates and reads the IDs of versions and uploads. An ID has 32 characters of [A-Za-z0-9_-], is opaque to users, and
 * cannot be guessed. It contains the sequence number, so that a listing can continue after a row that was deleted
 * meanwhile.
 */

import { randomFillSync } from 'node:crypto';

const SEQUENCE_BYTES = 6;
const RANDOM_BYTES = 18;
const ID_BYTES = SEQUENCE_BYTES + RANDOM_BYTES;
const ID_PATTERN = /^[A-Za-z0-9_-]{32}$/;

/** Random bytes for 256 IDs. A separate call for each ID would take longer than all other steps of creating the ID. */
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let used = pool.length;

export function newSequenceId(sequence: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = Buffer.allocUnsafe(ID_BYTES);
  id.writeUIntBE(sequence, 0, SEQUENCE_BYTES);
  pool.copy(id, SEQUENCE_BYTES, used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return id.toString('base64url');
}

/** Returns the sequence number that an ID contains, or undefined if the ID is not valid. */
export function sequenceOf(id: string): number | undefined {
  if (!ID_PATTERN.test(id)) return undefined;
  return Buffer.from(id, 'base64url').readUIntBE(0, SEQUENCE_BYTES);
}
