/**
 * Tests of `holdfast restore` without arguments on a terminal. The command then asks what to
 * restore.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { dayText } from '../../src/text/time.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { CLI } from '../helpers/daemon-process.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { removeFolder } from '../helpers/temporary-folder.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';
import { until } from '../helpers/until.ts';

const place = mkdtempSync(join(tmpdir(), 'hf-questions-'));
const home = join(place, 'home');
const notes = join(place, 'notes');
const WEIRD = "it's \u{1b}[31m\nred";
/** Time of day at which the files of the first state were stored. */
let first: string;
let daemon: DaemonHere;

const write = (path: string, text: string) => {
  mkdirSync(join(notes, path, '..'), { recursive: true });
  writeFileSync(join(notes, path), text);
};
const cli = (...argv: string[]) => runCliHere([...argv, '--home', home]);
const settled = () => daemon.client.call('jobs.settled', { name: 'notes' });

beforeAll(async () => {
  daemon = await startDaemonHere(home);
  for (const path of ['plan', 'letters/ann', 'letters/old/bob', WEIRD])
    write(path, `first ${path}`);
  expect(await cli('job', 'add', notes)).toMatchObject({ exitCode: 0 });
  await settled();
  const storedAt = systemClock.now();
  first = new Date(storedAt).toISOString().slice(11, 19);
  // The selection of a time has a precision of one second, so the next versions must be stored in a
  // later second.
  await until(
    () => systemClock.now(),
    (now) => Math.floor(now / 1_000) > Math.floor(storedAt / 1_000),
  );
  write('plan', 'second plan');
  rmSync(join(notes, 'letters'), { recursive: true });
  await settled();
  return async () => {
    await daemon.stop();
    removeFolder(place);
  };
});

function asked(size: { readonly columns?: number; readonly rows?: number } = {}): PtyScreen {
  const screen = new PtyScreen({ home, args: ['restore'], ...size });
  onTestFinished(() => screen.kill('SIGKILL'));
  return screen;
}

it('an interactive `restore` finds the files of an earlier time, and prints a command line that restores the same files', async () => {
  mkdirSync(join(place, 'empty'));
  expect(await cli('job', 'add', join(place, 'empty'))).toMatchObject({ exitCode: 0 });
  const screen = asked();
  await screen.waitFor('Job:');
  screen.type('other\r');
  await screen.waitFor('"other" is not in the list');
  screen.type('notes\r');
  await screen.waitFor('Time [now]:');
  screen.type('soon\r');
  await screen.waitFor('invalid time "soon"');
  screen.type('c\r');
  const day = dayText(systemClock.now());
  await screen.waitFor(`${day}: 4 added, 1 changed, 2 removed`);
  screen.type('99');
  screen.press('enter');
  await screen.waitFor('not a time of day');
  screen.press('backspace backspace pageup t');
  screen.type(first);
  screen.press('enter');
  await screen.waitFor(/\+ letters\/[^]*it's \\x1b\[31m\\nred[^]*plan/);
  screen.resize(60, 16);
  screen.press('right');
  await screen.waitFor(/- letters\/\n.*\+ old\//);
  screen.type('/bob');
  await screen.waitFor('1 path found');
  screen.press('enter space');
  await screen.waitFor('1 selected');
  screen.press('esc');
  await screen.waitFor('Enter next');
  screen.press('end up space');
  await screen.waitFor('2 selected');
  screen.press('enter');
  await screen.waitFor('Destination [1]:');
  screen.type(`${notes}/inner\r`);
  await screen.waitFor('choose a folder outside of it');
  const to = join(place, 'chosen');
  screen.type(`${to}\r`);
  const summary = await screen.waitFor('Restore? (y/n) [y]:');
  expect(summary).toMatch(/new +2 files, .*\n +replaced +0 files, 0 B\n +unchanged +0 files\n/);
  screen.press('enter');
  expect((await screen.ended).exitCode).toBe(0);
  const restored = readdirSync(to, { recursive: true, encoding: 'utf8' });
  const paths = ['letters', 'letters/old', 'letters/old/bob', WEIRD];
  expect(restored.toSorted()).toEqual(paths.toSorted());
  for (const path of ['letters/old/bob', WEIRD])
    expect(readFileSync(join(to, path), 'utf8')).toBe(`first ${path}`);

  const line = /holdfast restore .*/.exec(screen.written)?.[0].trim() ?? '';
  expect(line).toContain(`--at '${day} ${first}' --to ${to} --home ${home}`);
  const script = `holdfast() { '${process.execPath}' '${CLI}' "$@"; }; ${line}`;
  const again = await promisify(execFile)('bash', ['-c', script]);
  expect(again.stdout).toContain('nothing to restore: 2 files');
});

it('an interactive `restore` returns from a time without files to the list of times, and Ctrl-C changes nothing', async () => {
  const before = readdirSync(place);
  const screen = asked();
  await screen.waitFor('Job:');
  screen.type('empty\r');
  await screen.waitFor('Time [now]:');
  screen.press('enter');
  await screen.waitFor('no files at that time');
  screen.press('enter');
  await screen.waitFor('job empty has no files now');
  screen.type('c\r');
  await screen.waitFor('no changes');
  screen.press('ctrl-c');
  expect(await screen.ended).toMatchObject({ exitCode: 1 });
  expect(screen.text()).toContain('stopped before the last answer: nothing was changed');
  expect(screen.written.lastIndexOf('\u{1b}[?25h')).toBeGreaterThan(
    screen.written.lastIndexOf('\u{1b}[?25l'),
  );

  const other = asked({ columns: 60, rows: 16 });
  await other.waitFor('Job:');
  other.press('ctrl-c');
  expect(await other.ended).toMatchObject({ exitCode: 1 });
  expect(other.text()).toContain('stopped before the last answer');
  expect(readdirSync(place)).toEqual(before);
});

it('an interactive `restore` needs no daemon, and a restore in place requires the answer yes', async () => {
  await daemon.stop();
  for (const answer of ['n', 'y']) {
    const screen = asked();
    await screen.waitFor('Job:');
    screen.type('notes\r');
    await screen.waitFor('Time [now]:');
    screen.type(`today ${first}\r`);
    await screen.waitFor('+ letters/');
    screen.press('enter');
    await screen.waitFor('Destination [1]:');
    screen.type('2\r');
    const summary = await screen.waitFor('Restore? (y/n) [n]:');
    expect(summary).toMatch(/new +2 files, .*\n +replaced +1 file, [^]*unchanged +1 file\n/);
    screen.type(`${answer}\r`);
    expect((await screen.ended).exitCode).toBe(answer === 'y' ? 0 : 1);
    const text = answer === 'y' ? 'first plan' : 'second plan';
    expect(readFileSync(join(notes, 'plan'), 'utf8')).toBe(text);
  }
  expect(readFileSync(join(notes, 'letters', 'ann'), 'utf8')).toBe('first letters/ann');
  expect(readdirSync(place).filter((name) => name.startsWith('notes.'))).toEqual([]);
});
