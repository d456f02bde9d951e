/** Tests of `holdfast conflict` command lines against a daemon with one job. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { collect } from '../../src/object-store/body.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli } from '../helpers/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-conflicts-'));
const home = join(folder, 'home');
const root = join(folder, 'papers');
let daemon: DaemonProcess;

const cli = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home }, cwd: folder });
const write = (name: string, content: string) => writeFileSync(join(root, name), content);
const read = (name: string) => readFileSync(join(root, name), 'utf8');

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonProcess(home);
  mkdirSync(root);
  for (const name of ['a', 'b', 'c']) write(name, 'ours');
  await cli('job', 'add', root);
  await daemon.client.call('jobs.settled', { name: 'papers' });
  await cli('job', 'pause', 'papers');
  const theirs = join(folder, 'theirs');
  writeFileSync(theirs, 'theirs');
  for (const name of ['a', 'b', 'c']) {
    await cli('s3', 'put', theirs, `papers/${name}`);
    write(name, 'edited');
  }
  await cli('job', 'resume', 'papers');
  await daemon.client.call('jobs.settled', { name: 'papers' });
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('conflicts', () => {
  it('conflicts list names the ways to resolve them, and status exits with 3', async () => {
    const { exitCode, stdout, stderr } = await cli('conflict', 'list');
    expect(exitCode).toBe(3);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stdout).toMatch(/open {6}a {2}what the bucket held, 6 B, gave way, and is kept/);
    expect(stderr).toContain('3 conflicts: `holdfast conflict show PATH --job papers`');
    const { conflicts } = JSON.parse((await cli('conflict', 'list', 'papers', '--json')).stdout);
    expect(conflicts).toMatchObject([
      { job: 'papers', path: 'a', state: 'open', side: 'bucket', versionId: expect.any(String) },
      { path: 'b' },
      { path: 'c' },
    ]);
    expect((await cli('status')).stdout).toContain('holdfast conflict list papers');
  });

  it('conflicts show prints where the replaced content is stored, and what each choice does', async () => {
    const { exitCode, stdout } = await cli('conflict', 'show', 'papers/a');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('kept in the bucket as version');
    expect(stdout).toContain('--keep remote: it takes the place of the file');
    expect((await cli('conflict', 'show', 'papers/none')).stderr).toContain('has no conflict of');
    // The path alone finds the same conflict, with or without --job.
    expect((await cli('conflict', 'show', 'a')).stdout).toBe(stdout);
    expect((await cli('conflict', 'show', 'a', '--job', 'papers')).stdout).toBe(stdout);
    expect((await cli('conflict', 'show', 'a', '--job', 'none')).stderr).toContain('unknown job');
    expect((await cli('conflict', 'show', 'papers')).stderr).toContain('which path?');
  });

  it('conflicts.show returns the first bytes of both sides of a conflict', async () => {
    const asked = { job: 'papers', path: 'a' };
    const { conflicts } = await daemon.client.call('conflicts.show', {
      path: join(root, 'a'),
      job: join(root, 'a'),
    });
    const id = conflicts[0]?.id ?? '';
    const { local, remote } = await daemon.client.call('conflicts.sides', {
      ...asked,
      id,
      previewBytes: 4,
    });
    expect(local).toMatchObject({ where: 'folder', kind: 'file', sizeBytes: 6 });
    expect(remote).toMatchObject({ where: 'kept', byMirror: false, versionId: expect.any(String) });
    const text = async (stream = '') =>
      Buffer.from(await collect(daemon.client.download(stream), 9)).toString();
    expect([await text(local.stream), await text(remote.stream)]).toEqual(['edit', 'thei']);
    const unknown = daemon.client.call('conflicts.sides', { ...asked, id: 'none' });
    await expect(unknown).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('conflicts.resolve compares paths literally, not as patterns', async () => {
    const steps = async (paths: string[]) =>
      (
        await daemon.client.call('conflicts.resolve', {
          job: 'papers',
          keep: 'both',
          paths,
          dryRun: true,
        })
      ).steps;
    expect(await steps(['b'])).toEqual([{ path: 'b', does: 'beside' }]);
    expect(await steps(['*', '/b', '../b'])).toEqual([]);
    expect(await steps([])).toEqual([]);
  });

  it.each([
    [['--all'], '--keep'],
    [['--keep', 'mine', '--all'], 'must be one of local, remote, both'],
    [['--keep', 'local'], 'which?'],
    [['--keep', 'local', '--all', 'a'], 'which?'],
  ])('conflicts resolve with %j is a usage error', async (argv, words) => {
    const { exitCode, stderr } = await cli('conflict', 'resolve', ...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('conflicts resolve applies the choice, and a dry run shows its effect first', async () => {
    const look = await cli('conflict', 'resolve', '--keep', 'remote', 'a', '--dry-run');
    expect(look.stdout).toBe('a: the kept bytes would take the place of the file\n');
    expect(read('a')).toBe('edited');
    const one = await cli('conflict', 'resolve', '--keep', 'remote', 'a');
    expect(one).toMatchObject({ exitCode: 0 });
    expect(one.stdout).toBe('resolved 1 conflict of job papers: keep remote\n');
    expect(read('a')).toBe('theirs');
    const wrong = await cli('conflict', 'resolve', '--keep', 'both', join(root, 'none'));
    expect(wrong).toMatchObject({ exitCode: 1, stdout: '' });
    expect(wrong.stderr).toContain('no open conflict of that path');
    await cli('conflict', 'resolve', '--keep', 'both', '--job', 'papers', join(root, 'b'));
    const beside = readdirSync(root).find((name) => name.startsWith('b (from bucket 20')) ?? '';
    expect([read('b'), read(beside)]).toEqual(['edited', 'theirs']);
    const rest = await cli('conflict', 'resolve', '--keep', 'local', '--all', '--json');
    expect(JSON.parse(rest.stdout)).toMatchObject({ matched: 1, resolved: 1, waiting: [] });
    expect(await cli('conflict', 'list')).toMatchObject({ exitCode: 0, stdout: '' });
    const all = (await cli('conflict', 'list', '--all')).stdout;
    expect(all).toContain('resolved, keep both');
    // The list has one entry for the resolution, and one that shows where the replaced file is stored.
    expect(all.match(/resolved, keep remote/g)).toHaveLength(1);
    expect(all).toMatch(/a {2}the file of the folder, .*: gave way to that answer, and is kept\n/);
    const none = await cli('conflict', 'resolve', '--keep', 'local', '--all');
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: 'nothing to resolve: job papers has no open conflict\n',
    });
  });
});
