/**
 * Tests of restoring to a file system that ignores case and Unicode form, as on macOS and Windows:
 * no key overwrites the file of another key.
 */

import {
  type BigIntStats,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { inFolder } from '../../../src/mirror/local/held-folder.ts';
import { RestoreFolder } from '../../../src/restore/restore-folder.ts';
import { SetAsideFolder } from '../../../src/restore/set-aside.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const folded = (name: string) => name.normalize('NFC').toLowerCase();

/** Simulates a file system that finds a file by an equivalent name but lists the stored name. */
class FoldingFolder extends RestoreFolder {
  override statsOf(path: string): BigIntStats | undefined {
    const names = readdirSync(this.absolute(''));
    const name = names.find((each) => folded(each) === folded(path));
    return name === undefined ? undefined : lstatSync(this.absolute(name), { bigint: true });
  }
}

function opened() {
  const to = join(temporaryFolder('folding'), 'to');
  mkdirSync(to);
  const aside = new SetAsideFolder(to, 0);
  const restoreFolder = new FoldingFolder({
    to,
    aside,
    setMtime: () => undefined,
    exact: false,
  });
  return { to, aside, restoreFolder };
}

test.each([
  ['another letter case', 'Name', 'name'],
  ['another Unicode form', 'e\u0301', '\u00e9'],
])(
  'a restore keeps a file whose name has %s and reports a problem for the key that would replace the file',
  (_what, there, wanted) => {
    const { to, aside, restoreFolder } = opened();
    writeFileSync(join(to, there), 'content');
    const seen = restoreFolder.statsOf(wanted);
    expect(seen).toBeDefined();
    for (const takeIt of [
      () => restoreFolder.makeWay(wanted, seen),
      () => restoreFolder.makeFolder(wanted, true),
    ])
      expect(takeIt).toThrow('differs in case or Unicode form');
    expect(readFileSync(join(to, there), 'utf8')).toBe('content');
    expect(aside.count).toBe(0);
  },
);

test('a restore sets an existing file aside if its name equals the key', () => {
  const { to, aside, restoreFolder } = opened();
  writeFileSync(join(to, 'name'), 'content');
  restoreFolder.makeWay('name', restoreFolder.statsOf('name'));
  expect([readdirSync(to), aside.count]).toEqual([[], 1]);
});

test('a restore syncs to disk each folder on the path of a file that was set aside', async () => {
  const { to, aside } = opened();
  mkdirSync(join(to, 'a/b/c'), { recursive: true });
  writeFileSync(join(to, 'a/b/c/f'), 'content');
  inFolder(to, 'a/b/c', (folder) => aside.move('a/b/c/f', folder));
  const synced = new Set<number>();
  await aside.sync(async (descriptor) => void synced.add(fstatSync(descriptor).ino));
  const folder = aside.folder ?? '';
  const paths = ['a/b/c', 'a/b', 'a', '.', '..'].map((path) => join(folder, path));
  expect(paths.filter((path) => !synced.has(statSync(path).ino))).toEqual([]);
});
