/**
 * Tests of `s3 encrypt`, and of `s3 get` and `s3 put` with customer keys, with a daemon that writes
 * a debug log.
 */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type RunningDaemon, startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { contentsBelow } from '../helpers/store-files.ts';
import { until } from '../helpers/until.ts';

/** Text that is stored only in encrypted form, so no file of the daemon may contain it. */
const TEXT = 'A plain word that must be encrypted.\n';
/** Text that is stored unencrypted before a test encrypts it. */
const OPEN = 'Some text that may be readable.\n';

let daemon: RunningDaemon;
let root: string;
let cwd: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'encrypt-'));
  cwd = mkdtempSync(join(tmpdir(), 'encrypt-files-'));
  writeFileSync(join(root, 'config.yaml'), 'logLevel: debug\nstorage: {port: 0}\n');
  daemon = await startDaemon({ home: resolveHome({ homeFlag: root, env: {}, cwd: '/' }) });
  await run('s3 mb photos --no-versioning');
  await run('s3 mb kept');
  for (const name of ['one.key', 'two.key']) await run(`s3 encrypt new-key ${name}`);
});
afterAll(async () => {
  await daemon.stop('the tests are over');
  for (const dir of [root, cwd]) rmSync(dir, { recursive: true });
});

const run = (line: string, stdin?: string) =>
  runCli(line.split(' '), {
    cwd,
    env: { HOLDFAST_HOME: root },
    ...(stdin !== undefined && { stdin }),
  });
const json = async (line: string) => jsonOf((await run(`${line} --json`)).stdout);
const put = (object: string, key?: string) =>
  key === undefined
    ? run(`s3 put - ${object}`, OPEN)
    : run(`s3 put - ${object} --key-file ${key}`, TEXT);
const get = async (object: string, key?: string) => {
  const { stdout, stderr } = await run(
    `s3 get ${object} -${key === undefined ? '' : ` --key-file ${key}`}`,
  );
  return stderr === '' ? stdout : stderr;
};
const keyOf = (file: string) => readFileSync(join(cwd, file), 'utf8').trim();

describe('`s3 encrypt new-key`', () => {
  it('[ssec-21] `s3 encrypt new-key` creates a file with 32 random bytes that only its owner can read', async () => {
    const { stdout } = await run('s3 encrypt new-key new.key');
    expect(stdout).toContain('Keep a copy elsewhere');
    expect(stdout).not.toContain(keyOf('new.key'));
    expect(Buffer.from(keyOf('new.key'), 'base64').byteLength).toBe(32);
    expect(statSync(join(cwd, 'new.key')).mode & 0o777).toBe(0o600);
    expect(keyOf('new.key')).not.toBe(keyOf('one.key'));
  });

  it('[ssec-21] `s3 encrypt new-key` never overwrites a file', async () => {
    const before = keyOf('one.key');
    const { exitCode, stderr } = await run('s3 encrypt new-key one.key');
    expect({ exitCode, key: keyOf('one.key') }).toEqual({ exitCode: 1, key: before });
    expect(stderr).toContain('it already exists');
  });
});

describe('`s3 put` and `s3 get` with a customer key', () => {
  it('[ssec-21] `s3 put` and `s3 get` encrypt and decrypt with the key in a file, and `s3 get` fails without the key', async () => {
    expect(await put('photos/a', 'one.key')).toMatchObject({ exitCode: 0 });
    expect(await get('photos/a', 'one.key')).toBe(TEXT);
    expect(await get('photos/a')).toMatch(
      /is encrypted under a key of its owner[^]*give the file of the key of the object: --key-file/,
    );
    expect(await get('photos/a', 'two.key')).toContain('encrypted under another key');
    expect(await run('s3 get photos/a out --key-file two.key')).toMatchObject({ exitCode: 1 });
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  it('`s3 put` encrypts a large body of unknown length with the customer key, as a multipart upload', async () => {
    const text = TEXT.repeat(600_000);
    writeFileSync(join(cwd, 'large'), text);
    expect(await run(`s3 put - photos/parts --key-file one.key`, text)).toMatchObject({
      exitCode: 0,
    });
    await run('s3 put large photos/large --key-file one.key');
    for (const name of ['parts', 'large']) {
      await run(`s3 get photos/${name} back-${name} --key-file one.key`);
      expect(readFileSync(join(cwd, `back-${name}`), 'utf8') === text).toBe(true);
    }
  });

  it('`s3 put` and `s3 get` accept a key file with 32 raw bytes', async () => {
    writeFileSync(join(cwd, 'raw.key'), Buffer.from(keyOf('one.key'), 'base64'), { mode: 0o600 });
    await put('photos/raw', 'raw.key');
    expect(await get('photos/raw', 'one.key')).toBe(TEXT);
  });

  it.each([
    ['the file is empty', '', 'it does not contain a key'],
    ['the key is too short', 'AAAA', 'it does not contain a key'],
    ['the key has 31 bytes', Buffer.alloc(31).toString('base64'), 'it does not contain a key'],
    ['the file is too long', 'A'.repeat(5000), 'it does not contain a key'],
    [
      'the file contains two keys',
      `${Buffer.alloc(32).toString('base64')}\n`.repeat(2),
      'it does not contain a key',
    ],
  ])('[ssec-21] `s3 put` refuses an invalid key file: %s', async (name, content, reason) => {
    writeFileSync(join(cwd, name.replaceAll(' ', '-')), content, { mode: 0o600 });
    const { exitCode, stderr } = await put('photos/never', name.replaceAll(' ', '-'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(reason);
    expect(await get('photos/never')).toContain('does not exist');
  });

  it('[ssec-21] `s3 put` and `s3 get` refuse a missing key file, and a key file that other users may read', async () => {
    writeFileSync(join(cwd, 'open.key'), keyOf('one.key'));
    chmodSync(join(cwd, 'open.key'), 0o644);
    const { exitCode, stderr } = await put('photos/never', 'open.key');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('chmod 600') as string,
    });
    expect(await get('photos/a', 'missing.key')).toContain('the file does not exist');
  });
});

describe('`s3 encrypt`', () => {
  it('[ssec-13] the commands of `s3 encrypt` encrypt an object, change its key, and remove the encryption', async () => {
    await put('photos/b');
    expect(await run('s3 encrypt object photos/b --key-file one.key')).toMatchObject({
      exitCode: 0,
      stdout: 'encrypted photos/b\n',
    });
    expect(await get('photos/b', 'one.key')).toBe(OPEN);
    await run('s3 encrypt rotate photos/b --key-file one.key --new-key-file two.key');
    expect(await get('photos/b', 'two.key')).toBe(OPEN);
    expect(await get('photos/b', 'one.key')).toContain('under another key');
    await run('s3 encrypt remove photos/b --key-file two.key --yes');
    expect(await get('photos/b')).toBe(OPEN);
  });

  it('`s3 encrypt` does not change the older version of an object, and reports the id of that version', async () => {
    await put('kept/a');
    const [before] = await versionsOf('kept/a');
    const { stdout } = await run('s3 encrypt object kept/a --key-file one.key');
    expect(stdout).toContain(`holdfast s3 rm kept/a --version-id ${before}`);
    const returned = await json(
      's3 encrypt rotate kept/a --key-file one.key --new-key-file two.key',
    );
    const [now, older] = await versionsOf('kept/a');
    expect(returned).toMatchObject({ versionId: now, olderVersionId: older });
  });

  it.each([
    ['object photos/a --key-file one.key', 'it is encrypted already'],
    ['rotate photos/a --key-file two.key --new-key-file one.key', 'under another key'],
    [
      'rotate photos/plain --key-file one.key --new-key-file two.key',
      'the object is not encrypted',
    ],
    ['remove photos/plain --key-file one.key --yes', 'the object is not encrypted'],
    ['object photos/nothing --key-file one.key', 'does not exist'],
  ])('`s3 encrypt %s` fails', async (line, reason) => {
    await put('photos/a', 'one.key');
    await put('photos/plain');
    const { exitCode, stderr } = await run(`s3 encrypt ${line}`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(reason);
  });

  it.each([
    'encrypt object photos/a',
    'encrypt rotate photos/a --key-file one.key',
    'encrypt remove photos/a',
    'encrypt new-key',
  ])('`s3 %s` is a usage error because arguments are missing', async (line) => {
    expect((await run(`s3 ${line}`)).exitCode).toBe(2);
  });
});

async function versionsOf(object: string): Promise<string[]> {
  const { versions } = (await json(`s3 versions ${object}`)) as {
    versions: { versionId: string }[];
  };
  return versions.map(({ versionId }) => versionId);
}

describe('a job with a customer key', () => {
  const status = async () => {
    const { jobs } = (await json('status')) as { jobs: JobStatus[] };
    return jobs[0];
  };
  /** Writes the job to config.yaml as a user does, and reloads the configuration. */
  const configure = (key: string) => {
    const job = `{name: papers, folder: '${cwd}/papers', bucket: papers, ${key}}`;
    writeFileSync(join(root, 'config.yaml'), `logLevel: debug\nstorage: {port: 0}\njobs: [${job}]`);
    daemon.reload();
  };
  const failed = (reason: string) =>
    until(status, (job) => job?.state === 'failed' && job.reason?.includes(reason) === true);

  it('[ssec-21] a job encrypts objects with a key from a file or a command, and fails with another key', async () => {
    mkdirSync(join(cwd, 'papers/empty'), { recursive: true });
    writeFileSync(join(cwd, 'papers/plan'), TEXT);
    configure(`customerKey: {file: '${join(cwd, 'open.key')}'}`);
    await failed('other users may read or change it');
    expect((await run('restore papers --to back')).stderr).toContain('other users may read');
    configure(`customerKey: {file: '${join(cwd, 'one.key')}'}`);
    await until(status, (job) => job?.inSync === true);
    expect((await run('job show papers')).stdout).toContain('with a customer key from a file');
    expect(await get('papers/plan')).toContain('is encrypted under a key');
    expect(await get('papers/plan', 'one.key')).toBe(TEXT);
    configure(`customerKey: {file: '${join(cwd, 'two.key')}'}`);
    await failed("encrypted with a different key than the job's");
    configure('paused: false');
    await failed('the job has none');
    configure(`customerKey: {command: [/bin/cat, '${join(cwd, 'one.key')}']}`);
    await until(status, (job) => job?.inSync === true);
    expect(await run('restore papers --to back')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(cwd, 'back/plan'), 'utf8')).toBe(TEXT);
    expect((await status())?.problems).toEqual([]);
  });

  it('an encrypted job can be restored from its bucket with the key file', async () => {
    const returned = (await json('admin credentials --show-secret')) as Record<string, string>;
    const { endpointUrl, accessKeyId, secretAccessKey } = returned;
    const credentials = join(cwd, 'credentials.json');
    writeFileSync(credentials, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o600 });
    const from = `restore --from ${endpointUrl}/papers --credentials ${credentials}`;
    const without = await run(`${from} --to none`);
    expect(without.exitCode).not.toBe(0);
    expect(without.stdout).toContain('restore empty: ');
    expect(without.stderr).toContain('name the file of the key with --key-file');
    expect(await run(`${from} --key-file one.key --to again`)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(cwd, 'again/plan'), 'utf8')).toBe(TEXT);
  });

  it('a job accepts a new customer key in addition to the previous key, and reads the key files again at each reload', async () => {
    const [current, before] = ['current.key', 'before.key'].map((name) => join(cwd, name));
    const keys = (now: string, then: string) => {
      copyFileSync(join(cwd, now), current ?? '');
      copyFileSync(join(cwd, then), before ?? '');
    };
    keys('two.key', 'one.key');
    configure(`customerKey: {file: '${current}', earlier: [{file: '${before}'}]}`);
    // The test waits for the reload. Otherwise the job could still upload the next file with the
    // previous key.
    expect(await run('config reload')).toMatchObject({ exitCode: 0 });
    writeFileSync(join(cwd, 'papers/later'), TEXT);
    await until(status, (job) => job?.inSync === true && job.counts.files === 2);
    expect(await get('papers/plan', 'one.key')).toBe(TEXT);
    expect(await get('papers/later', 'two.key')).toBe(TEXT);
    expect(await run('restore papers --to both')).toMatchObject({ exitCode: 0 });

    keys('one.key', 'one.key');
    daemon.reload();
    await failed('as customerKey or in customerKey.earlier');
    keys('two.key', 'two.key');
    daemon.reload();
    await failed('older versions are encrypted with an earlier key');
    keys('two.key', 'one.key');
    daemon.reload();
    await until(status, (job) => job?.inSync === true);

    const { endpointUrl } = (await json('admin credentials')) as Record<string, string>;
    const from = `restore --from ${endpointUrl}/papers --credentials ${join(cwd, 'credentials.json')}`;
    expect((await run(`${from} --key-file two.key --to half`)).exitCode).not.toBe(0);
    const whole = await run(`${from} --key-file two.key --key-file one.key --to whole`);
    expect(whole).toMatchObject({ exitCode: 0 });
    for (const name of ['plan', 'later'])
      expect(readFileSync(join(cwd, 'whole', name), 'utf8')).toBe(TEXT);
  });
});

it('[ssec-16] the daemon writes neither the customer key nor the plain text to any file or log', async () => {
  const { stdout } = await run('log --lines 10000');
  const files = [...contentsBelow(root), Buffer.from(stdout)];
  expect(files.length).toBeGreaterThan(5);
  for (const name of ['one.key', 'two.key']) {
    const bytes = Buffer.from(keyOf(name), 'base64');
    const secrets = [bytes, bytes.toString('hex'), keyOf(name), TEXT.trim()];
    for (const secret of secrets) {
      expect(files.some((content) => content.includes(secret))).toBe(false);
    }
  }
});
