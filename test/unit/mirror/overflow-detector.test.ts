/** Tests of detecting that the kernel's queue of file events may have overflowed. */

import { expect, test } from 'vitest';

import { OverflowDetector } from '../../../src/mirror/local/tree/overflow-detector.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function openQueue() {
  const overflows = new OverflowDetector(() => 8);
  const notified: string[] = [];
  const ends = ['one', 'other'].map((name) => overflows.onFull(() => notified.push(name)));
  const note = (count: number) => {
    for (let index = 0; index < count; index++) overflows.note();
  };
  return { note, notified, end: () => ends[0]?.() };
}

test('the overflow detector notifies all watchers once if three quarters of the event queue fill up in one event loop turn', () => {
  const { note, notified } = openQueue();
  note(5);
  expect(notified).toEqual([]);
  note(3);
  expect(notified).toEqual(['one', 'other']);
});

test('the overflow detector counts the events of each event loop turn separately', async () => {
  const { note, notified } = openQueue();
  note(5);
  await turn();
  note(5);
  expect(notified).toEqual([]);
  note(1);
  expect(notified).toEqual(['one', 'other']);
});

test('the overflow detector does not notify a watcher after it unsubscribed', () => {
  const { note, notified, end } = openQueue();
  end();
  note(8);
  expect(notified).toEqual(['other']);
});
