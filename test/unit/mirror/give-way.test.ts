/**
 * Tests that a restore loses no content of a local file that it sets aside, even if the process is
 * killed at any step.
 */

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { freeSiblingName, siblingNames } from '../../../src/mirror/local/sibling-name.ts';
import { FileChangedError } from '../../../src/mirror/model/failure-kind.ts';
import {
  endSettingAside,
  renameIfFree,
  setAsideFile,
} from '../../../src/mirror/local/set-aside-file.ts';
import { toEntry } from '../../../src/mirror/local/local-entry.ts';
import { recoverReplacements } from '../../../src/mirror/rounds/recover-replacements.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const TEMPORARY = '.holdfast-0123456789abcdef';
const NOW = Date.UTC(2026, 10, 21, 13, 5, 22);
const KEPT = 'f (changed meanwhile 2026-11-21 13.05.22).txt';

function prepare() {
  const root = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(join(root, name), content);
  const read = () =>
    Object.fromEntries(
      readdirSync(root).map((name) => [name, readFileSync(join(root, name), 'utf8')]),
    );
  write('f.txt', 'saved');
  const entry = toEntry('f.txt', 'file', lstatSync(join(root, 'f.txt')));
  const way = { root, path: 'f.txt', temporary: TEMPORARY, entry, now: NOW };
  return { root, write, read, entry, way };
}

describe('setting a local file aside', () => {
  test('a restore sets a local file aside and removes it once the new file exists', () => {
    const { write, read, way } = prepare();
    setAsideFile(way);
    expect(read()).toEqual({ [TEMPORARY]: 'saved' });
    write('f.txt', 'new');
    expect(endSettingAside(way)).toBeUndefined();
    expect(read()).toEqual({ 'f.txt': 'new' });
  });

  test.each<[string, (root: string) => void]>([
    ['was modified', (root) => writeFileSync(join(root, 'f.txt'), 'edited')],
    ['was deleted', (root) => rmSync(join(root, 'f.txt'))],
    [
      'was replaced by a folder',
      (root) => {
        rmSync(join(root, 'f.txt'));
        mkdirSync(join(root, 'f.txt'));
      },
    ],
  ])('a restore refuses to set aside a file that %s', (_, change) => {
    const { root, way } = prepare();
    change(root);
    const before = readdirSync(root);
    expect(() => setAsideFile(way)).toThrow(FileChangedError);
    expect(readdirSync(root)).toEqual(before);
  });

  test('a restore refuses to set aside a file that was created after the scan', () => {
    const { way, read } = prepare();
    const { entry: _, ...none } = way;
    expect(() => setAsideFile(none)).toThrow(FileChangedError);
    expect(read()).toEqual({ 'f.txt': 'saved' });
  });
});

describe('a file that a restore set aside', () => {
  test('a restore moves a set-aside file back if its replacement was not written', () => {
    const { read, way } = prepare();
    setAsideFile(way);
    expect(endSettingAside(way)).toBeUndefined();
    expect(read()).toEqual({ 'f.txt': 'saved' });
  });

  test('a restore keeps content that another program wrote to a file after the file was set aside', () => {
    const { write, read, way } = prepare();
    setAsideFile(way);
    write('f.txt', 'new');
    write(TEMPORARY, 'saved, and more');
    expect(endSettingAside(way)).toBe(KEPT);
    expect(read()).toEqual({ 'f.txt': 'new', [KEPT]: 'saved, and more' });
  });

  test('a restore moves set-aside files back and removes partial downloads after a crash', () => {
    const { root, write, read, entry } = prepare();
    const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
    const clock = new FakeClock();
    const logged: string[] = [];
    const tracker = new Tracker({
      onChange: () => undefined,
      onActivity: ({ path = '' }) => logged.push(path),
    });
    const recover = () => recoverReplacements({ root, state, tracker, clock });
    state.replacements.begin({ key: 'f.txt', temporary: TEMPORARY, entry });
    renameSync(join(root, 'f.txt'), join(root, TEMPORARY));
    write('.holdfast-fedcba9876543210', 'half');
    recover();
    expect(read()).toEqual({ 'f.txt': 'saved' });
    expect(state.replacements.all()).toEqual([]);
    recover();
    expect([read(), logged]).toEqual([{ 'f.txt': 'saved' }, []]);
    state.replacements.begin({ key: 'f.txt', temporary: TEMPORARY, entry });
    write(TEMPORARY, 'not what was saved');
    recover();
    expect(Object.values(read()).sort()).toEqual(['not what was saved', 'saved']);
    expect(logged).toHaveLength(1);
    state.close();
  });
});

test('a restore recovers after a crash even if a file has replaced the folder of the set-aside file', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'd'), 'a file');
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  state.replacements.begin({ key: 'd/f', temporary: `d/${TEMPORARY}` });
  recoverReplacements({ root, state, tracker, clock: new FakeClock() });
  expect([readFileSync(join(root, 'd'), 'utf8'), state.replacements.all()]).toEqual(['a file', []]);
});

test('a restore records a file that was set aside before a crash exactly once in the conflict log', () => {
  const { root, write, read, entry, way } = prepare();
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const recover = () => recoverReplacements({ root, state, tracker, clock: new FakeClock() });
  const replacedContent = {
    id: 'id',
    side: 'folder',
    at: NOW,
    etag: 'etag',
    savedAs: 'aside',
  } as const;
  const begin = () =>
    state.replacements.begin({ key: 'f.txt', temporary: TEMPORARY, entry, replacedContent });
  begin();
  setAsideFile(way);
  recover();
  expect([read(), state.conflicts.of('f.txt')]).toEqual([{ 'f.txt': 'saved' }, []]);
  begin();
  setAsideFile({ ...way, entry: toEntry('f.txt', 'file', lstatSync(join(root, 'f.txt'))) });
  write('f.txt', 'new');
  recover();
  recover();
  expect(read()).toEqual({ 'f.txt': 'new' });
  expect(state.conflicts.of('f.txt')).toEqual([{ ...replacedContent, key: 'f.txt' }]);
});

test('a restore does not overwrite a file that was created under the final name after the old file was set aside', () => {
  const { root, write, read, way } = prepare();
  setAsideFile(way);
  write('f.txt', 'came in between');
  write('.holdfast-new', 'new');
  const give = () => renameIfFree(join(root, '.holdfast-new'), join(root, 'f.txt'));
  expect(give).toThrow(/EEXIST/);
  rmSync(join(root, 'f.txt'));
  give();
  expect(read()).toEqual({ [TEMPORARY]: 'saved', 'f.txt': 'new' });
});

describe('names of the copies that keep replaced content', () => {
  const LABEL = 'from bucket 2026-11-21 13.05.22';

  test.each([
    ['a.jpg', `a (${LABEL}).jpg`],
    ['d/a.tar.gz', `d/a.tar (${LABEL}).gz`],
    ['.profile', `.profile (${LABEL})`],
    ['d/none', `d/none (${LABEL})`],
  ])('a restore names the kept copy of %s: %s', (path, expected) => {
    expect(siblingNames(path, LABEL).next().value).toBe(expected);
  });

  test('a restore adds a number to the name of a kept copy if the name is already used', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, `a (${LABEL}).jpg`), '');
    expect(freeSiblingName(root, 'a.jpg', LABEL)).toBe(`a (${LABEL} 2).jpg`);
  });

  test.each(['a', 'é', '\u{1F600}'])(
    'a restore limits the name of a kept copy to 255 bytes of valid UTF-8 for a long name of %s',
    (letter) => {
      const long = letter.repeat(Math.floor(251 / Buffer.byteLength(letter)));
      const name = siblingNames(`${long}.jpg`, LABEL).next().value ?? '';
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(Buffer.byteLength(name)).toBeGreaterThan(248);
      expect(name.isWellFormed()).toBe(true);
      expect(name.endsWith(`(${LABEL}).jpg`)).toBe(true);
    },
  );
});
