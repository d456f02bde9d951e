/** One file of a restore, where it cannot be made. */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { restoreFile } from '../../../src/mirror/restore/restore-file.ts';
import { loadSetMtime } from '../../../src/mirror/restore/set-mtime.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a body that nobody can write is let go', async () => {
  let returned = false;
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    next: () => Promise.reject(new Error('nobody reads it')),
    return: async () => {
      returned = true;
      return { done: true, value: undefined };
    },
  };
  const attempt = restoreFile({
    path: join(temporaryFolder('restore'), 'no such folder', 'file'),
    content: { info: { sizeBytes: 1, etag: 'e', lastModifiedAt: 0 }, body },
    attributes: { kind: 'file' },
    setMtime: await loadSetMtime(),
    onBytes: () => undefined,
    makeWay: () => undefined,
  });
  await expect(attempt).rejects.toMatchObject({ code: 'ENOENT' });
  expect(returned).toBe(true);
});
