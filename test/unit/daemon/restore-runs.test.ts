/** Tests of restores that run in the daemon and that clients can find by their ids. */

import { expect, test } from 'vitest';

import { RestoreRuns } from '../../../daemon/restores/restore-runs.ts';
import { unlessAborted } from '../../../src/base/abortable.ts';
import type { Result } from '../../../src/control/messages.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const RESULT: Result<'restore.run'> = {
  to: '/back',
  files: 2,
  kept: 0,
  directories: 1,
  symlinks: 0,
  bytes: 20,
  aside: 0,
  saved: 0,
  early: { count: 0, paths: [] },
  undated: 0,
  seconds: 1,
  problems: [],
  problemCount: 0,
};

/**
 * Starts a restore that ends when the test resolves `end`. With `stays`, the restore continues when
 * its caller disconnects.
 */
function begin(stays: boolean, id = 'one') {
  const runs = new RestoreRuns(new FakeClock());
  const caller = new AbortController();
  const end = Promise.withResolvers<Result<'restore.run'>>();
  const run = runs.begin({ id, job: 'photos' }, { signal: caller.signal, stays }, (signal) =>
    unlessAborted(end.promise, signal),
  );
  run.catch(() => undefined);
  return { runs, caller, end, run };
}

test('the daemon continues a detached restore without its caller and reports the result to another caller', async () => {
  const { runs, caller, end } = begin(true);
  caller.abort();
  runs.note('one', { files: 1, totalFiles: 2 });
  expect(runs.list()).toMatchObject([{ id: 'one', state: 'running', files: 1, totalFiles: 2 }]);
  const waiting = runs.wait('one');
  end.resolve(RESULT);
  expect(await waiting).toBe(RESULT);
  expect(runs.list()).toMatchObject([{ state: 'done', to: '/back', files: 2, problemCount: 0 }]);
  expect(await runs.wait('one')).toBe(RESULT);
});

test('the daemon ends an attached restore when its caller disconnects', async () => {
  const { runs, caller, run } = begin(false);
  caller.abort();
  await expect(run).rejects.toThrow('aborted');
  expect(runs.list()).toMatchObject([{ state: 'stopped' }]);
});

test('a client can stop a restore by its id, and the daemon stops all restores when the daemon itself stops', async () => {
  const { runs, run } = begin(true);
  runs.stop('one');
  await expect(run).rejects.toThrow('aborted');
  expect(() => runs.stop('two')).toThrow('unknown restore two');
  const other = begin(true);
  await other.runs.close();
  expect(other.runs.list()).toMatchObject([{ state: 'stopped' }]);
});

test('the daemon keeps the reason of a failed restore, and keeps the last ten finished restores', async () => {
  const { runs, end, run } = begin(true);
  end.reject(new Error('no space left'));
  await expect(run).rejects.toThrow('no space');
  expect(runs.list()).toMatchObject([{ state: 'failed', failure: 'no space left' }]);
  const signal = new AbortController().signal;
  for (let count = 0; count < 11; count += 1) {
    const work = () => Promise.resolve(RESULT);
    await runs.begin({ id: `run ${count}`, job: 'photos' }, { signal, stays: true }, work);
  }
  expect(runs.list().map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `run ${10 - index}`),
  );
});
