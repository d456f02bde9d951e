/** What was read in the middle of a write is read again, though its times are those of what was mirrored. */

import { describe, expect, test } from 'vitest';

import { RecentReads } from '../../../src/mirror/local/recent-reads.ts';
import type { Action } from '../../../src/mirror/plan/action.ts';
import { lookAgain } from '../../../src/mirror/rounds/look-again.ts';
import { entry } from '../../helpers/plan-cells.ts';

describe('a file is unsure', () => {
  test('when something happened since it began to be read, until it is read again', () => {
    const reads = new RecentReads();
    reads.happened('f');
    expect(reads.isUnsure('f')).toBe(false);
    reads.begin('f');
    expect(reads.isUnsure('f')).toBe(false);
    reads.happened('g');
    reads.happened('f');
    expect([reads.isUnsure('f'), reads.isUnsure('g')]).toEqual([true, false]);
    reads.begin('f');
    expect(reads.isUnsure('f')).toBe(false);
  });

  test('as long as it is among the last few thousand', () => {
    const reads = new RecentReads();
    for (let file = 0; file < 10_000; file += 1) reads.begin(`${file}`);
    for (const path of ['0', '9999']) reads.happened(path);
    expect([reads.isUnsure('0'), reads.isUnsure('9999')]).toEqual([false, true]);
  });
});

test('what is unsure is looked at by its content, and what is under way when it is over', () => {
  const reads = new RecentReads();
  for (const path of ['sure', 'unsure', 'under way', 'touched']) reads.begin(path);
  for (const path of ['unsure', 'under way', 'touched']) reads.happened(path);
  const hinted: string[] = [];
  const submitted: Action[] = [];
  const context = {
    reads,
    tracker: {
      underWay: (key: string) => (key === 'under way' ? { since: 1, sizeBytes: 1 } : undefined),
    },
    hint: (path: string) => hinted.push(path),
    executor: { submit: (actions: readonly Action[]) => submitted.push(...actions) },
  } as unknown as Parameters<typeof lookAgain>[2];
  const gathered = { since: 1, actions: 0 };
  const entries = ['sure', 'unsure', 'under way', 'touched'].map((path) => entry(path));
  lookAgain(entries, new Map([['touched', entry('touched')]]), context, gathered);
  expect(hinted).toEqual(['under way']);
  expect(submitted).toEqual([
    { kind: 'examine', key: 'unsure', entry: entry('unsure'), readHead: false, hashFile: true },
  ]);
  expect(gathered.actions).toBe(1);
});
