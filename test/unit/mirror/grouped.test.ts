import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { grouped } from '../../../src/mirror/transfer/grouped.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

/** Returns an `add` function that collects items into groups, and the groups handled so far. */
function recorded(wanted: number) {
  const clock = new FakeClock();
  const groups: (readonly string[])[] = [];
  const handle = (items: readonly string[]) => void groups.push(items);
  return { clock, groups, add: grouped({ clock, wanted: () => wanted, handle }) };
}

test('items that are added in one event loop turn are handled as one group', async () => {
  const { groups, add } = recorded(1);
  await Promise.all(['a', 'b', 'c'].map(add));
  await add('d');
  expect(groups).toEqual([['a', 'b', 'c'], ['d']]);
});

test('a group waits for more items until it is large enough or a few milliseconds have passed', async () => {
  const { clock, groups, add } = recorded(3);
  const first = add('a');
  await setImmediate();
  expect(groups).toEqual([]);
  await Promise.all([first, add('b'), add('c')]);
  expect(groups).toEqual([['a', 'b', 'c']]);
  const last = add('d');
  await setImmediate();
  clock.advance(5);
  await last;
  expect(groups).toEqual([['a', 'b', 'c'], ['d']]);
});

test('if a group of items fails, all items of the group are rejected, but not those of the next group', async () => {
  const handle = async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('disk full');
  };
  const add = grouped({ clock: new FakeClock(), wanted: () => 1, handle });
  const outcomes = await Promise.allSettled(['good', 'bad'].map(add));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(add('good')).resolves.toBeUndefined();
});
