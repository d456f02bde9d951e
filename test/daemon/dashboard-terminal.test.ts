/** Tests of the dashboard in a real terminal that is resized, slow, suspended or read aloud, and whose daemon is killed. */

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

/** The text without what changes by itself: times, rates and the cursor's place in a list. */
const steady = (text: string) => text.replaceAll(/\d+/g, '#').replaceAll(/[ ─]+/g, ' ');

test('after 200 changes of the size with keys in between, the screen is the same as a fresh one', async () => {
  const [screen, fresh] = [open(), open()];
  await Promise.all([screen.waitFor(LIST), fresh.waitFor(LIST)]);
  for (let turn = 0; turn < 200; turn += 1) {
    screen.resize(30 + ((turn * 37) % 170), 8 + ((turn * 13) % 52));
    if (turn % 9 === 0) screen.press('j');
    if (turn % 20 === 0) screen.press(String(1 + ((turn / 20) % 8)));
  }
  screen.resize(80, 24);
  await screen.waitFor((text) => text.includes('8 Activity'));
  for (const each of [screen, fresh]) each.press('3');
  await fresh.waitFor(/FOLDER[^]*watching/);
  const text = await screen.waitFor((shown) => steady(shown) === steady(fresh.text()));
  expect(text).toContain('papers');
});

test('a terminal that reads nothing for a while, and then slowly, shows the screen that was chosen last', async () => {
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

test('the dashboard stays open when its daemon is killed, and shows a new one without a key', async () => {
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

test.each([
  ['--plain', ['dashboard', '--plain'], {}],
  ['a screen reader', [], { INK_SCREEN_READER: 'true' }],
])(
  'for %s, state changes are appended as lines without control sequences',
  async (_, args, env) => {
    const screen = open({ args, env });
    await screen.waitFor('job papers: in sync');
    const before = screen.written.length;
    await daemon.client.call('jobs.pause', { name: 'papers' });
    await screen.waitFor('job papers: paused');
    await daemon.client.call('jobs.resume', { name: 'papers' });
    await screen.waitFor(/papers: paused[^]*papers: in sync/);
    expect(screen.written.slice(before)).not.toContain('\u{1b}');
    screen.press('ctrl-c');
    expect((await screen.ended).exitCode).toBe(0);
  },
);
