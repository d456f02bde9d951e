/**
 * Property test of `undo --redo` with a real daemon. After the command, the folder must be as it
 * was before the undo.
 */

import {
  chmodSync,
  existsSync,
  lstatSync,
  utimesSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { jsonOf, runCli } from '../helpers/run-cli.ts';
import { picture } from '../helpers/tree-picture.ts';

interface Change {
  readonly path: string;
  readonly does: 'write' | 'remove' | 'link' | 'move' | 'touch';
  /** New path of the file, for the change `move`. */
  readonly to: string;
  readonly text: string;
}

const PATHS = ['a', 'b', 'd/a', 'd/e/b', 'd/link'] as const;

/**
 * Generates changes of files and symbolic links. The texts have equal lengths, so that contents can
 * be equal while other attributes differ.
 */
const changes = fc.array(
  fc.record<Change>({
    path: fc.constantFrom(...PATHS),
    does: fc.constantFrom('write', 'write', 'remove', 'link', 'move', 'touch'),
    to: fc.constantFrom(...PATHS),
    text: fc.constantFrom('x', 'yy', 'zz'),
  }),
  { minLength: 1, maxLength: 5 },
);

type Case = [before: Change[], after: Change[], isPaused: boolean];

const step = (path: Change['path'], does: Change['does'], text = 'x'): Change => ({
  path,
  does,
  to: 'a',
  text,
});

/**
 * Changes after which `undo` changes only the object of an empty folder, and nothing in the local
 * folder.
 */
const EMPTY_FOLDER: Case = [
  [step('d/e/b', 'write'), step('d/e/b', 'remove')],
  [step('d/e/b', 'write')],
  false,
];

/** Changes of modification times and modes. A changed time alone creates no version. */
const TOUCHED: Case[] = [true, false].map((isPaused) => [
  [step('a', 'write'), step('b', 'write'), step('d/link', 'link')],
  [step('a', 'touch', 'yy'), step('b', 'write', 'zz'), step('b', 'touch'), step('d/link', 'link')],
  isPaused,
]);

/**
 * Number of runs of the property. Each run has its own job, because the mass-change guard counts
 * all deletes of a job.
 */
const RUNS = 16;

it('`undo` of a folder followed by `undo --redo` leaves all names, contents, times and modes unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hf-redo-'));
  const home = join(folder, 'home');
  const cli = (...argv: string[]) => runCli([...argv, '--home', home], { clock: systemClock });
  makeHome(home);
  const daemon = await startDaemonHere(home);
  let jobs = 0;
  const property = fc.asyncProperty(
    changes,
    changes,
    fc.boolean(),
    async (before, after, isPaused) => {
      jobs += 1;
      const name = `notes-${jobs}`;
      const root = join(folder, name);
      const settled = async () =>
        expect(await cli('wait', name, '--timeout', '1m')).toMatchObject({ exitCode: 0 });
      mkdirSync(join(root, 'p'), { recursive: true });
      writeFileSync(join(root, 'p/always'), 'here');
      apply(before, join(root, 'p'));
      expect(await cli('job', 'add', root)).toMatchObject({ exitCode: 0 });
      await settled();
      const moment = new Date().toISOString();
      await laterMillisecond();
      if (isPaused) await daemon.client.call('jobs.pause', { name });
      apply(after, join(root, 'p'));
      if (!isPaused) await settled();
      const tree = picture(root);
      const undone = await cli('undo', join(root, 'p'), '--at', moment, '--json');
      const report = jsonOf(undone.stdout) as Result<'history.undo'>;
      expect(report.problems).toEqual([]);
      if (report.copied === 0 && isDeepStrictEqual(picture(root), tree)) return;
      const redone = await cli('undo', '--redo', name, '--json');
      expect((jsonOf(redone.stdout) as Result<'history.undo'>).problems).toEqual([]);
      expect(picture(root)).toEqual(tree);
    },
  );
  try {
    await fc.assert(property, {
      numRuns: RUNS,
      examples: [EMPTY_FOLDER, EMPTY_FOLDER, ...TOUCHED],
    });
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

function apply(list: readonly Change[], folder: string): void {
  for (const { path, does, to, text } of list) {
    const file = join(folder, path);
    if (does === 'move') {
      move(file, join(folder, to));
      continue;
    }
    if (does === 'touch') {
      touch(file, text);
      continue;
    }
    rmSync(file, { recursive: true, force: true });
    if (does === 'remove') continue;
    mkdirSync(join(file, '..'), { recursive: true });
    if (does === 'write') writeFileSync(file, text);
    else symlinkSync(text, file);
  }
}

/** Changes the modification time and the mode of a file, but not its content. */
function touch(file: string, text: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return;
  utimesSync(file, 1_000_000_000, 1_000_000_000 + text.length);
  chmodSync(file, text === 'x' ? 0o600 : 0o755);
}

function move(from: string, to: string): void {
  if (from === to || !existsSync(from)) return;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(join(to, '..'), { recursive: true });
  renameSync(from, to);
}
