/**
 * Tests of the dashboard in a real terminal. The terminal is resized, slow, suspended or used with
 * a screen reader, and the daemon is killed.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import type { DaemonProcess } from '../helpers/daemon-process.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-terminal-'));
const home = join(folder, 'home');
let daemon: DaemonProcess;

beforeAll(async () => {
  mkdirSync(join(folder, 'Papers'));
  writeFileSync(join(folder, 'Papers/contract.txt'), 'We agree.\n');
  makeHome(
    home,
    0,
    `jobs:\n  - {name: papers, folder: ${join(folder, 'Papers')}, bucket: papers}\n`,
  );
  daemon = await startDaemonProcess(home);
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

function open(options: Partial<ConstructorParameters<typeof PtyScreen>[0]> = {}): PtyScreen {
  const screen = new PtyScreen({ home, ...options });
  onTestFinished(async () => {
    screen.kill('SIGKILL');
    await screen.ended;
  });
  return screen;
}

const LIST = /papers .*watching/;

/**
 * Replaces those parts of the screen text that change without a key press, such as times and rates.
 */
const steady = (text: string) => text.replaceAll(/\d+/g, '#').replaceAll(/[ ─]+/g, ' ');

test('after 200 changes of the terminal size with key presses in between, the screen equals that of a new dashboard', async () => {
  const [screen, fresh] = [open(), open()];
  await Promise.all([screen.waitFor(LIST), fresh.waitFor(LIST)]);
  for (let turn = 0; turn < 200; turn += 1) {
    screen.resize(30 + ((turn * 37) % 170), 8 + ((turn * 13) % 52));
    if (turn % 9 === 0) screen.press('j');
    if (turn % 20 === 0) screen.press(String(1 + ((turn / 20) % 8)));
  }
  screen.resize(80, 24);
  // A key that arrives before the last resize is handled by a screen of another size, which may be too small for keys.
  await screen.waitFor((text) => text.includes('8 Activity') && /help.*$/.test(text));
  for (const each of [screen, fresh]) each.press('3');
  await fresh.waitFor(/FOLDER[^]*watching/);
  const text = await screen.waitFor((shown) => steady(shown) === steady(fresh.text()));
  expect(text).toContain('papers');
});

test('a terminal that stops reading and then reads slowly finally shows the view that the user selected last', async () => {
  const screen = open();
  await screen.waitFor(LIST);
  screen.stopReading();
  for (let turn = 0; turn < 200; turn += 1) screen.press('tab');
  screen.type(':conflicts\r');
  await screen.readSlowly(50, 20);
  await screen.waitFor('no conflict');
  screen.press('q');
  expect((await screen.ended).exitCode).toBe(0);
  expect(screen.isRestored).toBe(true);
});

test('the dashboard stays open when its daemon is killed, and shows the data of a new daemon without a key press', async () => {
  const screen = open();
  await screen.waitFor(LIST);
  screen.press('3');
  await daemon.kill();
  await screen.waitFor('daemon down');
  expect(screen.text()).toContain('papers');
  daemon = await startDaemonProcess(home);
  await screen.waitFor(/● running[^]*papers .*watching/);
  screen.press('p');
  await screen.waitFor(/papers .*paused/);
  screen.press('p');
  await screen.waitFor(LIST);
});

test('with --plain, a screen reader or a terminal that cannot position its cursor, the dashboard prints state changes as plain lines until Ctrl-C', async () => {
  const screens = [
    open({ args: ['dashboard', '--plain'] }),
    open({ env: { INK_SCREEN_READER: 'true' } }),
    open({ env: { TERM: 'dumb' } }),
  ];
  await Promise.all(screens.map((screen) => screen.waitFor('job papers: in sync')));
  await daemon.client.call('jobs.pause', { name: 'papers' });
  await Promise.all(screens.map((screen) => screen.waitFor('job papers: paused')));
  for (const screen of screens) {
    expect(screen.written).toContain('daemon: running');
    expect(screen.written).not.toContain('\u{1b}[');
    screen.press('ctrl-c');
    expect((await screen.ended).exitCode).toBe(0);
  }
});
