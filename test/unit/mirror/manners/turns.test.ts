/** Whose files go first, where jobs have one target. */

import { expect, test } from 'vitest';

import type { Priority } from '../../../../src/mirror/model/limit-settings.ts';
import { TargetTurns } from '../../../../src/mirror/limits/turns.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function bench() {
  const clock = new FakeClock();
  const turns = new TargetTurns(clock);
  const begun: string[] = [];
  const { signal } = new AbortController();
  const begin = (name: string, priority?: Priority) =>
    void turns
      .of(priority)
      .yieldTurn(signal)
      .then(() => begun.push(name));
  return { clock, turns, begun, begin };
}

test('a lower priority waits until no higher one has work', async () => {
  const { turns, begun, begin } = bench();
  const first = turns.of('high').announce();
  const second = turns.of('high').announce();
  const third = turns.of('normal').announce();
  begin('low', 'low');
  begin('normal');
  begin('high', 'high');
  await settle();
  expect(begun).toEqual(['high']);
  first();
  await settle();
  expect(begun).toEqual(['high']);
  second();
  await settle();
  expect(begun).toEqual(['high', 'normal']);
  third();
  await settle();
  expect(begun).toEqual(['high', 'normal', 'low']);
});

test('equals do not wait for each other, nor for lower ones', async () => {
  const { turns, begun, begin } = bench();
  for (const priority of ['low', 'normal'] as const) turns.of(priority).announce();
  begin('one');
  begin('two');
  await settle();
  expect(begun).toEqual(['one', 'two']);
});

test('nobody waits longer than a minute for each batch', async () => {
  const { clock, turns, begun, begin } = bench();
  turns.of('high').announce();
  begin('normal');
  clock.advance(59_999);
  await settle();
  expect(begun).toEqual([]);
  clock.advance(1);
  await settle();
  expect(begun).toEqual(['normal']);
});

test('who is stopped waits no more', async () => {
  const { turns } = bench();
  turns.of('high').announce();
  const abort = new AbortController();
  const waiting = turns.of('low').yieldTurn(abort.signal);
  abort.abort();
  await expect(waiting).resolves.toBeUndefined();
});
