/**
 * Runs the tour of the dashboard in tmux, and writes its screens to docs/start/dashboard-tour.md.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCliProcess } from '../helpers/cli-process.ts';
import { CLI, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { makePapers, QUICK_CLUSTERS, takeTour } from '../helpers/tui/tour.ts';
import type { Stop } from '../helpers/tui/tour.ts';
import { TmuxTerminal } from './tmux-terminal.ts';

const PAGE = join(import.meta.dirname, '../../docs/start/dashboard-tour.md');
const [BEGIN, END] = ['<!-- tour: made by `npm run tour` -->', '<!-- end of the tour -->'];

/** Rejects if a text that the tour waits for does not appear. */
export async function writeTourPage(): Promise<readonly never[]> {
  const stops = await tour();
  writeFileSync(PAGE, withTour(readFileSync(PAGE, 'utf8'), stops));
  process.stdout.write(`${stops.length} screens are in docs/start/dashboard-tour.md\n`);
  return [];
}

async function tour(): Promise<readonly Stop[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-tour-'));
  const home = join(folder, 'home');
  const env = { ...process.env, HOME: folder, HOLDFAST_HOME: home };
  makePapers(folder);
  makeHome(home, 0, QUICK_CLUSTERS);
  const daemon = await startDaemonProcess(home, { env });
  const cli = async (...argv: string[]) => {
    const { exitCode, stderr } = await runCliProcess(argv, { env, cwd: folder });
    if (exitCode === 1 || exitCode === 2) throw new Error(stderr);
  };
  const set = `env -u NO_COLOR -u CI HOME=${folder} HOLDFAST_HOME=${home} LC_ALL=C.UTF-8`;
  const terminal = new TmuxTerminal(`${set} ${process.execPath} ${CLI}`);
  try {
    const taken: Stop[] = [];
    const world = { folder, cli, killDaemon: () => daemon.kill() };
    for await (const stop of takeTour(terminal, world)) {
      process.stdout.write(`${stop.title}\n`);
      taken.push(stop);
    }
    return taken;
  } finally {
    terminal.close();
    await cli('down');
    rmSync(folder, { recursive: true, force: true });
  }
}

function withTour(page: string, stops: readonly Stop[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`dashboard-tour.md has no ${BEGIN}`);
  const screens = stops.map(({ title, screen }) => {
    const lines = screen.split('\n').map((line) => line.trimEnd());
    return `${title}\n\n\`\`\`text\n${lines.join('\n').trimEnd()}\n\`\`\``;
  });
  return `${page.slice(0, begin)}${BEGIN}\n\n${screens.join('\n\n')}\n\n${page.slice(end)}`;
}
