/** One file of a restore, where it cannot be made. */

import { lstatSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { HeldFolder } from '../../../src/mirror/local/held-folder.ts';
import { HardLinks } from '../../../src/restore/hard-links.ts';
import { restoreFile } from '../../../src/mirror/transfer/write-file.ts';
import { loadSetMtime } from '../../../src/mirror/local/set-mtime.ts';
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
  const path = temporaryFolder('restore');
  const folder = new HeldFolder(path, '');
  rmdirSync(path);
  const attempt = restoreFile({
    folder,
    name: 'file',
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
  const held = new HeldFolder(folder, '');
  const nameFile = await restoreFile({
    folder: held,
    name: 'f',
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
  const names = new HardLinks(folder);
  const attributes = { link: 1, sha256: 'digest' };
  names.note(attributes, { path: 'f', stats: lstatSync(path, { bigint: true }) });
  const makeWay = () => writeFileSync(second, 'came too');
  const link = () => names.linkNow(attributes, { folder: held, name: 'second', makeWay });
  expect(link).toThrow(/EEXIST/);
  expect(readFileSync(second, 'utf8')).toBe('came too');
  expect(readdirSync(folder).sort()).toEqual(['f', 'second']);
});

test('a further name that cannot be linked is left to be a file of its own', () => {
  const folder = temporaryFolder('restore');
  writeFileSync(join(folder, 'f'), 'restored');
  const names = new HardLinks(folder);
  const attributes = { link: 1, sha256: 'digest' };
  const stats = lstatSync(join(folder, 'f'), { bigint: true });
  names.note(attributes, { path: 'f', stats });
  // Another file system, as one without links would be.
  const held = new HeldFolder('/dev', '');
  expect(names.linkNow(attributes, { folder: held, name: 'second' })).toBe(false);
  held.close();
});
