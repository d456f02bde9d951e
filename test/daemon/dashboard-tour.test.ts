/** Runs the tour of the dashboard with a real daemon and a pseudoterminal, by typing keys. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli, runCliHere } from '../helpers/run-cli.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';
import { makePapers, QUICK_CLUSTERS, takeTour } from '../helpers/tui/tour.ts';

test('the dashboard tour mirrors a folder, locks and restores an old version, and resolves a conflict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hf-tour-'));
  const home = join(folder, 'home');
  makePapers(folder);
  makeHome(home, 0, QUICK_CLUSTERS);
  const daemon = await startDaemonProcess(home);
  const screen = new PtyScreen({ home, env: { HOME: folder } });
  const cli = async (...argv: string[]) => {
    const result = await runCli(argv, { env: { HOLDFAST_HOME: home }, cwd: folder });
    if (result.exitCode === 1 || result.exitCode === 2) throw new Error(result.stderr);
  };
  onTestFinished(async () => {
    screen.kill('SIGKILL');
    await runCliHere(['--home', home, 'down']);
    rmSync(folder, { recursive: true, force: true });
  });
  const stops: string[] = [];
  for await (const { title } of takeTour(screen, {
    folder,
    cli,
    killDaemon: () => daemon.kill(),
  })) {
    stops.push(title);
  }
  expect(stops).toHaveLength(13);
  expect(readFileSync(join(folder, 'Papers/contract.txt'), 'utf8')).toBe('We agree.\n');
  screen.press('q');
  expect((await screen.ended).exitCode).toBe(0);
});
