/**
 * Tests that a file that is set aside for its replacement keeps its content if the process stops at
 * any point.
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

describe('setting a file aside', () => {
  test('sets aside the saved file and removes it once the new file exists', () => {
    const { write, read, way } = prepare();
    setAsideFile(way);
    expect(read()).toEqual({ [TEMPORARY]: 'saved' });
    write('f.txt', 'new');
    expect(endSettingAside(way)).toBeUndefined();
    expect(read()).toEqual({ 'f.txt': 'new' });
  });

  test.each<[string, (root: string) => void]>([
    ['was written to', (root) => writeFileSync(join(root, 'f.txt'), 'edited')],
    ['is gone', (root) => rmSync(join(root, 'f.txt'))],
    [
      'is a folder now',
      (root) => {
        rmSync(join(root, 'f.txt'));
        mkdirSync(join(root, 'f.txt'));
      },
    ],
  ])('refuses to set aside a file that %s', (_, change) => {
    const { root, way } = prepare();
    change(root);
    const before = readdirSync(root);
    expect(() => setAsideFile(way)).toThrow(FileChangedError);
    expect(readdirSync(root)).toEqual(before);
  });

  test('refuses to set aside a file that was created since the scan', () => {
    const { way, read } = prepare();
    const { entry: _, ...none } = way;
    expect(() => setAsideFile(none)).toThrow(FileChangedError);
    expect(read()).toEqual({ 'f.txt': 'saved' });
  });
});

describe('the end of setting a file aside', () => {
  test('moves a set-aside file back if its replacement was not written', () => {
    const { read, way } = prepare();
    setAsideFile(way);
    expect(endSettingAside(way)).toBeUndefined();
    expect(read()).toEqual({ 'f.txt': 'saved' });
  });

  test('keeps content that another program wrote into the file after it was set aside', () => {
    const { write, read, way } = prepare();
    setAsideFile(way);
    write('f.txt', 'new');
    write(TEMPORARY, 'saved, and more');
    expect(endSettingAside(way)).toBe(KEPT);
    expect(read()).toEqual({ 'f.txt': 'new', [KEPT]: 'saved, and more' });
  });

  test('recovers set-aside files after a crash and removes partial downloads', () => {
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

test('recovery after a crash succeeds if a file has replaced the folder of the set-aside file', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'd'), 'a file');
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  state.replacements.begin({ key: 'd/f', temporary: `d/${TEMPORARY}` });
  recoverReplacements({ root, state, tracker, clock: new FakeClock() });
  expect([readFileSync(join(root, 'd'), 'utf8'), state.replacements.all()]).toEqual(['a file', []]);
});

test('records a file that was set aside before a crash once in the conflict log', () => {
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

test('a rename does not overwrite a file that was created under the target name in the meantime', () => {
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

describe('names for a kept copy of a file', () => {
  const LABEL = 'from bucket 2026-11-21 13.05.22';

  test.each([
    ['a.jpg', `a (${LABEL}).jpg`],
    ['d/a.tar.gz', `d/a.tar (${LABEL}).gz`],
    ['.profile', `.profile (${LABEL})`],
    ['d/none', `d/none (${LABEL})`],
  ])('derives the copy name of %s: %s', (path, expected) => {
    expect(siblingNames(path, LABEL).next().value).toBe(expected);
  });

  test('numbers the copy name if it is already used', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, `a (${LABEL}).jpg`), '');
    expect(freeSiblingName(root, 'a.jpg', LABEL)).toBe(`a (${LABEL} 2).jpg`);
  });

  test.each(['a', 'é', '\u{1F600}'])(
    'keeps a copy name within 255 bytes and well-formed for a long name of %s',
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
