/** kill -9 at every fail point: nothing acknowledged is lost, and nothing half stays. */

import { expect, test } from 'vitest';

import { bodyOf, crash, inconsistencies } from '../helpers/engine-crash.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { blobFiles, openTestEngine, readBytes, temporaryFiles } from '../helpers/test-engine.ts';

test.each([
  ['after-tmp-write', 1],
  ['after-tmp-write', 7],
  ['after-rename', 1],
  ['after-rename', 8],
  ['before-commit', 3],
  ['before-commit', 40],
  ['after-commit', 3],
  ['after-commit', 41],
] as const)('a process killed %s (pass %i) keeps what it acknowledged', async (point, pass) => {
  const dir = temporaryFolder('engine-crash');
  const { acknowledged, signal } = await crash({ dir, point, pass });
  expect(signal).toBe('SIGKILL');
  // Otherwise there would be nothing to lose.
  if (pass > 3) expect(acknowledged.put.length).toBeGreaterThan(0);

  const { engine, store } = await openTestEngine({ dir });
  const removed = new Set(acknowledged.removed.map(({ versionId }) => versionId));
  for (const { key, versionId } of acknowledged.put) {
    const read = readBytes(store, { bucket: 'versions', key, versionId });
    if (removed.has(versionId)) await expect(read).rejects.toMatchObject({ code: 'NoSuchVersion' });
    // Its removal may have been committed without the answer coming out.
    else if (Number(key.slice(1)) % 5 !== 0) expect((await read).equals(bodyOf(key))).toBe(true);
    else await read.catch(() => undefined);
  }

  // What was not acknowledged is there whole or not at all.
  const listed = (await store.listVersions({ bucket: 'versions' }).catch(() => undefined))
    ?.versions;
  for (const { key, versionId } of listed ?? []) {
    const bytes = await readBytes(store, { bucket: 'versions', key, versionId });
    expect(bytes.equals(bodyOf(key))).toBe(true);
  }

  expect((await engine.sweep()).problems).toEqual([]);
  await engine.close();
  expect(inconsistencies(dir, blobFiles(dir))).toEqual([]);
  expect(temporaryFiles(dir)).toEqual([]);
});
