/**
 * Tests of detecting files that changed without a file event. A job that misses an event then scans
 * the whole tree every minute.
 */

import { expect, test } from 'vitest';

import { MissedEventsCheck } from '../../../src/mirror/rounds/missed-events.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { entry } from '../../helpers/plan-cells.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Completes a first sync round. Then `path` changes, a file event for `announced` arrives, and a
 * scan finds the change `laterMs` later.
 */
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

test('a job schedules a scan of the whole tree after one minute if a scan finds a change without a file event', () => {
  expect(found('a/f', {})).toEqual({ missed: 'a/f', nextMs: MINUTE_MS });
});

test.each([
  ['reported by its own file event', { announced: 'a/f' }],
  ['reported by a file event of its folder', { announced: 'a' }],
  ['too recent for its file event to have arrived', { laterMs: 9_000 }],
  ['made through another hard link, whose path the file event may name', { link: 7 }],
])('a job does not report a missed event for a change that is %s', (_what, options) => {
  expect(found('a/f', options)).toEqual({ missed: undefined, nextMs: HOUR_MS });
});

test('a job does not report a missed event if the file event arrived during the previous sync round', () => {
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

test('a job does not report events that were missed before a new sync session', () => {
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
