import { describe, expect, test } from 'vitest';

import { BoundedQueue } from '../../../src/base/bounded-queue.ts';

/** Opens a queue that runs one task at a time. Each task runs until `endOne`. */
function openQueue(limit: number) {
  const queue = new BoundedQueue({ atOnce: 1, limit });
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const add = (name: string, priority = 0) =>
    queue.add(
      () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      { priority },
    );
  const endOne = async (task: Promise<void>) => {
    ends.shift()?.();
    await task;
  };
  return { queue, started, add, endOne };
}

describe('a queue with a limit on waiting tasks', () => {
  test('a bounded queue has room while fewer tasks wait than the limit', async () => {
    const { queue, add } = openQueue(2);
    void add('running');
    expect(queue.hasRoom).toBe(true);
    void add('a');
    expect(queue.hasRoom).toBe(true);
    await queue.waitForRoom();
    void add('b');
    expect(queue.hasRoom).toBe(false);
  });

  test('a bounded queue resumes every caller that waits for room when a task starts', async () => {
    const { queue, add, endOne } = openQueue(1);
    const first = add('first');
    const second = add('second');
    const waits = Promise.all([queue.waitForRoom(), queue.waitForRoom()]);
    await endOne(first);
    await waits;
    expect(queue.hasRoom).toBe(true);
    void add('third');
    const again = queue.waitForRoom();
    await endOne(second);
    await again;
    expect(queue.hasRoom).toBe(true);
  });

  test('a bounded queue starts tasks with a higher priority first, and is idle when all tasks have ended', async () => {
    const { queue, started, add, endOne } = openQueue(9);
    const tasks = [add('running'), add('low', -1), add('high', 1)] as const;
    await endOne(tasks[0]);
    await endOne(tasks[2]);
    await endOne(tasks[1]);
    await queue.idle();
    expect(started).toEqual(['running', 'high', 'low']);
  });

  test('a bounded queue rejects the call that added a task with the error of the task', async () => {
    const queue = new BoundedQueue({ atOnce: 1, limit: 1 });
    await expect(queue.add(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
