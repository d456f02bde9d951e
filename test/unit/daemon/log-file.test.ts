/** Tests of the log file. Its size is limited, and rotation loses no line. */

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { LogFile } from '../../../daemon/log/log-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const MAX_BYTES = 100;
/** Returns a line of 20 bytes. Five such lines fill a file. */
const line = (index: number) => `${String(index).padStart(19, '.')}\n`;
const NAMES = ['.5', '.4', '.3', '.2', '.1', ''].map((age) => `holdfast.log${age}`);

function logFolder() {
  const dir = temporaryFolder();
  const path = join(dir, 'holdfast.log');
  const write = (from: number, to: number) => {
    const file = new LogFile(path, MAX_BYTES);
    for (let index = from; index < to; index++) file.write(line(index));
    expect(file.problem()).toBeUndefined();
    file.close();
  };
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  return { dir, path, write, read };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index)).join('');

test('the daemon rotates a full log file and keeps all lines in order', () => {
  const { dir, write, read } = logFolder();
  write(0, 28);
  expect(readdirSync(dir).sort()).toEqual([...NAMES].sort());
  expect(NAMES.map(read).join('')).toBe(lines(0, 28));
  for (const name of NAMES) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
});

test('the daemon keeps five rotated log files', () => {
  const { dir, write, read } = logFolder();
  write(0, 93);
  expect(readdirSync(dir).sort()).toEqual([...NAMES].sort());
  expect(NAMES.map(read).join('')).toBe(lines(65, 93));
});

test('before the daemon writes its first log line, it rotates a log file that the previous process filled', () => {
  const { write, read } = logFolder();
  write(0, 5);
  write(5, 6);
  expect([read('holdfast.log.1'), read('holdfast.log')]).toEqual([lines(0, 5), lines(5, 6)]);
  write(6, 7);
  expect(read('holdfast.log')).toBe(lines(5, 7));
});

test('the daemon rotates the log even if an interrupted rotation left a file', () => {
  const { path, write, read } = logFolder();
  write(0, 5);
  writeFileSync(`${path}.next`, 'left');
  write(5, 6);
  expect([read('holdfast.log.1'), read('holdfast.log')]).toEqual([lines(0, 5), lines(5, 6)]);
});

test('the daemon continues in the same log file if rotation fails, and logs the reason once', () => {
  const { path, write, read } = logFolder();
  mkdirSync(`${path}.next`);
  write(0, 6);
  const returned = read('holdfast.log').split('\n');
  expect(returned[5]).toContain('cannot rotate the log');
  expect(returned.filter((each) => each.startsWith('.'))).toHaveLength(6);
  write(6, 30);
  expect(
    read('holdfast.log')
      .split('\n')
      .filter((each) => each.startsWith('.')),
  ).toHaveLength(30);
});

test('the daemon can read the log lines of earlier processes even after the log file was deleted, but not after a rotation', () => {
  const { path, write } = logFolder();
  write(0, 3);
  const file = new LogFile(path, MAX_BYTES);
  file.write(line(3));
  rmSync(path);
  expect(
    file
      .earlierLines()
      .map((each) => `${each}\n`)
      .join(''),
  ).toBe(lines(0, 3));
  for (let index = 4; index < 8; index++) file.write(line(index));
  expect(file.earlierLines()).toEqual([]);
  file.close();
});

test('after the daemon closed the log, it writes no log line to a file that is opened later', () => {
  const { path, write } = logFolder();
  write(0, 1);
  const file = new LogFile(path, MAX_BYTES);
  file.close();
  const other = openSync(`${path}.other`, 'w');
  file.write(line(1));
  closeSync(other);
  expect(readFileSync(`${path}.other`, 'utf8')).toBe('');
  expect(file.problem()).toContain('cannot write the log');
});
