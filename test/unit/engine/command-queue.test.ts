import { expect, test } from 'vitest';

import { CommandQueue, MAX_GROUP_COMMANDS } from '../../../src/engine/writes/command-queue.ts';
import type { Envelope } from '../../../src/engine/writes/commands/commands.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { TEST_USER } from '../../helpers/test-engine.ts';

let nextId = 1;

function remove(bucket: string, clock: Envelope['clock'] = 'believed'): Envelope {
  return {
    id: nextId++,
    name: 'deleteObject',
    request: { bucket, key: 'key', bypassGovernance: false },
    caller: internalCaller(TEST_USER, 1000),
    now: 1000,
    trustedNow: 1000,
    clockAheadMs: 0,
    clock,
  };
}

const times = (count: number, bucket: string) =>
  Array.from({ length: count }, () => remove(bucket));
const buckets = (group: readonly Envelope[]) =>
  group.map(({ request }) => ('bucket' in request ? request.bucket : '')).join('');

/**
 * Takes groups of writes until the queue is empty, but completes only the first `count` writes of
 * each group; the others stay queued. A group is one database transaction. Returns the buckets of
 * all writes in the order of completion.
 */
function drain(queue: CommandQueue, count: number): string {
  let order = '';
  for (let group = queue.nextGroup(); group.length > 0; group = queue.nextGroup()) {
    order += buckets(queue.complete(group, Math.min(count, group.length)));
  }
  return order;
}

test('the write queue runs queued writes in the order in which they arrive if every group of writes completes', () => {
  const queue = new CommandQueue();
  const commands = Array.from({ length: 1200 }, (_, index) => remove(index % 3 === 0 ? 'a' : 'b'));
  queue.add(commands);
  const sizes: number[] = [];
  const completed: Envelope[] = [];
  for (let group = queue.nextGroup(); group.length > 0; group = queue.nextGroup()) {
    sizes.push(group.length);
    completed.push(...queue.complete(group, group.length));
  }
  expect(sizes).toEqual([MAX_GROUP_COMMANDS, MAX_GROUP_COMMANDS, 1200 - 2 * MAX_GROUP_COMMANDS]);
  expect(completed).toEqual(commands);
});

test('the write queue runs each bulk write as a separate group', () => {
  const queue = new CommandQueue();
  const bulk = (): Envelope => ({
    ...remove('b'),
    name: 'putObjects',
    request: { bucket: 'b', objects: [], bytes: new Uint8Array() },
  });
  queue.add([...times(2, 'a'), bulk(), bulk(), ...times(1, 'a')]);
  const groups: string[] = [];
  for (let group = queue.nextGroup(); group.length > 0; group = queue.nextGroup())
    groups.push(buckets(queue.complete(group, group.length)));
  expect(groups).toEqual(['aa', 'b', 'b', 'a']);
});

test('if a group of writes ends early, the write queue runs writes to other buckets before the remaining writes of the group', () => {
  const queue = new CommandQueue();
  queue.add([...times(500, 'h'), remove('a')]);
  expect(buckets(queue.complete(queue.nextGroup(), 2))).toBe('hh');
  queue.add([remove('b')]);
  expect(buckets(queue.nextGroup().slice(0, 4))).toBe('abhh');
});

test('the write queue alternates between the buckets whose groups end early', () => {
  const queue = new CommandQueue();
  queue.add([...times(4, 'a'), ...times(4, 'b'), ...times(4, 'c')]);
  expect(drain(queue, 1)).toBe('abcabcabcabc');
});

test('the write queue keeps the order of the writes to one bucket when groups end early', () => {
  const queue = new CommandQueue();
  queue.add([...times(3, 'a'), ...times(3, 'b'), ...times(3, 'a')]);
  const ids: number[] = [];
  for (let group = queue.nextGroup(); group.length > 0; group = queue.nextGroup()) {
    const [command] = queue.complete(group, 1);
    if (command && buckets([command]) === 'a') ids.push(command.id);
  }
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
});

test('the write queue keeps the order of writes that were queued before and after a clock jump', () => {
  const queue = new CommandQueue();
  queue.add([...times(3, 'a'), remove('b', 'jumped'), remove('c', 'jumped')]);
  expect(drain(queue, 1)).toBe('aaabc');
});
