import { expect, test } from 'vitest';

import { MissedEventsCheck } from '../../../src/mirror/rounds/watch-doubt.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { entry } from '../../helpers/plan-cells.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A first round is over; then `path` changes, is announced by `announced`, and is found `laterMs` later. */
function found(path: string, options: { announced?: string; laterMs?: number; link?: number }) {
  const clock = new FakeClock();
  const doubt = new MissedEventsCheck(clock);
  doubt.reset();
  doubt.beginRound();
  doubt.check([entry('old', { ctimeMs: clock.now() - HOUR_MS })]);
  doubt.endRound(HOUR_MS);
  clock.advance(MINUTE_MS);
  const ctimeMs = clock.now();
  if (options.announced !== undefined) doubt.announce(options.announced);
  clock.advance(options.laterMs ?? MINUTE_MS);
  doubt.beginRound();
  const link = options.link === undefined ? {} : { link: options.link };
  doubt.check([entry(path, { ctimeMs, ...link })]);
  return { missed: doubt.missed(), nextMs: doubt.endRound(HOUR_MS) };
}

test('a change that no event told puts the watch in doubt, and all is polled', () => {
  expect(found('a/f', {})).toEqual({ missed: 'a/f', nextMs: MINUTE_MS });
});

test.each([
  ['told by its event', { announced: 'a/f' }],
  ['told by its folder', { announced: 'a' }],
  ['so young that its event may come', { laterMs: 9_000 }],
  ['of a file with another name, which may be elsewhere', { link: 7 }],
])('a change that is %s does not', (_what, options) => {
  expect(found('a/f', options)).toEqual({ missed: undefined, nextMs: HOUR_MS });
});

test('what was announced while a round ran counts for the next one', () => {
  const clock = new FakeClock();
  const doubt = new MissedEventsCheck(clock);
  doubt.beginRound();
  clock.advance(1);
  const ctimeMs = clock.now();
  doubt.announce('f');
  doubt.endRound(HOUR_MS);
  clock.advance(MINUTE_MS);
  doubt.beginRound();
  doubt.check([entry('f', { ctimeMs })]);
  expect(doubt.missed()).toBeUndefined();
});

test('a new session doubts nothing of before', () => {
  const clock = new FakeClock();
  const doubt = new MissedEventsCheck(clock);
  doubt.beginRound();
  doubt.endRound(HOUR_MS);
  clock.advance(MINUTE_MS);
  const ctimeMs = clock.now();
  clock.advance(MINUTE_MS);
  doubt.reset();
  doubt.beginRound();
  doubt.check([entry('f', { ctimeMs })]);
  expect(doubt.missed()).toBeUndefined();
});
