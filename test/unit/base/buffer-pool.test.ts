import { expect, test } from 'vitest';

import { BufferPool } from '../../../src/base/buffer-pool.ts';

test('a buffer pool reuses a buffer that was given back to the pool', () => {
  const pool = new BufferPool(100, 1);
  const buffer = pool.take();
  expect(pool.take()).not.toBe(buffer);
  pool.giveBack(buffer);
  expect(pool.take()).toBe(buffer);
});

test('a buffer pool frees buffers beyond the number that the pool keeps', () => {
  const pool = new BufferPool(100, 1);
  const [kept, freed] = [pool.take(), pool.take()];
  pool.giveBack(kept);
  pool.giveBack(freed);
  expect([kept.byteLength, freed.byteLength]).toEqual([100, 0]);
});
