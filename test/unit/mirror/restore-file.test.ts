/** Tests of restoring a single file if writing it fails. */

import { lstatSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { HeldFolder } from '../../../src/mirror/local/held-folder.ts';
import { HardLinks } from '../../../src/restore/hard-links.ts';
import { restoreFile } from '../../../src/mirror/transfer/write-file.ts';
import { loadSetMtime } from '../../../src/mirror/local/set-mtime.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a restore closes the download body of a file that cannot be written to disk', async () => {
  let returned = false;
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    next: () => Promise.reject(new Error('the body was read')),
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

test('a restore does not replace a file that is created under the final name during the download', async () => {
  const folder = temporaryFolder('restore');
  const path = join(folder, 'f');
  const held = new HeldFolder(folder, '');
  const file = await restoreFile({
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
  expect(() => file.takeName()).toThrow(/EEXIST/);
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

test('a restore writes a second hard link as a separate file if the file system cannot create the link', () => {
  const folder = temporaryFolder('restore');
  writeFileSync(join(folder, 'f'), 'restored');
  const names = new HardLinks(folder);
  const attributes = { link: 1, sha256: 'digest' };
  const stats = lstatSync(join(folder, 'f'), { bigint: true });
  names.note(attributes, { path: 'f', stats });
  // /dev is another file system, so that linking to it fails as on a file system without hard
  // links.
  const held = new HeldFolder('/dev', '');
  expect(names.linkNow(attributes, { folder: held, name: 'second' })).toBe(false);
  held.close();
});
