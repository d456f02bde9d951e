/** One file of a restore, where it cannot be made. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { linkTo } from '../../../src/mirror/restore/hard-links.ts';
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

test('a file that comes to the place at the last moment is not replaced', async () => {
  const folder = temporaryFolder('restore');
  const path = join(folder, 'f');
  const nameFile = await restoreFile({
    path,
    content: {
      info: { sizeBytes: 8, etag: 'e', lastModifiedAt: 0 },
      body: (async function* () {
        yield Buffer.from('restored');
      })(),
    },
    attributes: { kind: 'file' },
    setMtime: await loadSetMtime(),
    onBytes: () => undefined,
    makeWay: () => writeFileSync(path, 'came'),
  });
  await expect(nameFile(async () => undefined)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('came');
  const second = join(folder, 'second');
  const link = () => linkTo(path, second, () => writeFileSync(second, 'came too'));
  expect(link).toThrow(/EEXIST/);
  expect(readFileSync(second, 'utf8')).toBe('came too');
  expect(readdirSync(folder).sort()).toEqual(['f', 'second']);
});
