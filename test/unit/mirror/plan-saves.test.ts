/** Tests of the hints that a full round takes while it runs. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { RecentReads } from '../../../src/mirror/local/recent-reads.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { Action } from '../../../src/mirror/plan/action.ts';
import { Agenda } from '../../../src/mirror/rounds/agenda.ts';
import { planFolder } from '../../../src/mirror/rounds/plan-folder.ts';
import { planSavesWhileFull } from '../../../src/mirror/rounds/plan-saves.ts';
import { gather, type RoundContext } from '../../../src/mirror/rounds/round-context.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Retries } from '../../../src/mirror/transfer/retries.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const EMPTY = { directory: 'next', entries: [], complete: true, problems: [], rulesChanged: false };

/** A full round that has scanned the root, and whose executor has capacity. `excluded` was mirrored before. */
function runningRound() {
  const root = temporaryFolder();
  const clock = new FakeClock();
  let moment = 0;
  const agenda = new Agenda(clock, () => ++moment);
  agenda.takeRequests();
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  state.settle([{ key: 'excluded', baseline: baselineOf(entry('excluded')) }]);
  const submitted: Action[] = [];
  const signal = new AbortController().signal;
  const guard = { files: 1, recentDeletes: 0, heldBefore: 0, exempt: new Set() };
  const none = { isFirstRound: false, heldKeys: new Set(), answers: new Map() };
  const context = {
    root,
    prefix: '',
    state,
    clock,
    signal,
    excluder: createExcluder({ root, patterns: ['excluded'], protectedFolders: [] }),
    tracker: new Tracker({ onChange: () => undefined, onActivity: () => undefined }),
    retries: new Retries(clock, () => undefined),
    reads: new RecentReads(),
    deferrals: { defers: () => false },
    executor: {
      hasCapacity: () => true,
      submit: (actions: readonly Action[]) => void submitted.push(...actions),
    },
    missedEvents: agenda.missedEvents,
    tree: { own: () => undefined },
    hint: (path: string) => agenda.hint(path),
    record: () => undefined,
    policy: () => ({
      ...none,
      bucket: 'versioned',
      conflict: 'keep-both',
      drift: 'report',
      deleteGuard: guard,
    }),
  } as unknown as RoundContext;
  const capacity = () => Promise.resolve();
  const found = { isUrgent: false, isListed: false, since: 0, after: 0, remote: new Map() };
  const round = gather({ ...found, isFull: true, saved: new Set(), capacity });
  round.scanned.add('');
  const write = (path: string) => {
    writeFileSync(join(root, path), 'content');
    agenda.hint(path);
  };
  const plan = async () => {
    clock.advance(25);
    await planSavesWhileFull(agenda, context, round);
    return submitted.splice(0).map(({ key }) => key);
  };
  const planNext = () => planFolder(EMPTY, context, round);
  return { root, agenda, round, write, plan, planNext };
}

test('leaves a file that is excluded by now to the next round, and does not look at it again and again', async () => {
  const { agenda, write, plan } = runningRound();
  write('excluded');
  write('saved');
  expect(await plan()).toEqual(['saved']);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['excluded']);
});

test('leaves a file that vanished to the next round', async () => {
  const { root, agenda, write, plan } = runningRound();
  write('vanished');
  rmSync(join(root, 'vanished'));
  expect(await plan()).toEqual([]);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['vanished']);
});

test('remembers the saved files of the folder that is being planned, and no others', async () => {
  const { round, write, plan, planNext } = runningRound();
  for (const path of ['a', 'b']) write(path);
  expect(await plan()).toEqual(['a', 'b']);
  expect([...(round.saved ?? [])]).toEqual(['a', 'b']);
  await planNext();
  expect(round.saved?.size).toBe(0);
});
