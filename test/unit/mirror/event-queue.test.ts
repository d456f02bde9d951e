import { expect, test } from 'vitest';

import { EventQueue } from '../../../src/mirror/local/tree/event-queue.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function openQueue() {
  const queue = new EventQueue(() => 8);
  const told: string[] = [];
  const ends = ['one', 'other'].map((name) => queue.onFull(() => told.push(name)));
  const note = (count: number) => {
    for (let index = 0; index < count; index++) queue.note();
  };
  return { note, told, end: () => ends[0]?.() };
}

test('all that watch are told, once, when three quarters of the queue come in one turn', () => {
  const { note, told } = openQueue();
  note(5);
  expect(told).toEqual([]);
  note(3);
  expect(told).toEqual(['one', 'other']);
});

test('what comes in several turns was never in the queue together', async () => {
  const { note, told } = openQueue();
  note(5);
  await turn();
  note(5);
  expect(told).toEqual([]);
  note(1);
  expect(told).toEqual(['one', 'other']);
});

test('who has ended is not told', () => {
  const { note, told, end } = openQueue();
  end();
  note(8);
  expect(told).toEqual(['other']);
});
