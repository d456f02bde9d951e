import { describe, expect, it } from 'vitest';

import { GatheredBytes } from '../../../src/base/gathered-bytes.ts';

const piece = (...bytes: number[]) => Uint8Array.from(bytes);

describe('collecting chunks into one array', () => {
  it.each([
    ['fewer than', 8],
    ['as many as', 3],
    ['more than', 1],
  ])(
    'collected chunks are copied into one array of the exact size if their bytes are %s expected',
    (_, expected) => {
      const gathered = new GatheredBytes(100, expected);
      const reused = piece(1, 2);
      gathered.add(reused);
      reused.fill(9);
      gathered.add(piece(3));
      const whole = gathered.whole();
      expect([...whole]).toEqual([1, 2, 3]);
      expect(whole.buffer.byteLength).toBe(3);
    },
  );

  it('collecting no chunks returns an empty array, whatever size was expected', () => {
    expect(new GatheredBytes(100, 50).whole().buffer.byteLength).toBe(0);
  });
});
