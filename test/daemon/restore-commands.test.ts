/**
 * Tests of restore, undo, history, verify and test. One daemon is the remote service of another
 * home, and also has its own job.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import type { Result } from '../../src/control/messages.ts';
import { systemClock } from '../../src/base/clock.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { runCliHere, runCli, jsonOf, eventsOf } from '../helpers/run-cli.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { makeTree } from '../helpers/tree.ts';
import { picture } from '../helpers/tree-picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-restore-'));
const serviceHome = join(folder, 'service');
let service: DaemonHere;
let credentials: Result<'credentials'>;

beforeAll(async () => {
  makeHome(serviceHome);
  service = await startDaemonHere(serviceHome);
  credentials = await service.client.call('credentials', {});
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const secrets = () => ({
  HOLDFAST_TARGET_ACCESS_KEY_ID: credentials.accessKeyId,
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

describe('a restore on a new computer', () => {
  it('after the loss of a computer, an access key is sufficient to restore every file with its content and metadata', async () => {
    const root = join(folder, 'papers');
    const home = join(folder, 'lost');
    makeTree(root, 120);
    mkdirSync(join(root, 'private'), { mode: 0o700 });
    writeFileSync(join(root, 'private/run'), '#!/bin/sh', { mode: 0o751 });
    symlinkSync('../private/run', join(root, 'folder 0/link'));
    execFileSync('touch', ['-d', '1969-12-30T10:00:00.123456789Z', join(root, 'private/run')]);
    makeHome(home);
    const up = ['up', root, '--once', '--to', credentials.endpointUrl, '--home', home];
    expect(await runCliHere(up, { env: secrets() })).toMatchObject({ exitCode: 0 });
    const before = picture(root);
    rmSync(home, { recursive: true });
    rmSync(root, { recursive: true });

    const from = ['restore', '--from', `${credentials.endpointUrl}/papers`, '--to', root];
    const empty = ['--home', join(folder, 'empty')];
    const plan = await runCliHere([...from, '--dry-run', ...empty], { env: secrets() });
    expect(plan).toMatchObject({ exitCode: 0, stderr: '' });
    expect(plan.stdout).toContain('122 files');
    const restored = await runCliHere([...from, ...empty], { env: secrets() });
    expect(withoutProgress(restored)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(picture(root)).toEqual(before);
  });

  it('special mode bits are restored only with --trust-attributes, and otherwise the report lists the affected files', async () => {
    const root = join(folder, 'tools');
    const home = join(folder, 'lost-tools');
    mkdirSync(root);
    writeFileSync(join(root, 'run'), '#!/bin/sh');
    chmodSync(join(root, 'run'), 0o4711);
    makeHome(home);
    const up = ['up', root, '--once', '--to', credentials.endpointUrl, '--home', home];
    expect(await runCliHere(up, { env: secrets() })).toMatchObject({ exitCode: 0 });
    const restored = async (name: string, ...options: string[]) => {
      const to = join(folder, name);
      const from = ['restore', '--from', `${credentials.endpointUrl}/tools`, '--to', to];
      const empty = ['--home', join(folder, 'empty')];
      const env = secrets();
      const result = await runCliHere([...from, ...options, ...empty], { env });
      return { ...withoutProgress(result), mode: statSync(join(to, 'run')).mode & 0o7777 };
    };
    const plain = await restored('plain');
    expect(plain).toMatchObject({ exitCode: 3, mode: 0o711 });
    expect(plain.stdout).toMatch(/special mode bits .* not restored, .*: 1 path\n {2}run\n/);
    expect(plain.stderr).toContain('--trust-attributes');
    expect(jsonOf((await restored('told', '--json')).stdout)).toMatchObject({
      unproven: { count: 1, paths: ['run'] },
    });
    expect(await restored('whole', '--trust-attributes')).toMatchObject({
      exitCode: 0,
      mode: 0o4711,
    });
  });

  it.each([
    ['no access key is configured', [], 'no credentials'],
    ['the URL contains no bucket name', ['--from', 'ENDPOINT'], 'this key may list: papers'],
    [
      'the bucket does not exist',
      ['--from', 'ENDPOINT/nowhere'],
      'bucket "nowhere" does not exist',
    ],
    [
      'the prefix is misspelled',
      ['--from', 'ENDPOINT/papers/nopref'],
      'folders in that bucket: papers/folder 0/',
    ],
    ['both --from and a job are given', ['photos'], 'cannot use --from with JOB'],
  ])('`restore` fails with an error that names the problem: %s', async (_, argv, words) => {
    const place = argv.map((each) => each.replace('ENDPOINT', credentials.endpointUrl));
    const from = place.includes('--from') ? [] : ['--from', `${credentials.endpointUrl}/papers`];
    const { exitCode, stderr } = await runCli(
      ['restore', ...from, ...place, '--to', join(folder, 'none'), '--home', join(folder, 'empty')],
      { env: words === 'no credentials' ? {} : secrets(), clock: systemClock },
    );
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(words);
  });
});

describe('the commands of a job that restore and compare files', () => {
  const root = join(folder, 'notes');
  const home = ['--home', serviceHome];
  const cliIn = (cwd: string, ...argv: string[]) =>
    runCli([...argv, ...home], { clock: systemClock, cwd });
  const cli = (...argv: string[]) => cliIn(folder, ...argv);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  let first: string;

  beforeAll(async () => {
    mkdirSync(join(root, 'letters'), { recursive: true });
    write('plan', 'one');
    write('letters/ann', 'dear ann');
    expect(await cli('job', 'add', root)).toMatchObject({ exitCode: 0 });
    expect(await cli('wait', '--timeout', '1m')).toMatchObject({ exitCode: 0 });
    first = new Date().toISOString();
    write('plan', 'two, and longer');
    rmSync(join(root, 'letters'), { recursive: true });
    write('new', 'later');
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
  });

  it('`history --at` lists the files of a job at an earlier time, and `diff --from` compares them with the current files', async () => {
    const was = await cli('history', root, '--at', first, '--json');
    const { job, entries } = jsonOf(was.stdout) as { job: string; entries: { path: string }[] };
    const paths = entries.map(({ path }) => path);
    expect([was.exitCode, job, paths]).toEqual([0, 'notes', ['letters/ann', 'plan']]);
    const { stdout } = await cli('diff', '--from', first);
    const compared = jsonOf((await cli('diff', '--from', first, '--json')).stdout);
    expect(compared).toMatchObject({
      job: 'notes',
      differences: [
        { path: 'letters/ann', is: 'removed' },
        { path: 'new', is: 'added' },
        { path: 'plan', is: 'changed' },
      ],
    });
    expect(stdout).toMatch(
      /^1 added .*, 1 changed .*, 1 removed .*, 0 moved\n- letters\/ann .*\n\+ new .*\n~ plan /,
    );
    const added = await cli('diff', join(root, 'new'), '--from', first, '--to', 'now');
    expect(added.stdout).toMatch(
      /^--- new \(did not exist at .*\)\n\+\+\+ new~0\t.*\n@@ .*\n\+later\n/,
    );
  });

  it('`restore --in-place` restores a folder, `undo` restores a file, and --exact restores the state of the whole folder', async () => {
    const letters = ['restore', join(root, 'letters'), '--in-place', '--at', first];
    expect((await cli(...letters, '--dry-run')).stdout).toContain('+ ann');
    expect(existsSync(join(root, 'letters'))).toBe(false);
    expect(withoutProgress(await cli(...letters))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('letters/ann')).toBe('dear ann');

    expect((await cli('undo', join(root, 'plan'), '--dry-run')).stdout).toContain('current again');
    const undone = await cli('undo', join(root, 'plan'));
    expect(withoutProgress(undone)).toMatchObject({ exitCode: 0, stderr: '' });
    expect([read('plan'), undone.stdout]).toEqual([
      'one',
      expect.stringMatching(/^plan: the version of .* is current again/),
    ]);

    const exact = await cli('restore', 'notes', '--in-place', '--at', first, '--exact', '--json');
    const report = jsonOf(exact.stdout) as Result<'restore.run'>;
    expect(report).toMatchObject({ kept: 2, aside: 1, problemCount: 0 });
    expect(report.asideFolder).toBeUndefined();
    expect((await cli('history', join(root, 'new'))).stdout).toContain('5 B');
    expect(readdirSync(root).sort()).toEqual(['letters', 'plan']);
    const { runs } = await service.client.call('restores.list', {});
    expect(runs).toMatchObject([
      { job: 'notes', state: 'done', to: root, problemCount: 0 },
      { path: 'plan', isUndo: true, state: 'done' },
      { path: 'letters', state: 'done' },
    ]);
    const again = await service.client.call('restores.wait', { id: runs[0]?.id ?? '' });
    expect(again).toMatchObject({ kept: 2, aside: 1 });
  });

  it('`restore JOB/PATH` selects that path of the job from any current directory', async () => {
    const planned = async (cwd: string, typed: string) => {
      const rows = await cliIn(cwd, 'restore', typed, '--in-place', '--dry-run', '--json');
      return [rows.exitCode, eventsOf(rows.stdout), jsonOf(rows.stdout), rows.stderr];
    };
    const to = join(root, 'letters');
    const counts = { new: 0, replace: 0, keep: 1, later: 0, problem: 0 };
    const row = expect.objectContaining({ path: 'ann', is: 'keep' }) as object;
    const ann = [0, [row], { to, bytes: 0, ...counts }, ''];
    expect(await planned('/', 'notes/letters')).toEqual(ann);
    expect(await planned('/', 'notes//letters/')).toEqual(ann);
    // In this directory, notes/letters is also a path in the file system, and it selects the same
    // files.
    expect(await planned(folder, 'notes/letters')).toEqual(ann);
    expect((await cliIn('/', 'history', 'notes/letters', '--at', first)).stdout).toContain(
      'letters/ann',
    );
    expect((await cliIn('/', 'undo', 'notes/plan', '--dry-run')).stdout).toContain('current again');
  });

  it('`restore JOB PATH...` restores only these paths, and keeps their relative paths below the destination', async () => {
    const workFolder = join(root, 'work');
    mkdirSync(join(workFolder, 'drafts'), { recursive: true, mode: 0o700 });
    for (const name of ['drafts/a', 'drafts/b', 'c']) write(`work/${name}`, name);
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
    const to = join(folder, 'selected');
    const argv = ['restore', 'notes', 'plan', 'work/drafts/', 'work/drafts/a', '--to', to];
    const planned = await cli(...argv, '--dry-run', '--json');
    expect(jsonOf(planned.stdout)).toMatchObject({ to, new: 3 });
    expect(await cli(...argv)).toMatchObject({ exitCode: 0 });
    const restored = (readdirSync(to, { recursive: true }) as string[]).toSorted();
    const work = ['work', 'work/drafts', 'work/drafts/a', 'work/drafts/b'];
    expect(restored).toEqual(['plan', ...work]);
    expect(statSync(join(to, 'work')).mode & 0o777).toBe(0o700);
    rmSync(join(root, 'work', 'c'));
    const below = ['restore', workFolder, 'c', 'drafts/b', '--in-place'];
    const now = new Date().toISOString();
    expect(await cli(...below, '--at', now)).toMatchObject({ exitCode: 0 });
    expect(read('work/c')).toBe('c');
    rmSync(workFolder, { recursive: true });
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
  });

  it('`restore JOB PATH...` writes nothing if a path is not stored or is outside the folder of the job', async () => {
    const to = join(folder, 'not-selected');
    const refused = async (code: number, words: string, ...argv: string[]) => {
      const { exitCode, stderr } = await cli('restore', ...argv, '--to', to);
      expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
      expect(existsSync(to)).toBe(false);
    };
    await refused(1, 'no object is stored at notes/nothere', 'notes', 'plan', 'nothere');
    await refused(2, 'not a path below the folder', 'notes', '../plan');
    await refused(2, 'not a path below the folder', 'notes', join(root, 'plan'));
    await refused(2, 'cannot use ~N or --exact with several paths', 'notes', 'plan', '--exact');
    await refused(2, 'cannot use ~N or --exact with several paths', 'notes/letters~1', 'ann');
  });

  it('`restore JOB/PATH` is refused if the argument is also another path in the folder of a job', async () => {
    const { exitCode, stderr } = await cliIn(root, 'restore', 'notes/letters', '--in-place');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`"notes/letters" is ambiguous: ${root}/letters or ${root}/notes/let`);
    expect(stderr).toContain('write ./notes/letters or the absolute path');
    const outside = await cliIn('/', 'restore', 'notes/../plan', '--in-place');
    expect(outside.stderr).toContain('"notes/../plan" is outside the folder of its job');
  });

  it('`restore` and `undo` accept an earlier version as PATH~N, and the object of a file as OBJECT~N', async () => {
    const steps = (...argv: string[]) => cliIn('/', ...argv, '--dry-run', '--json');
    const versions = await service.client.call('versions.list', {
      bucket: 'notes',
      prefix: 'plan',
    });
    const contents = ['one', 'two, and longer', 'one'];
    expect(versions.versions.map(({ sizeBytes }) => sizeBytes)).toEqual(
      contents.map(({ length }) => length),
    );
    for (const [back, typed] of [join(root, 'plan'), 'notes/plan', 'local:notes/plan'].entries()) {
      const to = join(folder, `back-${back}`);
      const restored = await cliIn('/', 'restore', `${typed}~${back}`, '--to', to);
      expect([restored.exitCode, restored.stderr]).toEqual([0, expect.any(String)]);
      expect(readFileSync(join(to, 'plan'), 'utf8')).toBe(contents[back]);
      const { stdout } = await steps('undo', `${typed}~${back}`);
      expect(jsonOf(stdout)).toMatchObject({
        steps: [{ path: 'plan', versionId: versions.versions[back]?.versionId }],
      });
    }
    const planned = await steps('restore', join(root, 'plan~1'), '--in-place');
    expect(eventsOf(planned.stdout)).toMatchObject([{ path: 'plan', is: 'replace' }]);
    expect((await cli('diff', join(root, 'plan~1'))).stdout).toMatch(
      /^--- plan~1\t.*\n\+\+\+ plan~0\t.*\n@@ .*\n-two, and longer\n.*\n\+one\n/,
    );
  });

  it('`restore` and `undo` refuse ~N if the version does not exist, is a delete marker or is also a file name', async () => {
    const to = ['--to', join(folder, 'nothing')];
    const missing = await cli('restore', join(root, 'plan~9'), ...to);
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/versions.* is 3/),
    ]);
    const marker = await cli('undo', join(root, 'new~0'));
    expect([marker.exitCode, marker.stderr]).toEqual([1, expect.stringContaining('delete marker')]);
    await service.client.call('jobs.pause', { name: 'notes' });
    const key = 'plan~1';
    const { stream } = await service.client.call('objects.put', { bucket: 'notes', key });
    await service.client.upload(stream, Readable.from([Buffer.from('x')]));
    await service.client.call('objects.put.wait', { stream });
    const both = await cli('restore', join(root, key), ...to);
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      expect.stringContaining('for the file with this exact name: plan~1~0'),
    ]);
    const { objects } = await service.client.call('objects.list', { bucket: 'notes', prefix: key });
    expect(objects).toHaveLength(1);
    await service.client.call('objects.delete', { bucket: 'notes', key });
    await service.client.call('jobs.resume', { name: 'notes' });
    expect((await cli('restore', 'local:other/plan', ...to)).stderr).toContain(
      'no job backs up to local:other/plan',
    );
    const times = await cli('restore', join(root, 'plan~1'), '--at', '1h ago', ...to);
    expect([times.exitCode, times.stderr]).toEqual([
      2,
      expect.stringContaining('cannot use --at or --exact with'),
    ]);
  });

  it('`restore` refuses a destination folder that a job backs up', async () => {
    const { exitCode, stderr } = await cli('restore', 'notes', '--to', join(root, 'inner'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`it is inside ${root}, which job notes backs up`);
    expect(existsSync(join(root, 'inner'))).toBe(false);
  });

  it('a restore on the computer that uploaded a file also restores the special mode bits of that file', async () => {
    write('shared', 'x');
    chmodSync(join(root, 'shared'), 0o2750);
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
    const to = join(folder, 'back-with-bits');
    expect(await cli('restore', join(root, 'shared'), '--to', to)).toMatchObject({ exitCode: 0 });
    expect(statSync(join(to, 'shared')).mode & 0o7777).toBe(0o2750);
    rmSync(join(root, 'shared'));
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
  });

  it('`verify` checks a job, and `test` restores some of its files as a restore test', async () => {
    expect(await cli('wait')).toMatchObject({ exitCode: 0 });
    const verified = await cli('verify', '--read-back');
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.stdout).toContain('each matches the checksum of its current version');
    expect((await cli('test', 'notes')).stdout).toContain('2 files, 11 B: restored unchanged');
    const { stdout: status } = await cli('status');
    expect(status).toContain('proven restorable');
    expect(status).toContain('proved 100 % of the files and 100 % of the bytes within 30 days');
    await service.client.call('jobs.pause', { name: 'notes' });
    await service.client.call('objects.delete', { bucket: 'notes', key: 'plan' });
    const { exitCode, stdout } = await cli('verify', 'notes');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('plan: missing')]);
  });

  it('`history` and `lock why` name the rule that excludes a file', async () => {
    const code = join(folder, 'code');
    mkdirSync(code);
    const files = {
      '.holdfastignore': '# output\n*.o\n',
      'main.c': 'c',
      'main.o': 'o',
      'a.tmp': 't',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(code, name), text);
    expect(await cli('job', 'add', code, '--exclude', '*.tmp')).toMatchObject({ exitCode: 0 });
    expect(await cli('wait', 'code')).toMatchObject({ exitCode: 0 });
    const byRules = `excluded by the pattern "*.o" in line 2 of ${code}/.holdfastignore`;
    const byJob = 'excluded by the pattern "*.tmp" in `exclude` of the job (config.yaml)';
    for (const [name, reason] of [
      ['main.o', byRules],
      ['a.tmp', byJob],
    ] as const)
      for (const command of [['history'], ['lock', 'why']]) {
        const { exitCode, stderr } = await cli(...command, join(code, name));
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`it is ${reason}`)]);
      }
    expect((await cli('history', join(code, 'main.c'))).stderr).not.toContain('excluded');
    const edited = await cli('job', 'edit', 'code', 'exclude=["*.tmp", "*.c"]');
    expect(edited).toMatchObject({ exitCode: 0 });
    const reason = 'excluded by the pattern "*.c" in `exclude` of the job';
    const { exitCode, stdout, stderr } = await cli('history', join(code, 'main.c'));
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('this computer')]);
    expect(stderr).toContain(`no new version is uploaded: it is ${reason}`);
    expect((await cli('lock', 'why', 'code/main.c')).stdout).toContain(reason);
    const why = await cli('lock', 'why', 'code/main.c', '--json');
    expect(jsonOf(why.stdout)).toMatchObject({ excluded: { path: 'main.c', pattern: '*.c' } });
    expect(await cli('job', 'remove', 'code', '--yes')).toMatchObject({ exitCode: 0 });
  });

  it('`history` shows the problem of a file that cannot be backed up', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await cli('job', 'resume', 'notes');
    await cli('wait', 'notes');
    const { exitCode, stderr } = await cli('history', join(root, 'pipe'));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a socket, pipe or device')]);
    rmSync(join(root, 'pipe'));
  });

  it.each([
    ['a path outside all job folders', ['undo', '/nowhere/else'], 'neither a job nor a path'],
    ['a restore without a destination', ['restore', 'notes'], '--in-place'],
    ['an undo of a whole job', ['undo', 'notes'], 'name a path'],
    ['an invalid time', ['history', '--at', 'soon'], 'invalid time'],
    ['too many arguments', ['diff', 'notes', 'more', 'most'], 'too many arguments'],
    [
      'a second version together with --to',
      ['diff', 'a~1', 'a', '--to', 'now'],
      'cannot use --from or --to',
    ],
    [
      'two periods',
      ['history', 'notes', '--day', 'today', '--to', 'now'],
      'cannot use --day with --from or --to',
    ],
    ['no path', ['history'], 'history PATH'],
  ])(
    'the commands restore, undo, history and diff refuse %s with a hint',
    async (_, argv, words) => {
      const { exitCode, stderr } = await cli(...argv);
      expect(exitCode).toBeGreaterThan(0);
      expect(stderr).toContain(words);
    },
  );
});
