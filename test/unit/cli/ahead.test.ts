import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Ahead } from '../../../src/cli/commands/s3/ahead.ts';

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
};

async function* listing(count: number, end: () => void = () => undefined) {
  for (let index = 0; index < count; index += 1) {
    if (index % 100 === 0) await setImmediate();
    yield { index, sizeBytes: 10 };
  }
  end();
}

test('the totals of a listing are known while the first item is processed, because the listing is read ahead', async () => {
  const ahead = new Ahead(listing(250));
  const seen: number[] = [];
  for await (const { index } of ahead) {
    if (index === 0) {
      expect(ahead.totals()).toHaveProperty('scanned');
      await turns(10);
      expect(ahead.totals()).toEqual({ totalFiles: 250, totalBytes: 2_500 });
    }
    seen.push(index);
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index));
});

test('an error of the listing is thrown only after the items before the error', async () => {
  const ahead = new Ahead(
    listing(150, () => {
      throw new Error('enough');
    }),
  );
  let count = 0;
  const all = async () => {
    for await (const _ of ahead) count += 1;
  };
  await expect(all()).rejects.toThrow('enough');
  expect(count).toBe(150);
});

test('the listing is closed when the caller stops before the end of the listing', async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (let index = 0; ; index += 1) {
        await setImmediate();
        yield { index, sizeBytes: 1 };
      }
    } finally {
      isClosed = true;
    }
  }
  for await (const { index } of new Ahead(endless())) if (index === 3) break;
  await turns(5);
  expect(isClosed).toBe(true);
});

test('at most 100,000 items of a listing are read ahead of the item in progress', async () => {
  const ahead = new Ahead(
    (function* many() {
      for (let index = 0; index < 100_010; index += 1) yield { index, sizeBytes: 1 };
    })(),
  );
  let count = 0;
  for await (const _ of ahead) {
    if (count === 0) {
      await turns(3);
      expect(ahead.totals()).toEqual({ scanned: 100_001 });
    }
    count += 1;
  }
  expect([count, ahead.totals()]).toEqual([100_010, { totalFiles: 100_010, totalBytes: 100_010 }]);
});
