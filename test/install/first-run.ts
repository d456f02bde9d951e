/**
 * Performs the first steps of a new user, from the package to a restored folder, and measures the
 * time of each step.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

import { ROOT } from '../../.ci/packages/npm.ts';
import type { Place } from './place.ts';

/** Maximum duration of all steps in seconds, which issue 8 promises. */
const ALLOWED_SECONDS = 120;

/**
 * Script that starts a daemon in the background and waits for it, because restoring from a job
 * requires the daemon.
 */
const LATER = `
holdfast service run >daemon.log 2>&1 &
until holdfast job list >jobs.txt 2>&1; do :; done
echo 'and bread' >>notes/todo.txt
rm notes/deep/old.md
holdfast wait --timeout 1m
holdfast restore notes --to back
holdfast undo notes/deep/old.md
holdfast verify --read-back
holdfast down`;

/**
 * Script that runs after an upgrade. The daemon of the new version must continue with the data of
 * the old version.
 */
const UPGRADED = `
holdfast service run >daemon.log 2>&1 &
until holdfast job list >jobs.txt 2>&1; do :; done
echo 'and salt' >>notes/todo.txt
holdfast wait --timeout 1m
holdfast test notes
holdfast status
holdfast restore notes --to again
holdfast verify --read-back
holdfast down`;

/**
 * Answers for `holdfast init`: folder, destination, bucket, lock mode, lock days, and whether to
 * write the configuration.
 */
const answers = (folder: string) => `${folder}\nlocal\n\ngovernance\n30\ny\n`;

/**
 * Performs all steps. Throws an error if a step fails, a restored file differs, or the steps take
 * too long.
 */
export function firstRun(place: Place, file: string): void {
  const { home, inside } = place;
  const notes = join(home, 'notes');
  makeNotes(notes);
  const { uid, gid } = statSync(home);
  execFileSync('chown', ['-R', `${uid}:${gid}`, notes]);
  let total = 0;
  const step = (title: string, work: () => string | void) => {
    const began = performance.now();
    const said = work() ?? '';
    const seconds = (performance.now() - began) / 1_000;
    total += seconds;
    process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${title}\n`);
    return said;
  };
  step(`install ${basename(file)}`, () => place.install(file));
  expectIn(
    step('holdfast --version', () => place.run(['holdfast', '--version'])),
    version(),
  );
  step('holdfast init, with the answers of a script', () =>
    place.run(['holdfast', 'init', '--no-start'], answers(inside(notes))),
  );
  expectIn(
    step('holdfast service install --print', () =>
      place.run(['holdfast', 'service', 'install', '--print']),
    ),
    'ExecStart=',
  );
  // Another Holdfast on this computer may use the default port, so the configuration sets another
  // port.
  const config = join(home, '.config/holdfast/config.yaml');
  writeFileSync(config, `storage: {port: 0}\n${readFileSync(config, 'utf8')}`);
  expectIn(
    step('holdfast up --once: all is mirrored', () => place.run(['holdfast', 'up', '--once'])),
    'in sync',
  );
  step('holdfast service run, a change, wait, restore, undo, verify', () =>
    place.run(['sh', '-euc', LATER]),
  );
  step('compare the restored files', () => compare(notes, join(home, 'back')));
  process.stdout.write(
    `${total.toFixed(1).padStart(6)} s  in total, of at most ${ALLOWED_SECONDS} s\n`,
  );
  if (total > ALLOWED_SECONDS) throw new Error(`the steps took ${total.toFixed(1)} s`);
}

/**
 * Installs a newer version over the installed version. Throws an error if the newer version does
 * not continue with the existing data.
 */
export function upgrade(place: Place, file: string, newer: string): void {
  place.install(file);
  expectIn(place.run(['holdfast', '--version']), newer);
  expectIn(place.run(['sh', '-euc', UPGRADED]), 'in sync');
  const again = join(place.home, 'again');
  compare(join(place.home, 'notes'), again);
  expectIn(readFileSync(join(again, 'todo.txt'), 'utf8'), 'and salt');
  process.stdout.write(`upgraded to ${newer}, with the data of the older version\n`);
}

/**
 * Removes the package. Throws an error if a file of the package remains, or if stored data is
 * missing.
 */
export function remove(place: Place): void {
  place.remove();
  const left = place.run(['sh', '-c', 'command -v holdfast || :']) + place.left();
  if (left !== '') throw new Error(`these files remain after the removal:\n${left}`);
  const store = readdirSync(join(place.home, '.local/share/holdfast/store'));
  expectIn(store.join(), 'store.sqlite');
  process.stdout.write('removed, and the store in the home is kept\n');
}

function makeNotes(notes: string): void {
  mkdirSync(join(notes, 'deep/er'), { recursive: true });
  writeFileSync(join(notes, 'todo.txt'), 'buy milk\n');
  writeFileSync(join(notes, 'deep/old.md'), '# old\n');
  writeFileSync(join(notes, 'deep/er/empty'), '');
  writeFileSync(join(notes, 'deep/er/large.bin'), randomBytes(5_000_000));
  for (let i = 0; i < 200; i++) writeFileSync(join(notes, 'deep', `page ${i}.txt`), `page ${i}\n`);
  chmodSync(join(notes, 'todo.txt'), 0o640);
  symlinkSync('../todo.txt', join(notes, 'deep/link'));
}

/**
 * Compares the folder with its restored copy, using `diff`. The copy does not contain `old.md`,
 * because `undo` restored that file later.
 */
function compare(notes: string, back: string): void {
  const was = ['diff', '--recursive', '--no-dereference', '--exclude=old.md', notes, back];
  execFileSync('/usr/bin/env', was, { stdio: 'inherit' });
  expectIn(readFileSync(join(notes, 'deep/old.md'), 'utf8'), '# old');
  expectIn(readFileSync(join(back, 'todo.txt'), 'utf8'), 'and bread');
}

function version(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function expectIn(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected ${JSON.stringify(part)} in:\n${text}`);
}
