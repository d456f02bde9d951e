/** Tests of the queue of changed paths of a job, which decides when the next sync round starts. */

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

test('a job starts another full sync round if file events were lost during a full sync round', async () => {
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

test('a job replaces more than 100,000 queued paths with one full sync round and keeps the time of the oldest change', async () => {
  const { agenda, clock } = openAgenda();
  const since = clock.now();
  agenda.hint('first');
  clock.advance(1_000);
  for (let hint = 0; hint < 100_001; hint++) agenda.hint(`d/${hint}`);
  expect(agenda.hintCount()).toBeLessThanOrEqual(100_000);
  expect(agenda.oldestSince()).toBe(since);
  expect(await agenda.next(signal)).toBe('full');
});

test('a job keeps a queued path until the sync round that processes the path has planned its changes', () => {
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

test('a job replaces more than 100,000 changed object keys with one full sync round that lists the bucket', async () => {
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

test('a job starts a sync round for an object that changed in the bucket and queues its key until the round has planned it', async () => {
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

test('a job starts the sync round for a changed path after at most 10 seconds, even if the last round took hours', async () => {
  const { agenda, clock } = openAgenda();
  agenda.quietFor(HOUR_MS);
  agenda.hint('changed');
  const next = agenda.next(signal);
  clock.advance(10_000);
  expect(await next).toBe('event');
});

test('a job waits 25 ms after a file changes, because a program may save a file in several steps, and waits for the pause between sync rounds', () => {
  const { agenda, clock } = openAgenda();
  expect(agenda.hintsDueIn()).toBeUndefined();
  agenda.hint('a');
  clock.advance(10);
  agenda.hint('b');
  expect(agenda.hintsDueIn()).toBe(15);
  clock.advance(15);
  expect(agenda.hintsDueIn()).toBe(0);
  agenda.takeHints();
  expect(agenda.hintsDueIn()).toBeUndefined();
  agenda.quietFor(100);
  agenda.hint('c');
  expect(agenda.hintsDueIn()).toBe(100);
});

test('a job waits until a changed path is due for a sync round or until the signal is aborted', async () => {
  const { agenda, clock } = openAgenda();
  const ends = new AbortController();
  let ended = 0;
  const wait = () => void agenda.hintsDue(ends.signal).then(() => (ended += 1));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  wait();
  agenda.hint('a');
  await turn();
  expect(ended).toBe(0);
  clock.advance(25);
  await turn();
  expect(ended).toBe(1);
  agenda.takeHints();
  wait();
  ends.abort();
  await turn();
  expect(ended).toBe(2);
});

test('a running full sync round plans some queued paths of a job and postpones the others to the next round', () => {
  const { agenda, clock } = openAgenda();
  agenda.hint('before');
  agenda.takeHints();
  const since = clock.now();
  for (const path of ['a', 'b', 'c']) agenda.hint(path);
  expect([...agenda.takeNewHints(2).keys()]).toEqual(['a', 'b']);
  agenda.plannedSome(['a'], ['b']);
  expect([...agenda.hints()].sort()).toEqual(['b', 'before', 'c']);
  expect([...agenda.takeNewHints(2).keys()]).toEqual(['c']);
  agenda.plannedSome(['c'], []);
  expect([agenda.hintsDueIn(), agenda.hasHints()]).toEqual([undefined, true]);
  clock.advance(100);
  agenda.hint('b');
  expect(agenda.hintsDueIn()).toBe(25);
  agenda.planned();
  expect([agenda.oldestSince(), agenda.hintCount()]).toEqual([since, 1]);
  expect([...agenda.takeHints().keys()]).toEqual(['b']);
});

test('a job plans in the next sync round the paths that a full sync round postponed', () => {
  const { agenda } = openAgenda();
  for (const path of ['a', 'b']) agenda.hint(path);
  agenda.takeNewHints(1);
  agenda.plannedSome([], ['a']);
  expect([...agenda.takeHints().keys()].sort()).toEqual(['a', 'b']);
});

test('a job keeps a path in the queue if it changes again while a full sync round plans it', () => {
  const { agenda } = openAgenda();
  agenda.hint('a');
  agenda.takeNewHints(1);
  agenda.hint('a');
  agenda.plannedSome(['a'], []);
  expect([...agenda.takeHints().keys()]).toEqual(['a']);
});

/**
 * Starts a wait of `ms` milliseconds after a failed sync session. Returns a function that advances
 * the clock by `afterMs` and reports whether the wait has ended.
 */
function backOff({ agenda, clock }: ReturnType<typeof openAgenda>, ms: number) {
  let isOver = false;
  void agenda.backOff(ms, signal).then(() => (isOver = true));
  return async (afterMs: number) => {
    clock.advance(afterMs);
    await new Promise((resolve) => setImmediate(resolve));
    return isOver;
  };
}

test('a job waits the full delay after a failed sync session even if a file changes', async () => {
  const parts = openAgenda();
  const isOver = backOff(parts, 1_000);
  parts.agenda.hint('changed');
  expect([await isOver(999), await isOver(1)]).toEqual([false, true]);
});

test('a job ends the current wait after a failed sync session on a retry request, but not the next wait', async () => {
  const parts = openAgenda();
  const isOver = backOff(parts, 1_000);
  parts.agenda.nudge();
  expect(await isOver(0)).toBe(true);
  const isNextOver = backOff(parts, 1_000);
  expect([await isNextOver(999), await isNextOver(1)]).toEqual([false, true]);
});

test('a job ends the wait after a failed sync session at once if a requested sync round has not started yet', async () => {
  const parts = openAgenda();
  parts.agenda.request({ remote: false, done: () => undefined });
  expect(await backOff(parts, 1_000)(0)).toBe(true);
});

test('a job waits the full delay after a failed sync session if the requested sync round had already started', async () => {
  const parts = openAgenda();
  parts.agenda.request({ remote: false, done: () => undefined });
  parts.agenda.takeRequests();
  const isOver = backOff(parts, 1_000);
  expect([await isOver(999), await isOver(1)]).toEqual([false, true]);
});
