/**
 * Creates the fixture of a Holdfast home with the program of a checkout. Like a user, it creates a job, users, alarms
 * and clusters.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { systemClock } from '../../src/base/clock.ts';
import { DATABASES, type HomeFixture, MANY, NOTES } from './home-fixture.ts';
import { formatOf, nextName, packFolder } from './fixture.ts';
import { withFolder } from './with-folder.ts';

const LARGE_BYTES = 100_000;
const CONFIG = `storage: {port: 0} # mine
jobs:
  - name: ${NOTES}
    folder: ../${NOTES}
    bucket: ${NOTES}
    exclude: ['*.tmp']
    lock: {mode: GOVERNANCE, days: 30}
`;
/**
 * Files that are not part of the format, some of them several megabytes: logs, sockets, process locks and the reserve
 * file.
 */
const NOT_STATE = /(^|\/)(holdfast\.log.*|lock\..*|reserve|.*\.(sock|pid|log))$/;

const COMMANDS = [
  ['admin', 'users', 'add', 'restic'],
  ['admin', 'keys', 'add'],
  ['monitor', 'metrics', 'on', NOTES],
  [
    'monitor',
    'alarms',
    'add',
    'too-full',
    '--bucket',
    NOTES,
    '--metric',
    'size',
    '--comparison',
    '>',
  ].concat(['--threshold', '500GB', '--on-alarm', 'log']),
  ['cluster', 'create', 'farm', '--cluster-version', '1.34', '--subnet', 'subnet-1'],
];

type Holdfast = (...argv: readonly string[]) => string;

export async function makeHome(tree: string): Promise<[name: string, Omit<HomeFixture, 'commit'>]> {
  return withFolder(async (folder) => {
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.yaml'), CONFIG, { mode: 0o600 });
    const main = join(tree, 'dist/src/cli/main.js');
    const argv = [main, '--home', home];
    const holdfast: Holdfast = (...more) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...argv, ...more], {
        encoding: 'utf8',
        cwd: folder,
      });
      // The commands exit with code 3 if something needs attention.
      if (status !== 0 && status !== 3)
        throw new Error(`make home: ${more.join(' ')} ended with ${status}: ${stderr}`);
      return stdout;
    };
    writeNotes(join(folder, NOTES));
    holdfast('up', '--once');
    await withDaemon([...argv, 'service', 'run'], home, () => live(holdfast, join(folder, NOTES)));
    holdfast('up', '--once');
    // Reads the files before anything opens the databases again.
    const files = packFolder(folder, NOT_STATE);
    const made = {
      formats: formatsIn(home),
      madeAt: systemClock.now(),
      contents: describeHome(home),
    };
    return [nextName('home'), { ...made, files, folder }];
  });
}

function writeNotes(notes: string): void {
  mkdirSync(join(notes, 'many'), { recursive: true });
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
  writeFileSync(join(notes, 'both.txt'), 'agreed');
  writeFileSync(join(notes, 'moved.txt'), Buffer.alloc(LARGE_BYTES, 'a large file; '));
  writeFileSync(join(notes, 'gone.txt'), 'not for long');
  for (let number = 0; number < MANY; number++)
    writeFileSync(join(notes, `many/${number}`), 'one of many');
}

/**
 * Makes changes that create rows in each table: changed, moved and deleted files, too many deletes, and a write by
 * another client.
 */
function live(holdfast: Holdfast, notes: string): void {
  holdfast('job', 'pause', NOTES);
  writeFileSync(join(notes, 'todo.txt'), 'buy bread');
  renameSync(join(notes, 'moved.txt'), join(notes, 'here.txt'));
  rmSync(join(notes, 'gone.txt'));
  rmSync(join(notes, 'many'), { recursive: true });
  writeFileSync(join(notes, 'both.txt'), 'mine');
  holdfast('s3', 'put', join(notes, 'todo.txt'), `${NOTES}/both.txt`);
  for (const argv of COMMANDS) holdfast(...argv);
  holdfast('job', 'resume', NOTES);
}

async function withDaemon(argv: readonly string[], home: string, use: () => void): Promise<void> {
  const daemon = spawn(process.execPath, argv, { stdio: 'ignore' });
  const ended = once(daemon, 'exit');
  try {
    while (!existsSync(join(home, 'control.sock'))) await rest(50);
    use();
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
}

function formatsIn(home: string): Record<string, number> {
  const there = Object.entries(DATABASES).filter(([, path]) => existsSync(join(home, path)));
  return Object.fromEntries(there.map(([kind, path]) => [kind, formatOf(join(home, path))]));
}

/** Counts the access keys with SQL, independently of the code that normally reads them. */
function describeHome(home: string): HomeFixture['contents'] {
  const database = new Database(join(home, DATABASES.identity), { readonly: true });
  try {
    const keys = database.prepare<[], number>('SELECT count(*) FROM access_key').pluck().get();
    return { keys: keys ?? 0 };
  } finally {
    database.close();
  }
}
