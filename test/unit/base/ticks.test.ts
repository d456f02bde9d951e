import { expect, test } from 'vitest';

import { TICK, withTicks } from '../../../src/base/ticks.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

function source() {
  const slow = Promise.withResolvers<string>();
  const state = { isClosed: false };
  async function* values() {
    try {
      yield 'first';
      yield await slow.promise;
    } finally {
      state.isClosed = true;
    }
  }
  const clock = new FakeClock();
  return { slow, state, clock, rows: withTicks(values(), { clock, everyMs: 1_000 }) };
}

test('a stream with ticks yields a tick every second while it waits for the next value of its source', async () => {
  const { slow, clock, rows } = source();
  expect(await rows.next()).toEqual({ done: false, value: 'first' });
  for (let second = 0; second < 3; second += 1) {
    const next = rows.next();
    clock.advance(1_000);
    expect(await next).toEqual({ done: false, value: TICK });
  }
  slow.resolve('second');
  expect(await rows.next()).toEqual({ done: false, value: 'second' });
  expect(await rows.next()).toEqual({ done: true, value: undefined });
});

test('a stream with ticks rejects with the error of its source and closes the source', async () => {
  const { slow, state, rows } = source();
  await rows.next();
  slow.reject(new Error('enough'));
  await expect(rows.next()).rejects.toThrow('enough');
  expect(state.isClosed).toBe(true);
});

test('a stream with ticks closes its source when the consumer stops', async () => {
  const { state, rows } = source();
  for await (const row of rows) if (row === 'first') break;
  expect(state.isClosed).toBe(true);
});
