/**
 * Creates a full sync round for tests. The round has scanned the root folder of the job. It then plans
 * the upload of each file that the test saves in the folder.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { RecentReads } from '../../src/mirror/local/recent-reads.ts';
import { scanFolder } from '../../src/mirror/local/scan.ts';
import { Tracker } from '../../src/mirror/model/tracker.ts';
import { type Action, entryOf } from '../../src/mirror/plan/action.ts';
import { Agenda } from '../../src/mirror/rounds/agenda.ts';
import { LinkHints } from '../../src/mirror/rounds/link-hints.ts';
import { planTouched } from '../../src/mirror/rounds/plan-changes.ts';
import { planFolder } from '../../src/mirror/rounds/plan-folder.ts';
import { planSavesWhileFull } from '../../src/mirror/rounds/plan-saves.ts';
import { gather, type RoundContext } from '../../src/mirror/rounds/round-context.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { Retries } from '../../src/mirror/transfer/retries.ts';
import { FakeClock } from './fake-clock.ts';
import { baselineOf, entry, policy } from './plan-cells.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EMPTY = { directory: 'next', entries: [], complete: true, problems: [], rulesChanged: false };

/**
 * Creates the full sync round. The file `excluded` was mirrored before. With `isFull`, the executor accepts no more
 * actions. With `runs`, submitted actions run forever, and otherwise they never start. With `defers`, every change is
 * deferred. `hinted` contains the paths that the planner has queued for planning.
 */
export function runningRound({ runs = false, defers = false, isFull = false } = {}) {
  const root = temporaryFolder();
  const clock = new FakeClock();
  let moment = 0;
  const agenda = new Agenda(clock, () => ++moment);
  agenda.takeRequests();
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  state.settle([{ key: 'excluded', baseline: baselineOf(entry('excluded')) }]);
  const hinted: string[] = [];
  const hint = (path: string) => {
    hinted.push(path);
    agenda.hint(path);
  };
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const submitted: Action[] = [];
  const submit = (actions: readonly Action[]) => {
    submitted.push(...actions);
    for (const action of runs ? actions : []) {
      const uploaded = entryOf(action);
      tracker.begin(action.key, { since: 0, sizeBytes: 0, ...(uploaded && { entry: uploaded }) });
    }
  };
  const capacity = () => Promise.resolve();
  const context = {
    root,
    prefix: '',
    state,
    clock,
    signal: new AbortController().signal,
    excluder: createExcluder({ root, patterns: ['excluded'], protectedFolders: [] }),
    tracker,
    retries: new Retries(clock, () => undefined),
    reads: new RecentReads(),
    deferrals: { defers: () => defers },
    executor: { hasCapacity: () => !isFull, waitForCapacity: capacity, submit },
    missedEvents: agenda.missedEvents,
    tree: { own: () => undefined },
    hint,
    onScanned: () => undefined,
    linkHints: new LinkHints({ baseline: state.baseline, tracker, hint }),
    record: () => undefined,
    policy: () => policy(),
  } as unknown as RoundContext;
  const found = { isUrgent: false, isListed: false, since: 0, after: 0, remote: new Map() };
  const round = gather({ ...found, isFull: true, saved: new Set(), capacity });
  round.scanned.add('');
  const write = (path: string, content = 'content') => {
    writeFileSync(join(root, path), content);
    agenda.hint(path);
  };
  const taken = () => submitted.splice(0).map(({ key }) => key);
  /** Plans the queued paths once. Returns the keys of the submitted actions. */
  const plan = async () => {
    clock.advance(25);
    await planSavesWhileFull(agenda, context, round);
    return taken();
  };
  /** Plans a file that the full round has listed. Returns the keys of the submitted actions. */
  const planListed = async (path: string) => {
    const touched = new Map([[path, entry(path)]]);
    await planTouched({ touched, known: new Map() }, context, round);
    return taken();
  };
  const planNext = () => planFolder(EMPTY, context, round);
  /** Lists and plans the root folder, as a sync round does after a file event. */
  const listRoot = async () => {
    const event = gather({ ...found, isFull: false, capacity });
    await planFolder(await scanFolder(root, '', context.excluder), context, event);
  };
  const plans = { plan, planListed, planNext, listRoot };
  return { root, state, tracker, agenda, hinted, round, write, ...plans };
}
