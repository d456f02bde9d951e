import { expect, test } from 'vitest';

import { shareSyncs } from '../../../src/base/share-syncs.ts';

/** Returns a shared disk sync whose runs end only when the test resolves them. */
function heldSyncs() {
  const started: PromiseWithResolvers<void>[] = [];
  const sync = shareSyncs(() => {
    const held = Promise.withResolvers<void>();
    started.push(held);
    return held.promise;
  });
  return { sync, started };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test('sync requests that arrive during a disk sync share the next one', async () => {
  const { sync, started } = heldSyncs();
  const first = sync(1);
  await turn();
  const order: string[] = [];
  const second = sync(2).then(() => order.push('second'));
  const third = sync(3).then(() => order.push('third'));
  await turn();
  expect(started.length).toBe(1);
  started[0]?.resolve();
  await first;
  await turn();
  expect([started.length, order]).toEqual([2, []]);
  started[1]?.resolve();
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

test('a failed disk sync fails every call that shares it, but not the next sync', async () => {
  const { sync, started } = heldSyncs();
  const both = Promise.allSettled([sync(1), sync(2)]);
  await turn();
  const next = sync(3);
  started[0]?.reject(new Error('disk'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  started[1]?.resolve();
  await expect(next).resolves.toBeUndefined();
});
