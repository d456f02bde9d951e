import { expect, test } from 'vitest';

import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { Action } from '../../../src/mirror/plan/action.ts';
import { createExecutor } from '../../../src/mirror/transfer/executor.ts';
import type { PerformContext } from '../../../src/mirror/transfer/step-types.ts';

/** The maximum numbers of small actions that run at once, and that wait in the queue. */
const RUNNING = 160;
const WAITING = 512;

/** Creates an executor whose actions wait forever for a job with a higher priority. */
function waitingExecutor() {
  const { promise: never } = Promise.withResolvers<void>();
  const context = {
    turns: { waitForPriority: () => never, announce: () => () => undefined },
    signal: new AbortController().signal,
    state: {},
    tracker: new Tracker({ onChange: () => undefined, onActivity: () => undefined }),
  } as unknown as PerformContext;
  return createExecutor(context, (error) => expect.unreachable(String(error)));
}

function examinations(count: number, prefix: string): readonly Action[] {
  return Array.from({ length: count }, (_, index) => {
    return { kind: 'examine', key: `${prefix}${index}`, readHead: true, hashFile: false };
  });
}

test('if the queue of a job is full, the job still queues recently saved files, up to half the limit of the queue', () => {
  const executor = waitingExecutor();
  const capacity = () => [executor.hasCapacity(), executor.hasCapacity({ first: true })];
  executor.submit(examinations(RUNNING + WAITING - 1, 'x'), 0);
  expect(capacity()).toEqual([true, true]);
  executor.submit(examinations(1, 'last'), 0);
  expect(capacity()).toEqual([false, true]);
  executor.submit(examinations(WAITING / 2, 'saved'), 0, { first: true });
  expect(capacity()).toEqual([false, false]);
});
