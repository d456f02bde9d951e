/**
 * Tests that a file is read again if it may have changed while it was read, even if its timestamps
 * are unchanged.
 */

import { hash } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { toExactEntry } from '../../../src/mirror/local/local-entry.ts';
import { RecentReads } from '../../../src/mirror/local/recent-reads.ts';
import { examine } from '../../../src/mirror/transfer/replan.ts';
import { Retries } from '../../../src/mirror/transfer/retries.ts';
import { readFailed } from '../../../src/mirror/transfer/step-failure.ts';
import type { PerformContext } from '../../../src/mirror/transfer/step-types.ts';
import type { Action } from '../../../src/mirror/plan/action.ts';
import { rereadUnsure } from '../../../src/mirror/rounds/reread-recent.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

describe('files that may have changed while they were read', () => {
  test('a job marks a file as unstable if a file event arrives after its last read began, until the file is read again', () => {
    const reads = new RecentReads();
    reads.noteChange('f');
    expect(reads.isUncertain('f')).toBe(false);
    reads.begin('f');
    expect(reads.isUncertain('f')).toBe(false);
    reads.noteChange('g');
    reads.noteChange('f');
    expect([reads.isUncertain('f'), reads.isUncertain('g')]).toEqual([true, false]);
    reads.begin('f');
    expect(reads.isUncertain('f')).toBe(false);
  });

  test('a job remembers only the last few thousand reads to detect unstable files', () => {
    const reads = new RecentReads();
    for (let file = 0; file < 10_000; file += 1) reads.begin(`${file}`);
    for (const path of ['0', '9999']) reads.noteChange(path);
    expect([reads.isUncertain('0'), reads.isUncertain('9999')]).toEqual([false, true]);
  });

  test('a job keeps a file marked as unstable even if 10,000 other files are read before its folder is scanned', () => {
    const reads = new RecentReads();
    reads.begin('f');
    reads.noteChange('f');
    for (let file = 0; file < 10_000; file += 1) reads.begin(`${file}`);
    expect(reads.isUncertain('f')).toBe(true);
  });

  test('a job marks all recently read files as unstable if file events were lost', () => {
    const reads = new RecentReads();
    for (const path of ['f', 'g']) reads.begin(path);
    reads.noteLostEvents();
    expect([reads.isUncertain('f'), reads.isUncertain('g')]).toEqual([true, true]);
    for (const path of ['f', 'g']) reads.forget(path);
    expect(reads.hasUncertain()).toBe(false);
  });
});

test('a job hashes an unstable file again unless its transfer or retry is already in progress', () => {
  const reads = new RecentReads();
  const paths = ['sure', 'unsure', 'under way', 'waiting', 'touched'];
  for (const path of paths) reads.begin(path);
  for (const path of paths.slice(1)) reads.noteChange(path);
  const hinted: string[] = [];
  const submitted: Action[] = [];
  const context = {
    reads,
    retries: { isPending: (path: string) => path === 'waiting' },
    tracker: {
      underWay: (key: string) => (key === 'under way' ? { since: 1, sizeBytes: 1 } : undefined),
      isAwaited: () => false,
      whenOver: (_key: string, callback: () => void) => callback(),
    },
    hint: (path: string) => hinted.push(path),
    executor: { submit: (actions: readonly Action[]) => submitted.push(...actions) },
  } as unknown as Parameters<typeof rereadUnsure>[2];
  const gathered = { since: 1, actions: 0, isLate: false, isUrgent: false };
  const entries = paths.map((path) => entry(path));
  rereadUnsure(entries, new Map([['touched', entry('touched')]]), context, gathered);
  expect(hinted).toEqual(['under way']);
  expect(submitted).toEqual([
    { kind: 'examine', key: 'unsure', entry: entry('unsure'), readHead: false, hashFile: true },
  ]);
  expect(gathered).toMatchObject({ actions: 1, isLate: true });
});

test('a job reports a problem for an unstable file that cannot be read, until a read finds it unchanged', async () => {
  const root = temporaryFolder('reads');
  writeFileSync(join(root, 'f'), 'whole');
  const stats = lstatSync(join(root, 'f'), { bigint: true });
  const found = toExactEntry('f', 'file', stats);
  const reads = new RecentReads();
  const clock = systemClock;
  const retries = new Retries(clock, () => undefined);
  onTestFinished(() => retries.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const { signal } = new AbortController();
  const baseline = { get: () => baselineOf(found, { sha256: hash('sha256', 'whole') }) };
  const looking = (path: string) =>
    ({
      root: join(root, path),
      tree: { digests: () => undefined },
      state: { baseline },
      clock,
      signal,
      reads,
      retries,
      tracker,
    }) as unknown as PerformContext;
  const action = { kind: 'examine', key: 'f', entry: found, readHead: false } as const;
  const examineIn = (path: string) => {
    const again = { ...action, hashFile: true };
    return examine({ action: again, attempts: 0 }, again, looking(path));
  };

  expect(await examineIn('x'.repeat(300))).toEqual({ is: 'settled' });
  expect([...tracker.allProblems()]).toMatchObject([{ path: 'f', code: 'unreadable' }]);
  expect([reads.isUncertain('f'), retries.isPending('f', false)]).toEqual([true, true]);

  expect(await examineIn('')).toEqual({ is: 'settled' });
  expect([...tracker.allProblems()]).toEqual([]);
  expect([reads.isUncertain('f'), retries.isPending('f', false)]).toEqual([false, false]);
});

test('a job retries a file that cannot be opened after a delay, but scans the path of a missing file at once', () => {
  const root = temporaryFolder('reads');
  writeFileSync(join(root, 'f'), '');
  const hinted: string[] = [];
  const retries = new Retries(systemClock, () => undefined);
  onTestFinished(() => retries.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const hint = (path: string) => hinted.push(path);
  const reads = new RecentReads();
  const context = { root, hint, reads, retries, tracker } as unknown as PerformContext;
  for (const path of ['f', 'gone', 'f']) readFailed(path, entry(path), { status: 'gone' }, context);
  expect(hinted).toEqual(['gone']);
  expect([...tracker.allProblems()]).toMatchObject([{ path: 'f', code: 'busy' }]);
  expect(retries.isPending('f', false)).toBe(true);
});
