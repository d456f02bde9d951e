/** Tests of `history` and `diff` with a real daemon, its store and the folder of a job. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { jsonOf, runCli } from '../helpers/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-history-'));
const root = join(folder, 'notes');
const home = join(folder, 'home');
const file = (path: string) => join(root, path);
const write = (path: string, content: string | Buffer) => writeFileSync(file(path), content);
let daemon: DaemonHere;

const cli = (...argv: string[]) =>
  runCli([...argv, '--home', home], { clock: systemClock, cwd: folder });

async function settled() {
  expect(await cli('wait', 'notes', '--timeout', '1m')).toMatchObject({ exitCode: 0 });
}

async function put(key: string, content: string) {
  const { stream } = await daemon.client.call('objects.put', { bucket: 'notes', key });
  await daemon.client.upload(stream, Readable.from([Buffer.from(content)]));
  await daemon.client.call('objects.put.wait', { stream });
}

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonHere(home);
  mkdirSync(file('letters'), { recursive: true });
  write('plan.md', 'one\ntwo\nthree\n');
  write('letters/ann', 'dear ann');
  write('pic', Buffer.from([0, 1, 2, 3]));
  const lock = 'lock={mode: GOVERNANCE, days: 30}';
  expect(await cli('job', 'add', root)).toMatchObject({ exitCode: 0 });
  await settled();
  expect(await cli('job', 'edit', 'notes', lock)).toMatchObject({ exitCode: 0 });
  write('plan.md', 'one\nzwei\nthree\n');
  write('pic', Buffer.from([0, 1, 2, 4]));
  mkdirSync(file('moved'));
  renameSync(file('letters/ann'), file('moved/ann'));
  await settled();
  rmSync(file('plan.md'));
  await settled();
  write('plan.md', 'one\nzwei\nthree and more\n');
  await settled();
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('`history` of a file', () => {
  it('`history` of a file lists versions and deletions with age, date, size, size difference, writer, lock and number', async () => {
    const { exitCode, stdout, stderr } = await cli('history', file('plan.md'));
    const lines = stdout.split('\n');
    expect([exitCode, lines.length]).toEqual([0, 6]);
    expect(lines[0]).toMatch(/^N +WHEN +DATE +SIZE +CHANGE +WRITTEN BY +LOCK$/);
    const row = (text: string) => new RegExp(`^${text}$`);
    const time = String.raw` +\d.* ago  20\d\d-\d\d-\d\d \d\d:\d\d +`;
    const until = String.raw` +GOVERNANCE until 20\d\d-\d\d-\d\d`;
    expect(lines[1]).toMatch(row(`0${time}24 B +\\+24 B  this computer${until}`));
    expect(lines[2]).toMatch(row(`1${time}deleted +–`));
    expect(lines[3]).toMatch(row(`2${time}15 B +\\+1 B  this computer${until}`));
    expect(lines[4]).toMatch(row(`3${time}14 B +\\+14 B  this computer(?:${until})?`));
    expect(stderr).toContain('versions of plan.md (job notes)');
    expect(stderr).toContain(`holdfast --home ${home} undo ${file('plan.md')}~N`);
  });

  it('the number N in the output of `history` selects the same version as PATH~N', async () => {
    const { stdout } = await cli('history', file('plan.md'), '--json');
    const { job, path, isComplete, versions } = jsonOf(stdout) as {
      job: string;
      path: string;
      isComplete: boolean;
      versions: { back: number; kind: string; versionId: string; writer: string }[];
    };
    expect([job, path, isComplete]).toEqual(['notes', 'plan.md', true]);
    expect(versions.map(({ back, kind }) => `${back} ${kind}`)).toEqual([
      '0 version',
      '1 delete-marker',
      '2 version',
      '3 version',
    ]);
    const plan = await cli('undo', `${file('plan.md')}~3`, '--dry-run', '--json');
    expect(jsonOf(plan.stdout)).toMatchObject({ steps: [{ versionId: versions[3]?.versionId }] });
  });

  it('`history` distinguishes versions of this computer, of another computer and of another client', async () => {
    await daemon.client.call('jobs.pause', { name: 'notes' });
    write('whose', 'mine');
    await daemon.client.call('jobs.resume', { name: 'notes' });
    await settled();
    await daemon.client.call('jobs.pause', { name: 'notes' });
    await put('whose', 'theirs');
    const from = { bucket: 'notes', key: 'plan.md' };
    const to = { bucket: 'notes', key: 'whose' };
    await daemon.client.call('objects.copy', { from, to, overwrite: true });
    const { stdout } = await cli('history', file('whose'), '--json');
    const { versions } = jsonOf(stdout) as { versions: { writer: string }[] };
    // The metadata was copied from another key. Its signature covers the key, so it does not prove
    // that this job wrote the object.
    expect(versions.map(({ writer }) => writer)).toEqual([
      'other-computer',
      'other-client',
      'this-job',
    ]);
    await daemon.client.call('jobs.resume', { name: 'notes' });
    rmSync(file('whose'));
    await settled();
  });

  it('`history` prints a lock that does not fit into the line of its version on a separate line', async () => {
    const { stdout } = await runCli(['history', file('plan.md'), '--home', home], {
      clock: systemClock,
      cwd: folder,
      env: { NO_COLOR: '1' },
      columns: 80,
    });
    expect(stdout).toMatch(/\n {6}lock: GOVERNANCE until 20/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('`history` of a folder', () => {
  it('`history` of a folder lists the changes of each day, and counts a renamed file as moved', async () => {
    const { exitCode, stdout } = await cli('history', root, '--json');
    const { job, days } = jsonOf(stdout) as { job: string; days: Record<string, number>[] };
    expect([exitCode, job, days.length]).toEqual([0, 'notes', 1]);
    expect(days[0]).toMatchObject({ moved: 1, removed: 1 });
    const text = await cli('history', root);
    expect(text.stdout).toMatch(/^DAY +ADDED +CHANGED +REMOVED +MOVED +UPLOADED\n20/);
    expect(text.stderr).toContain(`holdfast --home ${home} history ${root} --day 20`);
  });

  it('`history` with --day or --from lists the files that changed, newest change first', async () => {
    const { stdout } = await cli('history', 'notes', '--day', 'today');
    expect(stdout).toMatch(/^\d added, \d changed, 1 removed, 1 moved; .* uploaded\n/);
    expect(stdout).toContain('> letters/ann → moved/ann');
    const { stdout: json } = await cli('history', 'notes', '--from', '1h ago', '--json');
    const { changes } = jsonOf(json) as { changes: { path: string; at: number; is: string }[] };
    const times = changes.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(changes).toContainEqual(
      expect.objectContaining({ is: 'moved', path: 'moved/ann', movedFrom: 'letters/ann' }),
    );
  });

  it('`history` of a deleted folder still lists its changes', async () => {
    const { stdout } = await cli('history', file('letters'), '--from', '1h ago');
    expect(stdout).toMatch(/^1 added, 0 changed, 1 removed, 0 moved/);
  });
});

describe('`diff` of a file', () => {
  it('`diff` of a text file shows the changed lines, and the names of the compared versions', async () => {
    const { exitCode, stdout } = await cli('diff', `${file('plan.md')}~3`, `${file('plan.md')}~2`);
    expect([exitCode, stdout.replaceAll(/\t.*/g, '')]).toEqual([
      0,
      '--- plan.md~3\n+++ plan.md~2\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n',
    ]);
  });

  it('`diff` by default compares the previous version with the current version, even if the previous version is a delete marker', async () => {
    const { stdout } = await cli('diff', file('plan.md'));
    expect(stdout).toMatch(
      /^--- plan\.md~1 \(deleted 20.*\)\n\+\+\+ plan\.md~0\t.*\n@@ -0,0 \+1,3/,
    );
  });

  it('`diff` compares the local file with the current version if the contents differ', async () => {
    await daemon.client.call('jobs.pause', { name: 'notes' });
    write('plan.md', 'one\nzwei\nthree and even more\n');
    const { stdout } = await cli('diff', file('plan.md'));
    expect(stdout).toContain('--- plan.md~0\t');
    expect(stdout).toContain(`+++ ${file('plan.md')} (local file)\t`);
    expect(stdout).toContain('-three and more\n+three and even more\n');
    rmSync(file('plan.md'));
    const gone = await cli('diff', file('plan.md'));
    expect(gone.stdout).toContain(`+++ ${file('plan.md')} (the local file does not exist)\n`);
    write('plan.md', 'one\nzwei\nthree and more\n');
    await daemon.client.call('jobs.resume', { name: 'notes' });
    await settled();
  });

  it('`diff` shows sizes and hashes if the content is not text', async () => {
    const { stdout } = await cli('diff', file('pic'));
    expect(stdout).toMatch(
      /^--- pic~1 {2}4 bytes .*\n {4}SHA-256 [0-9a-f]{64}\n\+\+\+ pic~0 {2}4 bytes .*\n {4}SHA-256 /,
    );
    expect(stdout).toContain('the content differs; the content is not UTF-8 text\n');
    const { stdout: json } = await cli('diff', file('pic'), '--json');
    expect(jsonOf(json)).toMatchObject({ job: 'notes', path: 'pic', is: 'other', before: {} });
  });

  it('`diff` shows sizes and hashes of a text that exceeds the size limit, and names the limit', async () => {
    write('large', 'x\n');
    await settled();
    truncateSync(file('large'), 5_000_000);
    await settled();
    const { stdout } = await cli('diff', file('large'));
    expect(stdout).toContain('5,000,000 bytes');
    expect(stdout).toContain('the lines of files larger than 4.19 MB are not compared');
    rmSync(file('large'));
    await settled();
  });

  it('`diff` colours the lines on a terminal unless NO_COLOR is set, and escapes control characters', async () => {
    write('odd', 'a\tb\n\u001b[2J\r\n');
    await settled();
    const shown = (env: Record<string, string>) =>
      runCli(['diff', file('odd'), '--home', home], {
        clock: systemClock,
        cwd: folder,
        columns: 80,
        env,
      });
    expect((await shown({})).stdout).toContain('\u001b[32m+a\tb\u001b[39m\n');
    const plain = (await shown({ NO_COLOR: '1' })).stdout;
    expect(plain).toContain('+a\tb\n+\\x1b[2J\n');
    rmSync(file('odd'));
    await settled();
  });

  it('`diff --json` returns both versions, the numbers of changed lines, and the hunks', async () => {
    const sides = [`${file('plan.md')}~3`, `${file('plan.md')}~2`];
    const { stdout } = await cli('diff', ...sides, '--json');
    expect(jsonOf(stdout)).toMatchObject({
      job: 'notes',
      path: 'plan.md',
      is: 'text',
      before: { is: 'version', label: 'plan.md~3', sizeBytes: 14 },
      after: { is: 'version', label: 'plan.md~2', sizeBytes: 15 },
      linesAdded: 1,
      linesRemoved: 1,
      hunks: [{ oldStart: 1, newStart: 1 }],
    });
  });
});

describe('`diff` of a folder', () => {
  it('`diff` of a folder prints the totals, and then the added, changed, removed and moved files', async () => {
    const early = new Date(Date.now() - 3_600_000).toISOString();
    const { stdout } = await cli('diff', root, '--from', early);
    expect(stdout).toMatch(/^\d added \(.*\), 0 changed, 0 removed, 0 moved; 1 folder\n/);
    const after = new Date().toISOString();
    write('fresh', 'fresh');
    renameSync(file('moved/ann'), file('ann'));
    await settled();
    const changed = await cli('diff', root, '--from', after);
    expect(changed.stdout).toMatch(/^1 added \(5 B\), 0 changed, 0 removed, 1 moved; 1 folder\n/);
    expect(changed.stdout).toContain('> moved/ann → ann  8 B\n');
    expect(changed.stdout).toContain('+ fresh  5 B\n');
    const { stdout: json } = await cli('diff', root, '--from', after, '--json');
    expect(jsonOf(json)).toMatchObject({ job: 'notes', totals: { added: 1, moved: 1 } });
  });
});

test('`history` and `diff` accept paths of a job whose bucket is on a remote service', async () => {
  const service = await startDaemonHere(join(folder, 'service'));
  onTestFinished(() => service.stop());
  const { accessKeyId, secretAccessKey, endpointUrl } = await service.client.call(
    'credentials',
    {},
  );
  const remote = join(folder, 'remote');
  mkdirSync(remote);
  const settle = async (content: string) => {
    writeFileSync(join(remote, 'a'), content);
    expect(await cli('wait', 'remote', '--timeout', '1m')).toMatchObject({ exitCode: 0 });
  };
  writeFileSync(join(remote, 'a'), 'one\n');
  const env = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
  };
  for (const argv of [
    ['target', 'add', 'eu', endpointUrl],
    ['job', 'add', remote, '--target', 'eu'],
  ]) {
    const added = await runCli([...argv, '--home', home], { clock: systemClock, cwd: folder, env });
    expect(added).toMatchObject({ exitCode: 0 });
  }
  await settle('one\n');
  await settle('two\n');
  expect((await cli('history', join(remote, 'a'))).stdout).toMatch(/\n1 .* 4 B +\+4 B/);
  expect((await cli('history', remote)).stdout).toMatch(/^DAY.*\n20\S+ +1 +1 /);
  expect((await cli('diff', `${join(remote, 'a')}~1`)).stdout).toContain('-one\n+two\n');
  expect((await cli('diff', remote)).stdout).toContain('1 added');
});

it('`history` shows the old and the new name of each move if a file was moved, moved back and moved again', async () => {
  const rows = async (path: string) => {
    const { stdout } = await cli('history', file(path), '--json');
    const { versions } = jsonOf(stdout) as {
      versions: { movedFrom?: string; movedTo?: string }[];
    };
    return versions.map(({ movedFrom: from, movedTo: to }) => `${from ?? ''}>${to ?? ''}`);
  };
  mkdirSync(file('turns'));
  write('turns/a', 'alpha');
  await settled();
  renameSync(file('turns/a'), file('turns/b'));
  await settled();
  expect(await cli('undo', file('turns/b'))).toMatchObject({ exitCode: 0 });
  await settled();
  expect(await rows('turns/a')).toEqual(['turns/b>', '>turns/b', '>']);
  const { stdout } = await cli('history', file('turns'), '--day', 'today');
  expect(stdout).toMatch(/^1 added, 0 changed, 0 removed, 2 moved;/);
  expect(stdout.match(/(?<=[+>-] )turns.*/g)).toEqual([
    'turns/b → turns/a',
    'turns/a → turns/b',
    'turns/a',
  ]);
  expect(await cli('undo', '--redo', 'notes')).toMatchObject({ exitCode: 0 });
  await settled();
  expect(await rows('turns/b')).toEqual(['turns/a>', '>turns/a', 'turns/a>']);
  const { stdout: text } = await cli('history', file('turns/a'));
  expect(text).toMatch(
    /^0 .* deleted .* –.*\n {6}moved to turns\/b\n1 .*\n {6}moved from turns\/b\n/m,
  );
});
