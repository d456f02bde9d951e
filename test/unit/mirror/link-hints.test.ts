/**
 * Tests that a job also checks the other hard links of a changed file, because a file event names
 * only one of them.
 */

import { linkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toEntry } from '../../../src/mirror/local/local-entry.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { LinkHints } from '../../../src/mirror/rounds/link-hints.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { runningRound } from '../../helpers/running-round.ts';

const MOST_STATES = 100_000;
/** More sync rounds than one change needs. */
const ROUNDS = 10;

/**
 * Opens a sync round with a file that has the hard links `a` and `b`. The last synced state of the
 * `mirrored` names is older.
 */
function linkedFile(mirrored: readonly string[], options: Parameters<typeof runningRound>[0] = {}) {
  const opened = runningRound(options);
  const { root, state, write, plan } = opened;
  const current = (path: string) => toEntry(path, 'file', lstatSync(join(root, path)));
  const mirror = (path: string) =>
    state.settle([{ key: path, baseline: baselineOf({ ...current('a'), path, sizeBytes: 1 }) }]);
  write('a', 'changed');
  linkSync(join(root, 'a'), join(root, 'b'));
  for (const path of mirrored) mirror(path);
  const planAll = async () => {
    for (let round = 0; round < ROUNDS; round += 1) await plan();
  };
  /**
   * Writes until the file has another ctime, because two writes within one tick of the clock have
   * the same ctime.
   */
  const change = () => {
    const { ctimeMs } = current('a');
    while (current('a').ctimeMs === ctimeMs) write('a', 'changed again');
  };
  const hold = (path: string) =>
    state.heldChanges.holdOverwrite({
      key: path,
      entry: current(path),
      sha256: 'changed',
      why: 'encrypted',
      head: { etag: 'ours', versionId: 'v1' },
    });
  return { ...opened, mirror, planAll, change, hold };
}

test.each([
  ['runs', { runs: true, isHeld: false }],
  ['is deferred', { defers: true, isHeld: false }],
  ['is held', { isHeld: true }],
])(
  'a job queues the other hard link of a changed file once per change while the upload of the file %s',
  async (_what, { isHeld, ...options }) => {
    const { hinted, planAll, change, hold } = linkedFile(['a', 'b'], options);
    if (isHeld) for (const path of ['a', 'b']) hold(path);
    await planAll();
    expect(hinted).toEqual(['b']);
    change();
    await planAll();
    expect(hinted).toEqual(['b', 'b']);
  },
);

test('a job queues a hard link that is uploaded for the first time, and again after its upload ends', async () => {
  const { agenda, hinted, tracker, planAll, change } = linkedFile(['a'], { runs: true });
  agenda.hint('b');
  await planAll();
  expect(hinted).toEqual([]);
  change();
  await planAll();
  expect(hinted).toEqual(['b']);
  tracker.end('b');
  expect(hinted).toEqual(['b', 'b']);
});

test('a job queues the other hard links of a changed file if its folder is listed after a file event', async () => {
  const { hinted, listRoot } = linkedFile(['a', 'c']);
  await listRoot();
  expect(hinted).toEqual(['c']);
});

test('a job does not queue the other names of a file if a listed folder contains a new hard link to it', async () => {
  const { hinted, listRoot } = linkedFile(['c']);
  await listRoot();
  expect(hinted).toEqual([]);
});

test('a job drops the oldest remembered file states when the limit is reached', () => {
  const hinted: string[] = [];
  const rows = (inodes: readonly number[]) =>
    new Map(inodes.map((inode) => [inode, [baselineOf(entry('b', { inode }))]]));
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const hint = (path: string) => void hinted.push(path);
  const hints = new LinkHints({ baseline: { withInodes: rows }, tracker, hint });
  const linked = (inode: number) => entry('a', { inode, link: inode });
  hints.hintOthers(Array.from({ length: MOST_STATES + 1 }, (_, inode) => linked(inode)));
  hinted.length = 0;
  hints.hintOthers([linked(MOST_STATES), linked(0)]);
  expect(hinted).toEqual(['b']);
});
