import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ByteBudget, type GiveBack } from '../../../src/base/byte-budget.ts';

test('a byte budget never exceeds its total number of bytes, caps large requests and serves requests in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 40 }),
      async (sizes) => {
        const budget = new ByteBudget(10);
        const served: number[] = [];
        const held: GiveBack[] = [];
        const all = sizes.map(async (size, index) => {
          const giveBack = await budget.take(size);
          served.push(index);
          expect(budget.takenBytes <= 10 || budget.takenBytes === size).toBe(true);
          held.push(giveBack);
        });
        while (served.length < sizes.length) {
          await new Promise(setImmediate);
          held.shift()?.();
        }
        await Promise.all(all);
        expect(served).toEqual(sizes.map((_, index) => index));
        for (const giveBack of held) giveBack();
        expect(budget.takenBytes).toBe(0);
      },
    ),
  );
});

test('a byte budget serves the next request for bytes if a waiting request is cancelled', async () => {
  const budget = new ByteBudget(10);
  const giveBack = await budget.take(6);
  const abort = new AbortController();
  const large = budget.take(8, abort.signal).catch((error: unknown) => error);
  const small = budget.take(4);
  const reason = new Error('enough');
  abort.abort(reason);
  expect(await large).toBe(reason);
  await small;
  expect(budget.takenBytes).toBe(10);
  giveBack();
  giveBack();
  expect(budget.takenBytes).toBe(4);
  await expect(budget.take(1, abort.signal)).rejects.toBe(reason);
});
