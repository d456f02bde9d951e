import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { eachAtOnce } from '../../../src/base/at-once.ts';

describe('eachAtOnce', () => {
  test.each([1, 2, 5])(
    'eachAtOnce processes all items, up to %i at the same time',
    async (limit) => {
      let running = 0;
      let most = 0;
      const done: number[] = [];
      await eachAtOnce([1, 2, 3, 4, 5, 6], limit, async (item) => {
        most = Math.max(most, ++running);
        await setImmediate();
        running -= 1;
        done.push(item);
      });
      expect(most).toBe(limit);
      expect(new Set(done)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    },
  );

  test('eachAtOnce starts no item after a failure and throws the error once the running work has ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await setImmediate();
      ended.push(item);
      throw new Error(`item ${item}`);
    };
    await expect(eachAtOnce([1, 2, 3, 4], 2, work)).rejects.toThrow('item 1');
    expect(ended).toEqual(begun);
    expect(begun.length).toBeLessThan(4);
  });

  test('eachAtOnce finishes the running work if its source fails', async () => {
    const ended: number[] = [];
    async function* items() {
      yield 1;
      throw new Error('source');
    }
    const working = eachAtOnce(items(), 3, async (item) => {
      await setImmediate();
      ended.push(item);
    });
    await expect(working).rejects.toThrow('source');
    expect(ended).toEqual([1]);
  });
});
