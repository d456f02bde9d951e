import { describe, expect, test } from 'vitest';

import { Lane } from '../../../src/mirror/transfer/lane.ts';

/**
 * Opens a queue (lane) that runs one task at a time. `started` has the names of the tasks in the
 * order of their starts.
 */
function openLane(limit = 4) {
  const lane = new Lane({ atOnce: 1, limit });
  const started: string[] = [];
  const done: Promise<void>[] = [];
  const add = (names: readonly string[], order = { first: false }) => {
    for (const name of names)
      done.push(lane.add(() => Promise.resolve(void started.push(name)), order));
  };
  return { lane, started, add, done: () => Promise.all(done) };
}

describe('a queue of tasks with two priorities', () => {
  test('a queue with two priorities starts priority tasks and other tasks alternately', async () => {
    const { started, add, done } = openLane();
    add(['a', 'b', 'c', 'd', 'e']);
    add(['first 1', 'first 2'], { first: true });
    add(['f']);
    await done();
    expect(started).toEqual(['a', 'b', 'first 1', 'c', 'first 2', 'd', 'e', 'f']);
  });

  test('a queue with two priorities starts a new priority task next, however many other tasks started before', async () => {
    const { started, add, done } = openLane();
    add(['a', 'b', 'c', 'd']);
    await done();
    add(['e', 'f', 'g']);
    add(['first'], { first: true });
    await done();
    expect(started.slice(4)).toEqual(['e', 'f', 'first', 'g']);
  });

  test('a queue with two priorities reserves half of its capacity for tasks without priority', async () => {
    const { lane, add, done } = openLane();
    add(['running']);
    expect([lane.hasCapacity(), lane.hasCapacityForFirst()]).toEqual([true, true]);
    add(['first 1', 'first 2'], { first: true });
    expect([lane.hasCapacity(), lane.hasCapacityForFirst()]).toEqual([true, false]);
    add(['a', 'b']);
    expect(lane.hasCapacity()).toBe(false);
    await done();
    await lane.waitForCapacity();
    expect([lane.hasCapacity(), lane.hasCapacityForFirst()]).toEqual([true, true]);
  });
});
