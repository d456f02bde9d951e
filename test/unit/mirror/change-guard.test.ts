/**
 * Tests of the mass-change guard, which holds deletes of files whose content became random data (a
 * sign of encryption).
 */

import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { GuardParts, GuardSession } from '../../../src/mirror/guard/anomaly-alarm.ts';
import { ChangeGuard } from '../../../src/mirror/guard/change-guard.ts';
import { heldDeletesText, noteHeldDeletes } from '../../../src/mirror/guard/prior-deletes.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const HEAD = { etag: 'ours', versionId: 'v1' };
const SESSION: GuardSession = {
  signal: new AbortController().signal,
  policy: () => ({ bucket: 'versioned' }),
};

/** Opens a guard. `overwrite` records that the content of each given file became random data. */
function openGuard() {
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  const clock = new FakeClock();
  const tracker = { say: () => undefined };
  const guard = new ChangeGuard({ state, clock, tracker } as unknown as GuardParts);
  const overwrite = (keys: readonly string[]) => {
    const anomaly = { ...HEAD, at: clock.now(), kind: 'overwritten', why: 'random' } as const;
    for (const key of keys) state.anomalies.note({ ...anomaly, key });
  };
  return { state, guard, overwrite };
}

const files = (folder: string) => Array.from({ length: 20 }, (_, index) => `${folder}/${index}`);

test('the mass-change guard holds deletes of files that were overwritten with random data, but not inside the folder of a development tool such as node_modules', async () => {
  const { guard, overwrite } = openGuard();
  overwrite(files('node_modules'));
  expect(await guard.checkDeletes(files('node_modules'), SESSION)).toEqual(new Set());
  overwrite(files('photos'));
  expect(await guard.checkDeletes(files('photos'), SESSION)).toEqual(new Set(files('photos')));
});

test('the mass-change guard does not hold an approved delete again, even if the file was overwritten with random data', async () => {
  const { state, guard, overwrite } = openGuard();
  const [first = '', ...others] = files('photos');
  state.heldChanges.holdDelete(first, HEAD);
  state.heldChanges.approve('id');
  overwrite([first, ...others]);
  expect(await guard.checkDeletes([first, ...others], SESSION)).toEqual(new Set(others));
});

test.each([
  [1, 'and 1 was mirrored before'],
  [2, 'and 2 were mirrored before'],
])(
  'the mass-change guard states why a delete is held after %i other deletes were applied: %s',
  (deletes, text) => {
    const { state } = openGuard();
    noteHeldDeletes(state, { deletes, limit: 50, now: 0 });
    state.heldChanges.holdDelete('a', HEAD);
    expect(heldDeletesText(state)).toContain(text);
  },
);
