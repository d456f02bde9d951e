/** Tests of the hints of other hard links, because an event names only one of them. */

import { linkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toEntry } from '../../../src/mirror/local/local-entry.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { LinkHints } from '../../../src/mirror/rounds/link-hints.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { runningRound } from '../../helpers/running-round.ts';

const MOST_STATES = 100_000;
/** More rounds than a change needs. */
const ROUNDS = 10;

/** A round with a file that has the names `a` and `b`. The `mirrored` names have an earlier state in the baseline. */
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
  /** Writes until the file has another ctime, since two writes within a tick of the clock have the same. */
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
  'hints the other hard link of a file once for each state while its upload %s',
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

test('hints a hard link that is uploaded for the first time, and again when that upload ends', async () => {
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

test('hints the other hard links of a changed file if the folder of an event is listed', async () => {
  const { hinted, listRoot } = linkedFile(['a', 'c']);
  await listRoot();
  expect(hinted).toEqual(['c']);
});

test('hints no other names of a file for a new hard link in a folder that is listed', async () => {
  const { hinted, listRoot } = linkedFile(['c']);
  await listRoot();
  expect(hinted).toEqual([]);
});

test('forgets the oldest states of files if it remembers too many', () => {
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
