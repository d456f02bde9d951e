/**
 * Scripted tour of the dashboard with a real daemon and store. A test runs the tour in a
 * pseudoterminal. The script that creates the pictures of the README runs it in tmux.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../../src/base/clock.ts';

export interface TourTerminal {
  /** Sends the text in one write. */
  type(text: string): void;
  /** Presses keys. The text contains their names, separated by spaces. */
  press(keys: string): void;
  /** Returns the text of the screen as soon as it contains or matches `wanted`. */
  waitFor(wanted: string | RegExp): Promise<string>;
}

export interface TourWorld {
  /** Home folder of the user: the value of HOME for the dashboard. */
  readonly folder: string;
  /** Runs a `holdfast` command outside of the dashboard. */
  readonly cli: (...argv: string[]) => Promise<unknown>;
  /** Sends SIGKILL to the daemon and waits until its process has ended. */
  readonly killDaemon: () => Promise<void>;
}

/** A stop of the tour: the title and the text of a screen. */
export interface Stop {
  readonly title: string;
  readonly screen: string;
}

/** Text for `config.yaml` that shortens the simulated cluster operations to one second. */
export const QUICK_CLUSTERS = `clusters:
  seconds: {createCluster: 1, createNodegroup: 1, batch: 1}
`;

const BIG_BYTES = 24_000_000;

/**
 * Creates the folder to mirror. It contains a few small files, and a file that is large enough for
 * its upload to be visible.
 */
export function makePapers(folder: string): void {
  mkdirSync(join(folder, 'Papers/scans'), { recursive: true });
  write(folder, 'contract.txt', 'We agree.\n');
  write(folder, 'notes.md', '# Notes\n\nBuy bread.\n');
  for (let page = 1; page <= 12; page += 1) {
    write(
      folder,
      `scans/page-${String(page).padStart(2, '0')}.pgm`,
      'P5 2 2 255\n'.padEnd(40_000, 'x'),
    );
  }
  writeFileSync(join(folder, 'Papers/scans/all.tif'), Buffer.alloc(BIG_BYTES, 'holdfast'));
}

function write(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, 'Papers', name), content);
}

export async function* takeTour(at: TourTerminal, world: TourWorld): AsyncGenerator<Stop> {
  yield* mirror(at);
  yield* versions(at, world);
  yield* conflict(at, world);
  yield* nodes(at);
  yield* alarm(at, world);
  yield* daemonGone(at, world);
}

async function* mirror(at: TourTerminal): AsyncGenerator<Stop> {
  await at.waitFor('running');
  at.press('3');
  await at.waitFor('no jobs; press n');
  at.press('n');
  await at.waitFor('New job');
  at.type('~/Papers');
  yield {
    title: 'A new job for a folder: `3`, `n`, `~/Papers`',
    screen: await at.waitFor('~/Papers'),
  };
  at.press('ctrl-s');
  const asked = await at.waitFor(/Create job papers\?[^]*y yes/);
  yield { title: 'The lines that the job adds to config.yaml: `Ctrl-S`', screen: asked };
  await pause();
  at.press('y');
  await at.waitFor(/papers .*(scanning|mirroring|watching)/);
  at.press('1');
  yield {
    title: 'The dashboard when the folder is backed up: `y`, `1`',
    screen: await at.waitFor(/papers .*watching .*100/),
  };
}

async function* versions(at: TourTerminal, { folder, cli }: TourWorld): AsyncGenerator<Stop> {
  write(folder, 'contract.txt', 'We agree, for a year.\n');
  await cli('wait', 'papers');
  // Without this pause, the dashboard would combine this digit and the previous digit into one
  // number.
  await pause();
  at.press('2');
  await at.waitFor(/NAME +TARGET[^]*papers +local/);
  at.press('enter');
  await at.waitFor('contract.txt');
  at.type('gg/contract\r');
  const found = await at.waitFor(/[❯▌] contract\.txt[^]*\/contract/);
  yield {
    title: 'The bucket of the job: `2`, `Enter`, `g`, `g`, `/contract`, `Enter`',
    screen: found,
  };
  at.press('v');
  await at.waitFor('2 versions');
  at.type('jL');
  await at.waitFor('Lock contract.txt');
  at.type('1d');
  at.press('tab right ctrl-s');
  await at.waitFor('type contract.txt to confirm');
  // This pause is necessary because a question ignores keys for a short time after it appears.
  await pause();
  at.type('contract.txt\r');
  yield {
    title:
      'An old version of a file, locked for a day: `v`, `j`, `L`, `1d`, `Tab`, `Right`, `Ctrl-S`, `contract.txt`, `Enter`',
    screen: await at.waitFor(/\bC 20\d\d-/),
  };
  at.press('d');
  yield {
    title: 'The locked version cannot be deleted, and the reason is shown: `d`',
    screen: await at.waitFor(/is not available: .*COMPLIANCE until/),
  };
  at.press('R');
  await at.waitFor(/Undo .*contract\.txt\?/);
  await pause();
  at.press('y');
  await at.waitFor('1 older version made current again');
  at.press('esc');
  yield {
    title: 'The old version is current again, also in the folder: `R`, `y`, `Esc`',
    screen: await at.waitFor(/3 versions[^]*current/),
  };
}

async function* conflict(at: TourTerminal, { folder, cli }: TourWorld): AsyncGenerator<Stop> {
  await cli('job', 'pause', 'papers');
  const theirs = join(folder, 'theirs.md');
  writeFileSync(theirs, '# Notes\n\nBuy milk.\n');
  await cli('s3', 'put', theirs, 'papers/notes.md');
  write(folder, 'notes.md', '# Notes\n\nBuy bread and cheese.\n');
  await cli('job', 'resume', 'papers');
  at.press('4');
  yield {
    title: 'A file changed in the folder and in the bucket: `4`',
    screen: await at.waitFor(/notes\.md[^]*ETag/),
  };
  at.press('K');
  await at.waitFor(/y yes/);
  await pause();
  at.press('y');
  yield {
    title: 'Both versions of the file are kept: `K`, `y`',
    screen: await at.waitFor('no conflicts'),
  };
}

async function* nodes(at: TourTerminal): AsyncGenerator<Stop> {
  at.press('5');
  await at.waitFor('no cluster');
  at.press('n');
  await at.waitFor('New cluster');
  at.type('prod');
  at.press('ctrl-s');
  await at.waitFor(/prod .*ACTIVE/);
  at.press('enter');
  await at.waitFor('no node group');
  at.press('n');
  await at.waitFor('New node group');
  at.type('workers');
  at.press('ctrl-s');
  await at.waitFor(/workers .*ACTIVE/);
  at.press('e');
  await at.waitFor('Configuration of workers');
  at.type('2');
  at.press('ctrl-s');
  yield {
    title:
      'A node group that was scaled to two nodes: `5`, `n`, `prod`, `Ctrl-S`, `Enter`, `n`, `workers`, `Ctrl-S`, `e`, `2`, `Ctrl-S`',
    screen: await at.waitFor(/workers .*ACTIVE +2 [^]*ConfigUpdate Successful/),
  };
}

async function* alarm(at: TourTerminal, { cli }: TourWorld): AsyncGenerator<Stop> {
  await cli('monitor', 'metrics', 'on', 'papers');
  await cli('monitor', 'alarms', 'add', 'too-full', '--bucket', 'papers', '--threshold', '1MB');
  await cli(
    'monitor',
    'alarms',
    'set-state',
    'too-full',
    'ALARM',
    '--reason',
    'the bucket holds 24 MB',
  );
  at.press('6');
  await at.waitFor(/! 1 alarm[^]*too-full/);
  at.press('tab');
  at.press('A');
  yield {
    title: 'An acknowledged alarm: `6`, `Tab`, `A`',
    screen: await at.waitFor('ALARM (known)'),
  };
}

async function* daemonGone(at: TourTerminal, { killDaemon }: TourWorld): AsyncGenerator<Stop> {
  at.press('1');
  await killDaemon();
  yield {
    title: 'The daemon was killed, and the last known data stays on the screen',
    screen: await at.waitFor('daemon down'),
  };
  at.press('s');
  yield {
    title: 'The daemon was started again: `s`',
    screen: await at.waitFor(/● running[^]*papers .*watching/),
  };
}

const PAUSE_MS = 500;

function pause(): Promise<void> {
  return systemClock.sleep(PAUSE_MS);
}
