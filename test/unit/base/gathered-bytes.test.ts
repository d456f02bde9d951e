import { describe, expect, it } from 'vitest';

import { GatheredBytes } from '../../../src/base/gathered-bytes.ts';

const piece = (...bytes: number[]) => Uint8Array.from(bytes);

describe('collecting chunks into one array', () => {
  it.each([
    ['fewer than', 8],
    ['as many as', 3],
    ['more than', 1],
  ])(
    'the chunks are copied into one array of exact size if the bytes are %s expected',
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

  it('the result is an empty array without chunks, whatever size was expected', () => {
    expect(new GatheredBytes(100, 50).whole().buffer.byteLength).toBe(0);
  });
});
