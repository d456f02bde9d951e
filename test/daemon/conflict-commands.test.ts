/** Tests of the `conflict` commands with a daemon that has one job. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Result } from '../../src/control/messages.ts';
import { collect } from '../../src/object-store/body.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { runCli, startCli, jsonOf } from '../helpers/run-cli.ts';
import { until } from '../helpers/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-conflicts-'));
const home = join(folder, 'home');
const root = join(folder, 'papers');
let daemon: DaemonHere;

const cli = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home }, cwd: folder });
const write = (name: string, content: string) => writeFileSync(join(root, name), content);
const read = (name: string) => readFileSync(join(root, name), 'utf8');

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonHere(home);
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

describe('the `conflict` commands with one job', () => {
  it('`conflict list` names the ways to resolve conflicts, and `status` exits with code 3', async () => {
    const { exitCode, stdout, stderr } = await cli('conflict', 'list');
    expect(exitCode).toBe(3);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stdout).toMatch(
      /open {6}a {2}the object in the bucket, 6 B, was superseded, and is kept/,
    );
    expect(stderr).toContain('3 conflicts: `holdfast conflict show PATH --job papers`');
    const listed = await cli('conflict', 'list', 'papers', '--json');
    const { conflicts } = jsonOf(listed.stdout) as Result<'conflicts.list'>;
    expect(conflicts).toMatchObject([
      { job: 'papers', path: 'a', state: 'open', side: 'bucket', versionId: expect.any(String) },
      { path: 'b' },
      { path: 'c' },
    ]);
    expect((await cli('status')).stdout).toContain('holdfast conflict list papers');
  });

  it('`conflict show` prints where the replaced content is stored, and the effect of each choice', async () => {
    const { exitCode, stdout } = await cli('conflict', 'show', 'papers/a');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('kept in the bucket as version');
    expect(stdout).toContain('--keep remote: replaces the file');
    expect((await cli('conflict', 'show', 'papers/none')).stderr).toContain('has no conflict of');
    // The path alone identifies the same conflict, with or without --job.
    expect((await cli('conflict', 'show', 'a')).stdout).toBe(stdout);
    expect((await cli('conflict', 'show', 'a', '--job', 'papers')).stdout).toBe(stdout);
    expect((await cli('conflict', 'show', 'a', '--job', 'none')).stderr).toContain('unknown job');
    expect((await cli('conflict', 'show', 'papers')).stderr).toContain('name one file');
  });

  it('`conflicts.show` returns the first bytes of the file and of the object in conflict', async () => {
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

  it('`conflicts.resolve` compares paths literally and not as patterns', async () => {
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
    [['--keep', 'local'], 'give either paths or patterns'],
    [['--keep', 'local', '--all', 'a'], 'give either paths or patterns'],
  ])('`conflict resolve` with the arguments %j is a usage error', async (argv, words) => {
    const { exitCode, stderr } = await cli('conflict', 'resolve', ...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('`conflict resolve` applies the choice, and --dry-run only shows its effect', async () => {
    const look = await cli('conflict', 'resolve', '--keep', 'remote', 'a', '--dry-run');
    expect(look.stdout).toBe('a: the kept content would replace the file\n');
    expect(read('a')).toBe('edited');
    const one = await cli('conflict', 'resolve', '--keep', 'remote', 'a');
    expect(one).toMatchObject({ exitCode: 0 });
    expect(one.stdout).toBe('resolved 1 conflict of job papers: keep remote\n');
    expect(read('a')).toBe('theirs');
    const wrong = await cli('conflict', 'resolve', '--keep', 'both', join(root, 'none'));
    expect(wrong).toMatchObject({ exitCode: 1, stdout: '' });
    expect(wrong.stderr).toContain('no open conflict at that path');
    await cli('conflict', 'resolve', '--keep', 'both', '--job', 'papers', join(root, 'b'));
    const beside = readdirSync(root).find((name) => name.startsWith('b (from bucket 20')) ?? '';
    expect([read('b'), read(beside)]).toEqual(['edited', 'theirs']);
    const rest = await cli('conflict', 'resolve', '--keep', 'local', '--all', '--json');
    expect(jsonOf(rest.stdout)).toMatchObject({ matched: 1, resolved: 1, waiting: [] });
    expect(await cli('conflict', 'list')).toMatchObject({ exitCode: 0, stdout: '' });
    const all = (await cli('conflict', 'list', '--all')).stdout;
    expect(all).toContain('resolved, keep both');
    // The conflict log has an entry for the resolution, and an entry that shows where the replaced
    // file is stored.
    expect(all.match(/resolved, keep remote/g)).toHaveLength(1);
    expect(all).toMatch(
      /a {2}the file in the folder, .*: superseded when a conflict was resolved, and is kept\n/,
    );
    const none = await cli('conflict', 'resolve', '--keep', 'local', '--all');
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: 'nothing to resolve: job papers has no open conflict\n',
    });
  });
});

describe('the `conflict` commands with several jobs', () => {
  const jobs = [
    jobStatus({ name: 'docs', folder: '/home/ada/Docs' }),
    jobStatus({ name: 'docs@far', folder: '/home/ada/Docs', target: 'far' }),
    jobStatus({ name: 'photos', folder: '/home/ada/Pictures' }),
  ];

  const CONFLICT = { id: '1', state: 'open', side: 'bucket', at: 1, etag: 'e' } as const;

  async function several() {
    const asked: object[] = [];
    const { socketPath } = await controlFixture({
      status: async () => daemonStatus(...jobs),
      'conflicts.resolve': async ({ job = '', ...rest }) => {
        asked.push({ job, ...rest });
        const counts = { dismiss: 1, cover: 0, replace: 0, beside: 0 };
        return { job, matched: 1, counts, steps: [], resolved: 1, waiting: [] };
      },
      'conflicts.list': async ({ job }) => ({
        conflicts: job === 'docs@far' ? [] : [{ ...CONFLICT, path: 'plan.txt' }],
      }),
    });
    const env = { HOLDFAST_HOME: dirname(socketPath) };
    const run = (...argv: string[]) =>
      runCli(['conflict', ...argv], { env, cwd: '/home/ada/Pictures' });
    return { asked, run };
  }

  it.each([
    [['photos/plan.txt'], 'photos', ['/plan.txt']],
    [['docs/letters/'], 'docs', ['/letters/']],
    [['docs@far/a', 'docs@far/b'], 'docs@far', ['/a', '/b']],
    [['photos/'], 'photos', ['/*']],
    [['/home/ada/Docs/plan.txt'], 'docs', ['/plan.txt']],
    [['./2026/a.jpg'], 'photos', ['/2026/a.jpg']],
    [['photos/a', '*.jpg'], 'photos', ['/a', '*.jpg']],
    [['*.jpg', '--job', 'photos'], 'photos', ['*.jpg']],
    [['docs/a', '--job', 'photos'], 'photos', ['docs/a']],
  ])('`conflict resolve` with %j resolves conflicts of the job %s', async (argv, job, patterns) => {
    const { asked, run } = await several();
    const { exitCode, stderr } = await run('resolve', '--keep', 'local', ...argv);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(asked).toEqual([{ job, keep: 'local', dryRun: false, patterns }]);
  });

  it.each([
    [['*.jpg'], 'which of the jobs docs, photos?'],
    [['--all'], 'which of the jobs docs, photos?'],
    [['docs/a', 'photos/a'], 'several jobs at once: docs, photos'],
  ])('`conflict resolve` with %j is a usage error that names the jobs', async (argv, words) => {
    const { asked, run } = await several();
    const { exitCode, stderr } = await run('resolve', '--keep', 'local', ...argv);
    expect([exitCode, asked]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });

  it('`conflict list` prints JOB/PATH, which `conflict show` and `conflict resolve` accept', async () => {
    const { run } = await several();
    const { stdout, stderr } = await run('list');
    expect(stdout).toContain('  docs/plan.txt  ');
    expect(stdout).toContain('  photos/plan.txt  ');
    expect(stderr).toContain('`holdfast conflict resolve JOB/PATH --keep local|remote|both`');
    expect((await run('list', 'docs')).stdout).toContain('  plan.txt  ');
  });

  it('`conflict resolve` reports only the remaining conflicts of its own job', async () => {
    const clock = new FakeClock();
    const finished = Promise.withResolvers<undefined>();
    const ofOthers = { ...jobStatus({}).counts, conflicts: 7 };
    const ofPhotos = { ...jobStatus({}).counts, conflicts: 2 };
    const { socketPath } = await controlFixture({
      status: async () =>
        daemonStatus(
          jobStatus({ name: 'docs', folder: '/home/ada/Docs', counts: ofOthers }),
          jobStatus({ name: 'photos', folder: '/home/ada/Pictures', counts: ofPhotos }),
        ),
      'conflicts.resolve': async () => {
        await finished.promise;
        const counts = { dismiss: 1, cover: 0, replace: 0, beside: 0 };
        return { job: 'photos', matched: 1, counts, steps: [], resolved: 1, waiting: [] };
      },
    });
    const env = { HOLDFAST_HOME: dirname(socketPath) };
    const argv = ['conflict', 'resolve', 'photos/a', '--keep', 'local'];
    const running = startCli(argv, { env, clock });
    await until(
      () => {
        clock.advance(1_000);
        return running.stderr.text;
      },
      (text) => text !== '',
    );
    finished.resolve(undefined);
    expect(await running.exitCode).toBe(0);
    expect(running.stderr.text).toBe('2 conflicts left\n');
  });
});
