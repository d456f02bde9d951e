/**
 * Tests of the decision to copy a file in a moved folder inside the bucket instead of uploading it
 * again.
 */

import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toExactEntry } from '../../../src/mirror/local/local-entry.ts';
import { RecentReads } from '../../../src/mirror/local/recent-reads.ts';
import { movedFrom } from '../../../src/mirror/transfer/move.ts';
import type { PerformContext } from '../../../src/mirror/transfer/step-types.ts';
import type { BaselineEntry } from '../../../src/mirror/model/types.ts';
import { baselineOf } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function openMoved(changes: Partial<BaselineEntry> = {}) {
  const root = temporaryFolder('moved');
  writeFileSync(join(root, 'f'), 'whole');
  const found = toExactEntry('f', 'file', lstatSync(join(root, 'f'), { bigint: true }));
  const row = { ...baselineOf(found, changes), path: 'old/f' };
  const reads = new RecentReads();
  const state = { baseline: { withInodes: () => new Map([[row.inode, [row]]]) } };
  const put = { kind: 'put', key: 'f', entry: found, why: 'new', lock: false } as const;
  const action = { ...put, guard: { ifNoneMatch: '*' } } as const;
  const origin = async (path = '') => {
    const context = { root: join(root, path), reads, state } as unknown as PerformContext;
    return (await movedFrom(action, context))?.origin;
  };
  return { row, reads, origin };
}

test('a job copies a moved file inside the bucket only if no file event arrived since the file was last read', async () => {
  const { row, reads, origin } = openMoved();
  reads.begin('old/f');
  expect(await origin()).toBe(row);
  reads.noteChange('old/f');
  expect(await origin()).toBeUndefined();
});

test('a job uploads a file that moved a second time instead of copying it, with or without extended attributes', async () => {
  for (const xattrs of ['some', undefined]) {
    const { origin } = openMoved(xattrs === undefined ? {} : { xattrs });
    expect(await origin('elsewhere')).toBeUndefined();
  }
});
