/**
 * Tests of `undo` and `undo --redo` with a real daemon. Also tests how a restore in place replaces
 * local files.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { jsonOf, runCli } from '../helpers/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-undo-'));
const home = join(folder, 'home');
const root = join(folder, 'notes');
const at = (path: string) => join(root, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
let daemon: DaemonHere;

const cli = (...argv: string[]) =>
  runCli([...argv, '--home', home], { clock: systemClock, cwd: folder });

function write(path: string, text: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
}

async function settled(): Promise<void> {
  expect(await cli('wait', 'notes', '--timeout', '1m')).toMatchObject({ exitCode: 0 });
}

/** Returns the contents of the versions of a file, newest first. */
async function versions(path: string): Promise<readonly string[]> {
  const { versions: all } = await daemon.client.call('versions.list', {
    bucket: 'notes',
    prefix: path,
  });
  const contents: string[] = [];
  for (const { key, kind, versionId } of all) {
    if (key !== path) continue;
    if (kind === 'delete-marker') {
      contents.push('deleted');
      continue;
    }
    const { stream } = await daemon.client.call('objects.get', { bucket: 'notes', key, versionId });
    let text = '';
    for await (const chunk of daemon.client.download(stream)) text += Buffer.from(chunk).toString();
    contents.push(text);
  }
  return contents;
}

beforeAll(async () => {
  makeHome(home);
  daemon = await startDaemonHere(home);
  mkdirSync(root);
  expect(await cli('job', 'add', root, '--exclude', '*.tmp')).toMatchObject({ exitCode: 0 });
});

beforeEach(async () => {
  await daemon.client.call('jobs.resume', { name: 'notes' });
  for (const name of readdirSync(root)) rmSync(at(name), { recursive: true });
  write('keep', 'a job does not delete all of its files at once');
  await settled();
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('`undo`', () => {
  it('`undo` explains its effect in one line, and prints the command that reverses it', async () => {
    write('explained', 'one');
    await settled();
    write('explained', 'two and more');
    await settled();
    const { exitCode, stdout } = await cli('undo', at('explained'));
    expect([exitCode, read('explained')]).toEqual([0, 'one']);
    expect(stdout).toMatch(
      /^explained: the version of 20.* \(3 B\) is current again, and no version was removed\nto take it back: holdfast --home \S+ undo --redo notes\n$/,
    );
    await settled();
    const back = await cli('undo', '--redo', 'notes');
    expect([back.exitCode, read('explained')]).toEqual([0, 'two and more']);
    expect(back.stdout).toMatch(/^took back the last undo of job notes: explained restored\n/);
    await settled();
    const again = await cli('undo', '--redo', at('explained'));
    expect([again.exitCode, read('explained')]).toEqual([0, 'one']);
    await settled();
    expect(await versions('explained')).toEqual([
      'one',
      'two and more',
      'one',
      'two and more',
      'one',
    ]);
  });

  it('`undo` restores a deleted file, and `undo --redo` removes it again', async () => {
    write('deep/er/gone', 'bytes');
    await settled();
    rmSync(at('deep'), { recursive: true });
    await settled();
    expect(withoutProgress(await cli('undo', at('deep/er/gone')))).toMatchObject({ exitCode: 0 });
    expect(read('deep/er/gone')).toBe('bytes');
    const back = await cli('undo', '--redo', 'notes');
    expect([back.exitCode, existsSync(at('deep'))]).toEqual([0, false]);
    expect(back.stdout).toContain('0 files restored, 3 removed');
    await settled();
    expect((await versions('deep/er/gone'))[0]).toBe('deleted');
  });

  it('`undo` stores local bytes that no version contains before it replaces them, even while the job is paused', async () => {
    write('unsaved', 'one');
    await settled();
    write('unsaved', 'two');
    await settled();
    await daemon.client.call('jobs.pause', { name: 'notes' });
    write('unsaved', 'typed just now');
    const { exitCode, stdout } = await cli('undo', at('unsaved'));
    expect([exitCode, read('unsaved')]).toEqual([0, 'one']);
    expect(stdout).toContain('1 local file that no version had: stored as a version before');
    expect(await versions('unsaved')).toEqual(['one', 'typed just now', 'two', 'one']);
    expect(withoutProgress(await cli('undo', '--redo', 'notes'))).toMatchObject({ exitCode: 0 });
    expect(read('unsaved')).toBe('typed just now');
    expect(readdirSync(folder).sort()).toEqual(['home', 'notes']);
    expect(readdirSync(root).sort()).toEqual(['keep', 'unsaved']);
  });

  it('`undo --at` with a time before the first version changes nothing, and prints the time of the first version', async () => {
    const before = new Date().toISOString();
    await laterMillisecond();
    write('young', 'one');
    await settled();
    const { exitCode, stderr } = await cli('undo', at('young'), '--at', before);
    expect([exitCode, read('young')]).toEqual([1, 'one']);
    expect(stderr).toContain('it did not exist at that time; its first version is from 20');
  });

  it('`undo` moves a moved file back to its earlier name, and `undo --redo` moves it to the new name again', async () => {
    write('d/old name', 'one');
    await settled();
    write('d/old name', 'two');
    await settled();
    const moment = new Date().toISOString();
    await laterMillisecond();
    write('d/old name', 'three');
    await settled();
    renameSync(at('d'), at('e'));
    await settled();
    const plan = await cli('undo', at('e/old name'), '--dry-run');
    expect(plan.stdout).toMatch(
      /^d\/old name: the version of .*, and e\/old name would be removed\n/,
    );
    const { exitCode, stdout } = await cli('undo', at('e/old name'));
    expect([exitCode, read('d/old name'), existsSync(at('e/old name'))]).toEqual([
      0,
      'three',
      false,
    ]);
    expect(stdout).toMatch(
      /^e\/old name: moved back to d\/old name, the version of 20.* \(5 B\), and no version was removed\nto take it back/,
    );
    const back = await cli('undo', '--redo', 'notes', '--json');
    expect(jsonOf(back.stdout)).toMatchObject({ problems: [], files: 1 });
    expect([existsSync(at('d')), read('e/old name')]).toEqual([false, 'three']);
    await settled();
    const past = await cli('undo', at('e/old name'), '--at', moment);
    expect([past.exitCode, read('d/old name'), existsSync(at('e/old name'))]).toEqual([
      0,
      'two',
      false,
    ]);
    await settled();
    expect((await versions('e/old name'))[0]).toBe('deleted');
    expect((await versions('d/old name'))[0]).toBe('two');
  });

  it('`undo` of the earlier name of a moved file restores the file under that name, and prints the name to which it was moved', async () => {
    write('first', 'bytes');
    await settled();
    renameSync(at('first'), at('second'));
    await settled();
    const { exitCode, stdout } = await cli('undo', at('first'));
    expect([exitCode, read('first'), read('second')]).toEqual([0, 'bytes', 'bytes']);
    expect(stdout).toContain('; it also exists as second, to which it was moved\n');
  });

  it('`undo` of the earlier name after `undo --redo` restores the file under that name, and keeps the moved file', async () => {
    write('origin', 'to and fro');
    await settled();
    renameSync(at('origin'), at('target'));
    await settled();
    for (const argv of [[at('target')], ['--redo', 'notes']]) {
      expect(withoutProgress(await cli('undo', ...argv))).toMatchObject({ exitCode: 0 });
      await settled();
    }
    const { exitCode, stdout } = await cli('undo', at('origin'));
    expect([exitCode, read('origin'), read('target')]).toEqual([0, 'to and fro', 'to and fro']);
    expect(stdout).toContain('; it also exists as target, to which it was moved\n');
  });

  it('`undo` does not move a file to the name of its deleted copy', async () => {
    write('good', 'the only one');
    await settled();
    write('later copy', 'the only one');
    await settled();
    rmSync(at('later copy'));
    await settled();
    const { exitCode, stderr } = await cli('undo', at('good'));
    expect([exitCode, read('good'), existsSync(at('later copy'))]).toEqual([
      1,
      'the only one',
      false,
    ]);
    expect(stderr).toContain('it has no older version');
  });

  it('`undo` does not move a file back to a name that another file has now', async () => {
    write('taken', 'mine');
    await settled();
    renameSync(at('taken'), at('moved'));
    await settled();
    write('taken', 'another');
    await settled();
    const { exitCode, stderr } = await cli('undo', at('moved'));
    expect([exitCode, read('taken'), read('moved')]).toEqual([1, 'another', 'mine']);
    expect(stderr).toMatch(/it was moved from taken at 20.*, and another file has that name now/);
  });

  it('`undo` refuses --redo together with a time or --dry-run, and a command line without a path', async () => {
    for (const argv of [['--redo', 'notes', '--dry-run'], ['--redo', '--at', '1h ago'], []]) {
      const { exitCode } = await cli('undo', ...argv);
      expect(exitCode).toBe(2);
    }
  });
});

describe('`restore --in-place`', () => {
  it('`restore --in-place` stores local bytes as a version before it replaces them, and creates no folder beside the folder of the job', async () => {
    write('plan', 'one');
    write('d/later', 'no');
    await settled();
    const moment = new Date().toISOString();
    await laterMillisecond();
    write('plan', 'two');
    write('extra', 'later');
    await settled();
    await daemon.client.call('jobs.pause', { name: 'notes' });
    write('plan', 'three, not stored');
    const restored = await cli(
      'restore',
      'notes',
      '--in-place',
      '--at',
      moment,
      '--exact',
      '--json',
    );
    expect(jsonOf(restored.stdout)).toMatchObject({ aside: 2, saved: 1, problemCount: 0 });
    expect(read('plan')).toBe('one');
    expect(existsSync(at('extra'))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['home', 'notes']);
    expect(await versions('plan')).toEqual(['three, not stored', 'two', 'one']);
    await daemon.client.call('jobs.resume', { name: 'notes' });
    await settled();
    expect(await versions('plan')).toEqual(['one', 'three, not stored', 'two', 'one']);
    const { conflicts } = await daemon.client.call('conflicts.list', {
      job: 'notes',
      limit: 10,
      all: true,
    });
    expect(conflicts).toEqual([]);
  });

  it('`restore --in-place` keeps a file whose bytes cannot be stored, and reports the reason', async () => {
    write('a.txt', 'mirrored');
    await settled();
    const moment = new Date().toISOString();
    await laterMillisecond();
    renameSync(at('a.txt'), at('b.txt'));
    await settled();
    await daemon.client.call('jobs.pause', { name: 'notes' });
    mkdirSync(at('a.txt'));
    write('a.txt/inside', 'a folder is in the way');
    const { exitCode, stdout } = await cli('restore', at('a.txt'), '--in-place', '--at', moment);
    expect([exitCode, read('a.txt/inside')]).toEqual([3, 'a folder is in the way']);
    expect(stdout).toContain('a.txt was a file and is now a folder that is not empty');
    rmSync(at('a.txt'), { recursive: true });
  });
});
