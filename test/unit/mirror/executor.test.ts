import { expect, test } from 'vitest';

import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { Action } from '../../../src/mirror/plan/action.ts';
import { createExecutor } from '../../../src/mirror/transfer/executor.ts';
import type { PerformContext } from '../../../src/mirror/transfer/step-types.ts';

/** Number of small actions that run, and that wait, when a round pauses. */
const RUNNING = 160;
const WAITING = 512;

/** An executor whose actions wait for another job forever. */
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

test('accepts saved files while no more other actions may wait, up to half as many', () => {
  const executor = waitingExecutor();
  const capacity = () => [executor.hasCapacity(), executor.hasCapacity({ first: true })];
  executor.submit(examinations(RUNNING + WAITING - 1, 'x'), 0);
  expect(capacity()).toEqual([true, true]);
  executor.submit(examinations(1, 'last'), 0);
  expect(capacity()).toEqual([false, true]);
  executor.submit(examinations(WAITING / 2, 'saved'), 0, { first: true });
  expect(capacity()).toEqual([false, false]);
});
