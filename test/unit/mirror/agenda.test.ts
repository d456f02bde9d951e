/** What a job looks at next, however much comes at once. */

import { expect, test } from 'vitest';

import { Agenda } from '../../../src/mirror/rounds/agenda.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;

function openAgenda() {
  const clock = new FakeClock();
  let moment = 0;
  const agenda = new Agenda(clock, () => ++moment);
  agenda.takeRequests();
  agenda.fullRoundIn(HOUR_MS);
  return { clock, agenda };
}

test('what was lost in the middle of a full round has another one follow', async () => {
  const { agenda } = openAgenda();
  const before = agenda.askedAt;
  agenda.overflow();
  agenda.fullRoundIn(HOUR_MS);
  expect(await agenda.next(signal)).toBe('full');
  expect(agenda.askedAt).toBeGreaterThan(before);
  agenda.takeRequests();
  const resting = new AbortController();
  const next = agenda.next(resting.signal);
  resting.abort(new Error('nothing to do'));
  await expect(next).rejects.toThrow('nothing to do');
});

test('hints beyond a number are no more than a full round, which is told to be as late as they are', async () => {
  const { agenda, clock } = openAgenda();
  const since = clock.now();
  agenda.hint('first');
  clock.advance(1_000);
  for (let hint = 0; hint < 100_001; hint++) agenda.hint(`d/${hint}`);
  expect(agenda.hintCount()).toBeLessThanOrEqual(100_000);
  expect(agenda.oldestSince()).toBe(since);
  expect(await agenda.next(signal)).toBe('full');
});

test('hints that a round took are told of until it has looked, each once', () => {
  const { agenda, clock } = openAgenda();
  const since = clock.now();
  agenda.hint('first');
  agenda.hint('second');
  expect([...agenda.takeHints().keys()]).toEqual(['first', 'second']);
  clock.advance(1_000);
  agenda.hint('second');
  expect([...agenda.hints()]).toEqual(['first', 'second']);
  expect([agenda.hintCount(), agenda.oldestSince()]).toEqual([2, since]);
  agenda.planned();
  expect([...agenda.hints()]).toEqual(['second']);
  expect(agenda.oldestSince()).toBe(since + 1_000);
});

test('changed keys beyond a number are no more than a full round that lists the bucket', async () => {
  const { agenda, clock } = openAgenda();
  const since = clock.now();
  agenda.hintKey('first');
  clock.advance(1_000);
  for (let key = 0; key < 100_001; key++) agenda.hintKey(`k/${key}`);
  expect(agenda.hintCount()).toBeLessThanOrEqual(100_000);
  expect(agenda.oldestSince()).toBe(since);
  expect(agenda.isListingDue).toBe(true);
  expect(await agenda.next(signal)).toBe('full');
  agenda.takeRequests();
  expect([agenda.isListingDue, agenda.isOverflown]).toEqual([false, false]);
});

test('keys changed in the bucket begin an event round, and are pending until it has planned them', async () => {
  const { agenda, clock } = openAgenda();
  const since = clock.now();
  agenda.hintKey('key');
  agenda.hint('path');
  const next = agenda.next(signal);
  clock.advance(1_000);
  expect(await next).toBe('event');
  expect([...agenda.takeKeys().keys()]).toEqual(['key']);
  expect([agenda.hintCount(), agenda.oldestSince()]).toEqual([2, since]);
  agenda.takeHints();
  agenda.planned();
  expect([agenda.hintCount(), agenda.oldestSince()]).toEqual([0, undefined]);
});

test('a round that took hours delays the next one by seconds only', async () => {
  const { agenda, clock } = openAgenda();
  agenda.quietFor(HOUR_MS);
  agenda.hint('changed');
  const next = agenda.next(signal);
  clock.advance(10_000);
  expect(await next).toBe('event');
});
