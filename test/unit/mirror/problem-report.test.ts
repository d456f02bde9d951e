/**
 * Tests that a problem which the user acknowledged is counted separately until it expires or
 * changes.
 */

import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ProblemReport } from '../../../src/mirror/state/problem-report.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { Problem } from '../../../src/mirror/model/types.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function report() {
  const clock = new FakeClock();
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const damaged: Problem[] = [];
  const damage = { problems: () => damaged };
  const each = new ProblemReport({ state, tracker, damage, clock });
  return { clock, tracker, each, until: clock.now() + 60_000 };
}

const UNREADABLE = { path: 'f', code: 'unreadable', message: 'permission denied' } as const;

test('a job counts an acknowledged problem separately until the acknowledgment expires', () => {
  const { clock, tracker, each, until } = report();
  tracker.setProblem(UNREADABLE);
  expect(each.acknowledge('f', { note: 'known', until })).toBe(true);
  expect(each.counts()).toEqual({ problems: 0, acknowledged: 1 });
  expect(each.shown()).toEqual([{ ...UNREADABLE, acknowledged: { note: 'known', until } }]);
  clock.advance(60_000);
  expect(each.counts()).toEqual({ problems: 1 });
  expect(each.shown()).toEqual([UNREADABLE]);
});

test('a job counts a path with an acknowledged problem again if it has a different problem', () => {
  const { tracker, each, until } = report();
  tracker.setProblem(UNREADABLE);
  each.acknowledge('f', { note: 'known', until });
  tracker.setProblem({ ...UNREADABLE, code: 'invalid-name' });
  expect(each.counts()).toEqual({ problems: 1 });
});

test('a job refuses to acknowledge a path that has no problem or that is skipped because of its type', () => {
  const { tracker, each, until } = report();
  tracker.setProblem({ path: 'pipe', code: 'unsupported-type', message: '' });
  expect(each.acknowledge('f', { note: 'known', until })).toBe(false);
  expect(each.acknowledge('pipe', { note: 'known', until })).toBe(false);
  expect(each.withdraw('f')).toBe(false);
  expect(each.counts()).toEqual({ problems: 0, skipped: 1 });
});

test('a job limits acknowledged problems to 1,000 per job', () => {
  const { tracker, each, until } = report();
  for (let index = 0; index <= 1_000; index++)
    tracker.setProblem({ ...UNREADABLE, path: `f${index}` });
  for (let index = 0; index < 1_000; index++)
    each.acknowledge(`f${index}`, { note: 'known', until });
  expect(() => each.acknowledge('f1000', { note: 'known', until })).toThrow('at most 1000');
  tracker.clearProblem('f0');
  expect(each.acknowledge('f1000', { note: 'known', until })).toBe(true);
});
