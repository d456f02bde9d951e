/** Tests that everyday changes by users and tools trigger neither the mass-change guard nor an anomaly. */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { fillFolder, filesBelow } from '../helpers/attacks.ts';
import type { MirrorStatus } from '../../src/mirror/mirror.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { noise, photo, sampleFiles, textOf } from '../helpers/sample-files.ts';
import { until } from '../helpers/until.ts';

type Doing = (root: string, settled: () => Promise<void>) => Promise<void> | void;

/**
 * Everyday activities by name. Each has a function that creates the initial files and a function that changes
 * them.
 */
const DOINGS: Readonly<Record<string, readonly [before: Doing, doing: Doing]>> = {
  'npm install, and another version of it all': [
    (root) => installPackages(root, 1),
    async (root, settled) => {
      rmSync(join(root, 'node_modules'), { recursive: true });
      await settled();
      installPackages(root, 2);
    },
  ],
  'git checkout of another branch of a repository': [
    makeRepository,
    async (root, settled) => {
      git(root, 'checkout', '-q', 'old');
      await settled();
      git(root, 'checkout', '-q', 'main');
      git(root, 'gc', '-q', '--prune=now');
    },
  ],
  'an import of photos, cleaned up after': [
    (root) => mkdirSync(join(root, 'import')),
    async (root, settled) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, 'import', `IMG_${index}.jpg`), photo(index).subarray(0, 20_000));
      await settled();
      for (let index = 0; index < 9; index++) {
        writeFileSync(join(root, 'import', `IMG_${index}.jpg`), photo(index));
        writeFileSync(join(root, 'import', `IMG_${index}.raw`), noise(index, 30_000));
      }
      await settled();
      for (let index = 0; index < 9; index++) rmSync(join(root, 'import', `IMG_${index}.raw`));
    },
  ],
  'photos edited in place, and their thumbnails': [
    (root) => fillFolder(root, 2),
    (root) => {
      for (const path of filesBelow(root))
        if (path.endsWith('.jpg')) writeFileSync(path, photo(path.length));
    },
  ],
  'a rotation of logs': [
    (root) => {
      for (let index = 0; index < 9; index++) {
        writeFileSync(join(root, `app-${index}.log`), textOf(index, 30_000));
        writeFileSync(join(root, `app-${index}.log.1`), textOf(index + 50, 30_000));
      }
    },
    (root) => {
      for (let index = 0; index < 9; index++) {
        const log = join(root, `app-${index}.log`);
        writeFileSync(`${log}.2.gz`, gzipSync(readFileSync(`${log}.1`)));
        renameSync(log, `${log}.1`);
        writeFileSync(log, '');
      }
    },
  ],
  'gzip * and gunzip *': [
    (root) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, `data-${index}.csv`), textOf(index, 40_000));
    },
    async (root, settled) => {
      const names = filesBelow(root);
      execFileSync('gzip', names);
      await settled();
      execFileSync('gzip', ['-d', ...names.map((name) => `${name}.gz`)]);
    },
  ],
  'databases at work, compacted at last': [
    (root) => {
      for (let index = 0; index < 9; index++) fillDatabase(join(root, `${index}.db`), 0);
    },
    async (root, settled) => {
      for (let turn = 1; turn < 3; turn++) {
        for (let index = 0; index < 9; index++) fillDatabase(join(root, `${index}.db`), turn);
        await settled();
      }
    },
  ],
  'videos on their way out of an encoder': [
    (root) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, `out-${index}.mp4`), Buffer.alloc(4_096));
    },
    async (root, settled) => {
      const film = sampleFiles()['film.mp4'];
      for (const [from, to] of [
        [0, 60_000],
        [60_000, film.byteLength],
      ]) {
        for (let index = 0; index < 9; index++) {
          const path = join(root, `out-${index}.mp4`);
          if (from === 0) writeFileSync(path, film.subarray(0, to));
          else appendFileSync(path, film.subarray(from, to));
        }
        await settled();
      }
    },
  ],
  'documents saved by way of a new file, in a format that is compressed': [
    (root) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, `page-${index}.html`), textOf(index, 30_000));
    },
    (root) => {
      const { 'letter.docx': docx } = sampleFiles();
      for (let index = 0; index < 9; index++) {
        writeFileSync(join(root, `page-${index}.docx`), docx);
        rmSync(join(root, `page-${index}.html`));
      }
    },
  ],
  'downloads into space that was reserved': [
    (root) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, `part-${index}.bin`), Buffer.alloc(80_000));
    },
    (root) => {
      for (let index = 0; index < 9; index++)
        writeFileSync(join(root, `part-${index}.bin`), noise(index, 80_000));
    },
  ],
};

test('a job holds no change for review even if a whole day of ordinary changes is made within ten minutes', async () => {
  const bench = await openMirrorBench();
  const mirror = await bench.open();
  const settled = () => mirror.settled();
  const isQuiet = ({ state }: MirrorStatus) => state === 'watching' || state === 'held';
  for (const [name, [before, doing]] of Object.entries(DOINGS)) {
    const folder = join(bench.root, name);
    mkdirSync(folder);
    await before(folder, settled);
    await settled();
    await doing(folder, settled);
    await settled();
    const { state, counts, brake } = await until(() => mirror.status(), isQuiet);
    const { held, problems } = counts;
    expect({ name, state, held, problems, brake }).toEqual({
      name,
      state: 'watching',
      held: 0,
      problems: 0,
      brake: undefined,
    });
  }
  expect(await bench.keys()).toEqual(Object.keys(bench.tree()).sort());
});

/**
 * Installs 80 files of text and of random-looking content. That is more than the mass-change guard lets a job
 * delete.
 */
function installPackages(root: string, version: number): void {
  writeFileSync(join(root, 'package.json'), `{"version": ${version}}`);
  for (let index = 0; index < 10; index++) {
    const folder = join(root, 'node_modules', `package-${index}`);
    mkdirSync(join(folder, 'lib'), { recursive: true });
    for (let file = 0; file < 6; file++)
      writeFileSync(join(folder, 'lib', `${file}.js`), textOf(index * 6 + file + version, 2_000));
    writeFileSync(join(folder, 'data.bin'), noise(index + version, 3_000));
    writeFileSync(join(folder, 'table'), deflateRawSync(textOf(version, 20_000)));
  }
}

/** Creates two branches. 20 files exist on only one branch, and 40 files differ. */
function makeRepository(root: string): void {
  git(root, 'init', '-q', '-b', 'old');
  mkdirSync(join(root, 'src'));
  for (let index = 0; index < 60; index++)
    writeFileSync(join(root, 'src', `${index}.c`), textOf(index, 3_000));
  writeFileSync(join(root, 'logo.png'), sampleFiles(1)['picture.png']);
  commit(root);
  git(root, 'checkout', '-q', '-b', 'main');
  for (let index = 0; index < 40; index++)
    writeFileSync(join(root, 'src', `${index}.c`), textOf(index + 500, 3_000));
  for (let index = 60; index < 80; index++)
    writeFileSync(join(root, 'src', `${index}.c`), textOf(index, 3_000));
  writeFileSync(join(root, 'logo.png'), sampleFiles(2)['picture.png']);
  commit(root);
}

function commit(root: string): void {
  git(root, 'add', '.');
  git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'x');
}

function git(root: string, ...command: readonly string[]): void {
  execFileSync('git', ['-C', root, ...command]);
}

function fillDatabase(path: string, turn: number): void {
  const db = new Database(path);
  db.exec('CREATE TABLE IF NOT EXISTS notes (text TEXT, picture BLOB)');
  const put = db.prepare('INSERT INTO notes VALUES (?, ?)');
  db.transaction(() => {
    for (let row = 0; row < 20; row++) put.run(textOf(row + turn, 300).toString(), noise(row, 200));
  })();
  if (turn > 1) db.exec('VACUUM');
  db.close();
}
