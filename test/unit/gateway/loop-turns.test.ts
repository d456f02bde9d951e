/** Tests that large XML and JSON bodies are processed one per event loop turn. */

import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { DOCUMENT_TURNS } from '../../../src/gateway/loop-turns.ts';

test('the gateway processes large XML and JSON bodies that arrive at the same time in order, one per event loop turn', async () => {
  const done: number[] = [];
  const all = [1, 2, 3].map((each) => DOCUMENT_TURNS.next().then(() => done.push(each)));
  const seen: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    seen.push(done.length);
  }
  await Promise.all(all);
  expect(seen).toEqual([0, 1, 2]);
  expect(done).toEqual([1, 2, 3]);
});
