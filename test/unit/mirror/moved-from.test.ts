/** When a file that moved with its folder is copied in the bucket without being read. */

import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toExactEntry } from '../../../src/mirror/local/local-entry.ts';
import { RecentReads } from '../../../src/mirror/local/recent-reads.ts';
import { movedFrom } from '../../../src/mirror/transfer/move.ts';
import type { PerformContext } from '../../../src/mirror/transfer/step.ts';
import type { BaselineEntry } from '../../../src/mirror/model/types.ts';
import { baselineOf } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function openMoved(changes: Partial<BaselineEntry> = {}) {
  const root = temporaryFolder('moved');
  writeFileSync(join(root, 'f'), 'whole');
  const found = toExactEntry('f', 'file', lstatSync(join(root, 'f'), { bigint: true }));
  const row = { ...baselineOf(found, changes), path: 'old/f' };
  const reads = new RecentReads();
  const state = { baseline: { withInode: () => [row] } };
  const put = { kind: 'put', key: 'f', entry: found, why: 'new', lock: false } as const;
  const action = { ...put, guard: { ifNoneMatch: '*' } } as const;
  const origin = async (path = '') => {
    const context = { root: join(root, path), reads, state } as unknown as PerformContext;
    return (await movedFrom(action, context))?.origin;
  };
  return { row, reads, origin };
}

test('where it is in the state that was mirrored, but not where what was read then is unsure', async () => {
  const { row, reads, origin } = openMoved();
  reads.begin('old/f');
  expect(await origin()).toBe(row);
  reads.noteChange('old/f');
  expect(await origin()).toBeUndefined();
});

test('not where it has gone on meanwhile, with its attributes or without any', async () => {
  for (const xattrs of ['some', undefined]) {
    const { origin } = openMoved(xattrs === undefined ? {} : { xattrs });
    expect(await origin('elsewhere')).toBeUndefined();
  }
});
