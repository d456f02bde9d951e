import { expect, test } from 'vitest';

import { BufferPool } from '../../../src/base/buffer-pool.ts';

test('a buffer that is given back is used again', () => {
  const pool = new BufferPool(100, 1);
  const buffer = pool.take();
  expect(pool.take()).not.toBe(buffer);
  pool.giveBack(buffer);
  expect(pool.take()).toBe(buffer);
});

test('buffers beyond the number that is kept are freed at once', () => {
  const pool = new BufferPool(100, 1);
  const [kept, freed] = [pool.take(), pool.take()];
  pool.giveBack(kept);
  pool.giveBack(freed);
  expect([kept.byteLength, freed.byteLength]).toEqual([100, 0]);
});
