/**
 * Tests of the dashboard on a pseudoterminal: how it starts, and that it restores the terminal when
 * it ends.
 */

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { startDaemonHere, type DaemonHere } from '../helpers/daemon-here.ts';
import { CLI, makeHome } from '../helpers/daemon-process.ts';
import { until } from '../helpers/until.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';

const PACKAGE = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'hf-dashboard-'));
const home = join(folder, 'home');
let daemon: DaemonHere;

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonHere(home);
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

describe('the dashboard on a pseudoterminal', () => {
  test.each([
    ['q', (screen: PtyScreen) => screen.press('q'), 0],
    [':quit', (screen: PtyScreen) => screen.type(':quit\r'), 0],
    ['three presses of Ctrl-C', (screen: PtyScreen) => screen.type('\u{3}\u{3}\u{3}'), 0],
    ['SIGTERM', (screen: PtyScreen) => screen.kill('SIGTERM'), 0],
    ['SIGHUP', (screen: PtyScreen) => screen.kill('SIGHUP'), 0],
  ])('the dashboard restores the terminal after %s', async (_, leave, code) => {
    const screen = open();
    await screen.waitFor('running');
    expect(screen.isRestored).toBe(false);
    leave(screen);
    expect((await screen.ended).exitCode).toBe(code);
    expect(screen.isRestored).toBe(true);
  });

  test('the dashboard accepts keys that were typed before its first screen, and does not echo them', async () => {
    const screen = open();
    screen.type('5');
    expect(await screen.waitFor('no clusters; press n to create one')).not.toContain('\n5');
    expect(screen.written.slice(0, screen.written.indexOf('holdfast'))).not.toContain('5\r\n');
  });

  test('the dashboard redraws its screen when the size of the terminal changes', async () => {
    const screen = open();
    await screen.waitFor('running');
    screen.resize(50, 12);
    await screen.waitFor('too small: 50x12');
    screen.resize(100, 30);
    expect((await screen.waitFor('8 Activity')).split('\n')).toHaveLength(30);
  });

  test('the dashboard leaves no old text on the screen when the terminal becomes smaller', async () => {
    const [screen, fresh] = [open({ columns: 130, rows: 40 }), open({ columns: 80, rows: 20 })];
    for (const each of [screen, fresh]) {
      await each.waitFor('running');
      each.press('4');
    }
    await screen.waitFor('no conflict');
    screen.resize(80, 20);
    const wanted = await fresh.waitFor('no conflict');
    expect(await screen.waitFor((text) => text === wanted)).toBe(wanted);
  });

  test.each([
    ['the program', `"$NODE" "$CLI" --home "$HOLDFAST_HOME"`],
    ['npx', 'npx holdfast'],
  ])('Ctrl-Z suspends the dashboard, and fg resumes it, if a shell started %s', async (_, line) => {
    const screen = open({
      command: { argv: ['bash', '--noprofile', '--norc', '-i'], cwd: PACKAGE },
      env: {
        CLI,
        NODE: process.execPath,
        HOLDFAST_HOME: home,
        PS1: 'prompt> ',
        npm_config_cache: join(folder, 'npm'),
        npm_config_ignore_scripts: 'true',
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
      },
    });
    await screen.waitFor('prompt>');
    screen.type(`${line}\r`);
    await screen.waitFor('running');
    screen.press('ctrl-z');
    await screen.waitFor('Stopped');
    screen.type('echo "the shell"" reads"\r');
    await screen.waitFor('the shell reads');
    screen.type('fg\r');
    await screen.waitFor('running');
    screen.press('q');
    await screen.waitFor(/reads\n[^]*prompt>\s*$/);
    screen.type('exit 7\r');
    expect((await screen.ended).exitCode).toBe(7);
  });

  test('the dashboard redraws its screen after Ctrl-Z if no shell could resume it', async () => {
    const screen = open();
    await screen.waitFor('running');
    screen.written = '';
    screen.press('ctrl-z');
    await until(
      () => screen.written,
      (written) => /\[\?1049l[^]*\[\?1049h/.test(written),
    );
    await screen.waitFor('running');
    screen.press('q');
    expect((await screen.ended).exitCode).toBe(0);
  });

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['a terminal without colours or Unicode', { TERM: 'vt100', LANG: 'C', LC_ALL: 'C' }],
    ['CI', { CI: 'true' }],
  ])('the dashboard works with %s', async (_, env) => {
    const screen = open({ env });
    await screen.waitFor('running');
    screen.press('5');
    await screen.waitFor('no clusters; press n to create one');
    if ('NO_COLOR' in env) expect(screen.written).not.toMatch(/\[(?:\d+;)*(?:3|9)[0-7]m/);
  });

  test('the dashboard shows the reason if it starts a daemon and the daemon fails to start', async () => {
    const other = join(folder, 'other');
    const { listeners } = await daemon.client.call('status', {});
    makeHome(other, listeners.find(({ name }) => name === 'storage')?.port);
    const job = `jobs: [{ name: notes, folder: ${folder}, bucket: notes }]`;
    appendFileSync(join(other, 'config.yaml'), `${job}\n`);
    const screen = open({ home: other });
    await screen.waitFor('s start');
    screen.press('s');
    await screen.waitFor('port is in use');
    screen.press('d');
    await screen.waitFor('Diagnostics');
    await screen.waitFor('start daemon: failed');
    expect(screen.text().replaceAll(/[│\s]+/gu, ' ')).toContain('take a free port');
  });
});
