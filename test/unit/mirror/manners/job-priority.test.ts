/** Tests of the priorities of jobs that share one target. */

import { expect, test } from 'vitest';

import type { Priority } from '../../../../src/mirror/model/limit-settings.ts';
import { TargetTurns } from '../../../../src/mirror/limits/job-priority.ts';
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
      .waitForPriority(signal)
      .then(() => begun.push(name));
  return { clock, turns, begun, begin };
}

test('Holdfast delays the files of a job with a lower priority until no job with a higher priority has work', async () => {
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

test('Holdfast does not delay a file while only jobs with the same or a lower priority have work', async () => {
  const { turns, begun, begin } = bench();
  for (const priority of ['low', 'normal'] as const) turns.of(priority).announce();
  begin('one');
  begin('two');
  await settle();
  expect(begun).toEqual(['one', 'two']);
});

test('Holdfast delays an action by at most one minute, even while a job with a higher priority has work', async () => {
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

test('Holdfast ends the delay of a job at once if the job is aborted', async () => {
  const { turns } = bench();
  turns.of('high').announce();
  const abort = new AbortController();
  const waiting = turns.of('low').waitForPriority(abort.signal);
  abort.abort();
  await expect(waiting).resolves.toBeUndefined();
});
