/**
 * Tests of `admin backup-state` and `admin restore-state`. The first command saves the state of a
 * home while its daemon runs, and the second restores it.
 */

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import { MANIFEST } from '../../daemon/state/state-files.ts';
import { layoutOf } from '../../src/engine/disk/layout.ts';
import { lockStore } from '../../src/engine/disk/store-lock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli } from '../helpers/run-cli.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const holdfast = (home: string, ...argv: readonly string[]) =>
  runCli(['--home', home, ...argv], { env: { PATH: process.env['PATH'] } });

/** Starts a daemon with a job and a user, and saves the state of its home to the folder `backup`. */
async function savedHome() {
  const folder = temporaryFolder('hf-state');
  const [home, backup, notes] = ['home', 'backup', 'notes'].map((name) => join(folder, name));
  if (!home || !backup || !notes) throw new Error('the test needs three folder names');
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  mkdirSync(notes);
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
  await daemon.client.call('jobs.add', { folder: notes });
  await holdfast(home, 'wait');
  await daemon.client.call('users.add', { user: 'restic', fullAccess: false, again: false });
  const saved = await holdfast(home, 'admin', 'backup-state', backup);
  return { folder, home, backup, notes, saved, daemon };
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe('`admin backup-state` and `admin restore-state`', () => {
  it('`backup-state` saves the configuration, users and job states of a home, and `restore-state` restores them', async () => {
    const { folder, home, backup, saved, daemon, notes } = await savedHome();
    expect([saved.exitCode, saved.stdout]).toEqual([0, expect.stringContaining('saved')]);
    const running = await holdfast(home, 'admin', 'restore-state', backup, '--yes');
    expect([running.exitCode, running.stderr]).toEqual([
      1,
      expect.stringContaining('a daemon runs'),
    ]);
    for (const file of everyFile(backup)) expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(backup).mode & 0o077).toBe(0);

    // The killed daemon leaves the write-ahead log of the old database. SQLite must not apply this
    // log to the restored database.
    await daemon.kill();
    expect(existsSync(join(home, 'data/identity.sqlite-wal'))).toBe(true);
    const proofKey = join(home, 'state/jobs/notes/provenance.key');
    const known = readFileSync(proofKey, 'utf8');
    for (const lost of ['config.yaml', 'data/identity.sqlite', 'state/jobs'])
      rmSync(join(home, lost), { recursive: true });
    const restored = await holdfast(home, 'admin', 'restore-state', backup, '--yes');
    expect([restored.exitCode, restored.stderr]).toEqual([0, '']);
    expect(readFileSync(proofKey, 'utf8'), 'the job still recognises its uploads').toBe(known);
    expect(statSync(proofKey).mode & 0o777).toBe(0o600);
    const state = new Database(join(home, 'state/jobs/notes/state.sqlite'), { readonly: true });
    expect(state.prepare('SELECT count(*) AS files FROM baseline').get()).toEqual({ files: 1 });
    state.close();
    const again = await startDaemonHere(home);
    onTestFinished(() => again.stop());
    const { users } = await again.client.call('users.list', {});
    expect(users.map(({ user }) => user)).toContain('restic');
    const { jobs } = await again.client.call('status', {});
    expect(jobs.map((job) => [job.name, job.folder])).toEqual([['notes', notes]]);
    await again.stop();

    const broken = join(folder, 'broken');
    renameSync(backup, broken);
    appendFileSync(join(broken, 'data/host-id'), 'x');
    const config = readFileSync(join(home, 'config.yaml'), 'utf8');
    const before = everyFile(home).toSorted();
    const said = await holdfast(home, 'admin', 'restore-state', broken, '--yes');
    expect([said.exitCode, said.stderr]).toEqual([
      1,
      expect.stringContaining('host-id differs from the file that was saved'),
    ]);
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(config);
    expect(everyFile(home).toSorted()).toEqual(before);
  });
});

describe('a backup of the state of a home', () => {
  let folder: string;
  let home: string;

  function homeWithConfig(): void {
    folder = temporaryFolder('hf-state');
    home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.yaml'), '# mine\nstorage: {port: 0}\n', { mode: 0o600 });
  }

  it('`restore-state` sets existing files aside before it restores a backup', async () => {
    homeWithConfig();
    await holdfast(home, 'admin', 'backup-state', join(folder, 'backup'));
    writeFileSync(join(home, 'config.yaml'), '# later\n');
    const { stdout } = await holdfast(
      home,
      'admin',
      'restore-state',
      join(folder, 'backup'),
      '--yes',
    );
    const [, aside = ''] = /set aside (.*)/.exec(stdout) ?? [];
    expect(readFileSync(aside, 'utf8')).toBe('# later\n');
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain('# mine');
  });

  it('`restore-state` refuses to run while a daemon has the store open, even if the daemon does not respond yet', async () => {
    homeWithConfig();
    await holdfast(home, 'admin', 'backup-state', join(folder, 'backup'));
    writeFileSync(join(home, 'config.yaml'), '# later\n');
    const store = join(home, 'data/store');
    mkdirSync(store, { recursive: true });
    const lock = lockStore(layoutOf(store));
    const refused = await holdfast(home, 'admin', 'restore-state', join(folder, 'backup'), '--yes');
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Holdfast runs already'),
    ]);
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('# later\n');
    lock.release();
    expect(
      (await holdfast(home, 'admin', 'restore-state', join(folder, 'backup'), '--yes')).exitCode,
    ).toBe(0);
  });

  it('`backup-state` refuses to write to an existing folder, and leaves no partial backup', async () => {
    homeWithConfig();
    mkdirSync(join(folder, 'backup'));
    const { exitCode } = await holdfast(home, 'admin', 'backup-state', join(folder, 'backup'));
    expect([exitCode, readdirSync(folder).toSorted()]).toEqual([1, ['backup', 'home']]);
  });

  it.each([
    ['../outside', 'manifest.json'],
    ['credentials/..', 'manifest.json'],
    ['state/jobs/../../../x/state.sqlite', 'manifest.json'],
    ['data/other', 'manifest.json'],
  ])('`restore-state` refuses a backup whose manifest lists the file %s', async (name, said) => {
    homeWithConfig();
    const backup = join(folder, 'backup');
    await holdfast(home, 'admin', 'backup-state', backup);
    const list = join(backup, MANIFEST);
    const manifest = JSON.parse(readFileSync(list, 'utf8')) as { files: { name: string }[] };
    for (const file of manifest.files) file.name = name;
    writeFileSync(list, JSON.stringify(manifest));
    const { exitCode, stderr } = await holdfast(home, 'admin', 'restore-state', backup, '--yes');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(existsSync(join(folder, 'outside'))).toBe(false);
  });

  it('`restore-state` refuses a backup with a database of a newer format, names the database, and changes nothing', async () => {
    homeWithConfig();
    const identity = join(home, 'data/identity.sqlite');
    mkdirSync(join(home, 'data'), { recursive: true });
    const database = new Database(identity);
    database.pragma('user_version = 99');
    database.close();
    const backup = join(folder, 'backup');
    await holdfast(home, 'admin', 'backup-state', backup);
    writeFileSync(join(home, 'config.yaml'), '# later\n');
    const before = everyFile(home).toSorted();
    const { exitCode, stderr } = await holdfast(home, 'admin', 'restore-state', backup, '--yes');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /data\/identity\.sqlite has format 99, and this Holdfast reads up to \d+; use Holdfast .*\n.*nothing was changed/,
      ),
    ]);
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('# later\n');
    expect(everyFile(home).toSorted()).toEqual(before);
    expect(everyFile(backup).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  it('`restore-state` refuses a backup whose manifest has a newer format', async () => {
    homeWithConfig();
    const backup = join(folder, 'backup');
    mkdirSync(backup);
    writeFileSync(join(backup, MANIFEST), '{"format": 2}');
    const { stderr } = await holdfast(home, 'admin', 'restore-state', backup, '--yes');
    expect(stderr).toContain('requires a newer Holdfast');
  });
});
