/**
 * Tests of the `s3` commands cp, mv, tag, meta and info with a real store, through the handlers of
 * the daemon.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { atTarget } from '../../daemon/handlers/buckets/at-target.ts';
import { objectHandlers } from '../../daemon/handlers/buckets/objects.ts';
import { storageHandlers } from '../../daemon/handlers/buckets/storage.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore, PutObjectRequest } from '../../src/object-store/object-store.ts';
import { removeBucket } from '../contract/object-store/subject.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readBytes, TEST_USER } from '../helpers/test-engine.ts';

const BUCKET = 'photos';

/**
 * Fake clock of the store. All tests share the store, because opening a store takes longer than
 * most tests.
 */
const clock = new FakeClock();
let dir: string;
let engine: Engine;
let store: ObjectStore;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'object-commands-'));
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
  store = engine.as(internalCaller(TEST_USER, clock.now()));
});

afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true });
});

async function shop({ versioning = false } = {}) {
  await store.createBucket({ bucket: BUCKET });
  onTestFinished(() => removeBucket(store, BUCKET));
  if (versioning) await store.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  const logger = silentLogger;
  const { socketPath } = await controlFixture(({ events, streams }) => ({
    ...atTarget(() => ({ store }), {
      ...storageHandlers(streams, logger),
      ...objectHandlers({
        logger,
        clock,
        onCopyProgress: (id, { sizeBytes: bytes, ...progress }) => {
          events.append({ type: 'copy.progress', id, bytes, ...progress });
        },
      }),
    }),
  }));
  const cwd = temporaryFolder();
  const env = { HOLDFAST_HOME: dirname(socketPath) };
  const run = (line: string) => runCli(line.split(' '), { env, cwd });
  const json = async (line: string) => jsonOf((await run(`${line} --json`)).stdout);
  const put = (key: string, text: string, more: Partial<PutObjectRequest> = {}) =>
    store.putObject({ bucket: BUCKET, key, body: bytesBody(text), ...more });
  const file = (path: string, text = '') => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const content = async () => {
    const { objects } = await store.listObjects({ bucket: BUCKET });
    const texts = objects.map(async ({ key }) => {
      return [key, (await readBytes(store, { bucket: BUCKET, key })).toString()] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  };
  const infoOf = async (key: string) => (await store.headObject({ bucket: BUCKET, key })).info;
  const tagsOf = async (key: string) => (await store.getObjectTags({ bucket: BUCKET, key })).tags;
  return { cwd, run, json, put, file, content, infoOf, tagsOf };
}

const failedWith = (code: string) => expect.objectContaining({ code }) as unknown;

describe('`s3 cp` from files to objects', () => {
  it('`s3 cp` uploads one file under its own name and with the given attributes', async () => {
    const { run, file, content, infoOf, tagsOf } = await shop();
    file('site/index.html', 'hello');
    const said = '--metadata Colour=red --tag year=2026';
    expect(await run(`s3 cp ./site/index.html photos/2026/ ${said}`)).toEqual({
      exitCode: 0,
      stdout: 'copied 1 object, 5 B\n',
      stderr: '',
    });
    expect(await content()).toEqual({ '2026/index.html': 'hello' });
    expect(await infoOf('2026/index.html')).toMatchObject({
      contentType: 'text/html',
      metadata: { colour: 'red' },
    });
    expect(await tagsOf('2026/index.html')).toEqual([{ key: 'year', value: '2026' }]);
  });

  it('`s3 cp` uploads a folder to a prefix, and reports and skips files that are not regular files', async () => {
    const { cwd, run, file, content } = await shop();
    file('site/index.html', 'i');
    file('site/img/a.png', 'a');
    symlinkSync('/etc/hostname', join(cwd, 'site/link'));
    const { exitCode, stdout } = await run('s3 cp ./site photos/www --recursive');
    expect([exitCode, stdout]).toEqual([
      3,
      `copied 2 objects, 2 B; 1 failed\n! ${join(cwd, 'site/link')}: skipped: it is not a regular file\n`,
    ]);
    expect(await content()).toEqual({ 'www/index.html': 'i', 'www/img/a.png': 'a' });
  });

  it('`s3 cp` of several files into an unknown bucket reports the error only once', async () => {
    const { run, file } = await shop();
    for (const name of ['a', 'b', 'c']) file(`www/${name}`, name);
    const { exitCode, stdout, stderr } = await run('s3 cp ./www nowhere --recursive');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^holdfast: bucket nowhere does not exist\n.*holdfast s3 mb.*\n$/);
  });

  it('`s3 cp --dry-run` of files lists the files that it would upload, and uploads nothing', async () => {
    const { cwd, json, file, content } = await shop();
    file('a.txt', 'abc');
    expect(await json('s3 cp ./a.txt photos --dry-run')).toEqual({
      objects: 1,
      bytes: 3,
      failedCount: 0,
      failed: [],
      planned: [{ from: join(cwd, 'a.txt'), to: 'photos/a.txt', sizeBytes: 3 }],
    });
    expect(await content()).toEqual({});
  });

  it('`s3 cp --if-none-match` of a file does not replace an existing object', async () => {
    const { run, json, put, file, content } = await shop();
    await put('a.txt', 'theirs');
    file('a.txt', 'ours');
    expect((await run('s3 cp ./a.txt photos --if-none-match')).exitCode).toBe(1);
    expect(await json('s3 cp ./a.txt photos --if-none-match')).toMatchObject({
      failedCount: 1,
      failed: [failedWith('PreconditionFailed')],
    });
    expect(await content()).toEqual({ 'a.txt': 'theirs' });
    await run('s3 cp ./a.txt photos');
    expect(await content()).toEqual({ 'a.txt': 'ours' });
  });
});

describe('`s3 cp` from objects to files', () => {
  it('`s3 cp` downloads one object into a folder or under a new name', async () => {
    const { cwd, run, put, file } = await shop();
    await put('2026/a.txt', 'hello');
    file('in/other');
    await run('s3 cp photos/2026/a.txt ./in');
    await run('s3 cp photos/2026/a.txt ./b.txt');
    const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
    expect([read('in/a.txt'), read('b.txt')]).toEqual(['hello', 'hello']);
  });

  it('`s3 cp` downloads a version by its id', async () => {
    const { cwd, run, put } = await shop({ versioning: true });
    const { versionId } = await put('a', 'one');
    await put('a', 'two');
    await run(`s3 cp photos/a ./a --version-id ${versionId}`);
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('one');
  });

  it('`s3 cp --recursive` downloads all objects below a prefix, including empty folders', async () => {
    const { cwd, run, put } = await shop();
    for (const key of ['p/a', 'p/b/c', 'p/empty/', 'q'])
      await put(key, key.endsWith('/') ? '' : key);
    expect((await run('s3 cp photos/p ./out --recursive')).stdout).toBe('copied 3 objects, 8 B\n');
    expect(readFileSync(join(cwd, 'out/b/c'), 'utf8')).toBe('p/b/c');
    expect(existsSync(join(cwd, 'out/empty'))).toBe(true);
    expect(existsSync(join(cwd, 'out/q'))).toBe(false);
  });

  it.each(['p/../../evil', 'p//evil', 'p/./evil', 'p/..', 'p/a/../../../evil'])(
    '`s3 cp` reports and skips the key %s, because its path would be outside the target folder',
    async (key) => {
      const { cwd, run, put } = await shop();
      await put(key, 'evil');
      await put('p/good', 'good');
      const { exitCode, stdout } = await run('s3 cp photos/p ./deep/out --recursive');
      expect(exitCode).toBe(3);
      expect(stdout).toContain('the key is not a valid file path');
      expect(readFileSync(join(cwd, 'deep/out/good'), 'utf8')).toBe('good');
      for (const path of ['evil', 'deep/evil', 'deep/out/evil', 'deep/out/a/evil']) {
        expect(existsSync(join(cwd, path))).toBe(false);
      }
    },
  );

  it('`s3 cp` reports and skips a key whose path contains a symbolic link inside the target folder', async () => {
    const { cwd, run, put, file } = await shop();
    file('elsewhere/kept', 'kept');
    mkdirSync(join(cwd, 'out'));
    symlinkSync('../elsewhere', join(cwd, 'out/link'));
    symlinkSync('../elsewhere/kept', join(cwd, 'out/file'));
    await put('p/link/kept', 'evil');
    await put('p/file', 'evil');
    const { exitCode, stdout } = await run('s3 cp photos/p ./out --recursive');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('is in the place of a folder')]);
    expect(stdout).toContain('is a link: skipped');
    expect(readFileSync(join(cwd, 'elsewhere/kept'), 'utf8')).toBe('kept');
  });

  it('`s3 cp` creates no folder through a symbolic link in the target folder', async () => {
    const { cwd, run, put, file } = await shop();
    file('elsewhere/kept', 'kept');
    mkdirSync(join(cwd, 'out'));
    symlinkSync('../elsewhere', join(cwd, 'out/link'));
    await put('p/link/new/deep/file', 'evil');
    await put('p/link/empty/', '');
    await put('p/good', 'good');
    const { exitCode } = await run('s3 cp photos/p ./out --recursive');
    expect(exitCode).toBe(3);
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual(['kept']);
    expect(readFileSync(join(cwd, 'out/good'), 'utf8')).toBe('good');
  });

  it('`s3 cp --recursive` does not write to a named pipe that has the name of a file', async () => {
    const { cwd, run, put } = await shop();
    mkdirSync(join(cwd, 'out'));
    execFileSync('mkfifo', [join(cwd, 'out/pipe')]);
    await put('p/pipe', 'content');
    const { exitCode, stdout } = await run('s3 cp photos/p ./out --recursive');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('not a regular file')]);
    expect(readdirSync(join(cwd, 'out'))).toEqual(['pipe']);
  });

  it('`s3 cp --if-none-match` of an object does not replace an existing file', async () => {
    const { cwd, run, put, file } = await shop();
    await put('a', 'theirs');
    file('a', 'ours');
    expect((await run('s3 cp photos/a ./a --if-none-match')).exitCode).toBe(1);
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('ours');
  });
});

describe('`s3 cp` from objects to objects', () => {
  it('`s3 cp` copies one object with its attributes and tags, and options replace single attributes', async () => {
    const { run, put, infoOf, tagsOf } = await shop();
    const attributes = { contentType: 'text/plain', metadata: { a: '1', b: '2' } };
    const tags = [{ key: 't', value: '1' }];
    await put('a', 'x', { attributes, tags });
    await run('s3 cp photos/a photos/sub/');
    expect(await infoOf('sub/a')).toMatchObject(attributes);
    expect(await tagsOf('sub/a')).toEqual(tags);
    await run('s3 cp photos/a photos/b --metadata b=3 --tag u=2');
    expect(await infoOf('b')).toMatchObject({ ...attributes, metadata: { a: '1', b: '3' } });
    expect(await tagsOf('b')).toEqual([{ key: 'u', value: '2' }]);
  });

  it('`s3 cp --recursive` copies all objects below a prefix', async () => {
    const { run, put, content } = await shop();
    for (const key of ['p/a', 'p/b/c', 'q']) await put(key, key);
    expect((await run('s3 cp photos/p photos/r --recursive')).stdout).toBe(
      'copied 2 objects, 8 B\n',
    );
    expect(Object.keys(await content())).toEqual(['p/a', 'p/b/c', 'q', 'r/a', 'r/b/c']);
  });

  it('`s3 cp --dry-run` of objects lists the new names, and copies nothing', async () => {
    const { run, put, content } = await shop();
    await put('p/a', 'x');
    expect((await run('s3 cp photos/p photos/r --recursive --dry-run')).stdout).toBe(
      'photos/p/a → photos/r/a\nwould copy 1 object, 1 B\n',
    );
    expect(Object.keys(await content())).toEqual(['p/a']);
  });
});

describe('`s3 mv`', () => {
  it('[rename-11] `s3 mv` renames one object', async () => {
    const { run, put, content } = await shop();
    await put('a', 'x');
    expect(await run('s3 mv photos/a photos/sub/')).toMatchObject({
      exitCode: 0,
      stdout: 'renamed 1 object, 1 B\n',
    });
    expect(await content()).toEqual({ 'sub/a': 'x' });
  });

  it('[rename-2] `s3 mv` reports that older versions remain under the old key', async () => {
    const { run, put } = await shop({ versioning: true });
    await put('a', 'x');
    expect((await run('s3 mv photos/a photos/b')).stdout).toContain(
      'older versions, and their locks, stay under the old names',
    );
  });

  it('[rename-11] `s3 mv --recursive` renames all objects below a prefix, and reports the renames that failed', async () => {
    const { run, json, put, content } = await shop();
    for (const key of ['p/a', 'p/b', 'q/b']) await put(key, key);
    const planned = await run('s3 mv photos/p photos/q --recursive --dry-run');
    expect([planned.exitCode, planned.stdout]).toEqual([
      3,
      'photos/p/a → photos/q/a\nwould rename 1 object, 3 B\n! photos/p/b: "q/b" already exists\n',
    ]);
    const { exitCode, stdout } = await run('s3 mv photos/p photos/q --recursive');
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringMatching(/^renamed 1 object.*\n! photos\/p\/b: /),
    ]);
    expect(await content()).toEqual({ 'p/b': 'p/b', 'q/a': 'p/a', 'q/b': 'q/b' });
    expect(await json('s3 mv photos/p photos/q --recursive --overwrite')).toMatchObject({
      objects: 1,
      failedCount: 0,
    });
    expect(await content()).toEqual({ 'q/a': 'p/a', 'q/b': 'p/b' });
  });

  it('[rename-9] `s3 mv` refuses to move a prefix into itself', async () => {
    const { run, put, content } = await shop();
    await put('p/a', 'x');
    const { exitCode, stderr } = await run('s3 mv photos/p photos/p/old --recursive');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('overlap')]);
    expect(await content()).toEqual({ 'p/a': 'x' });
  });
});

describe('`s3 tag`', () => {
  it('`s3 tag` sets, replaces, lists and removes the tags of an object', async () => {
    const { run, json, put } = await shop();
    await put('a', 'x');
    expect((await run('s3 tag set photos/a year=2026 camera=x100')).stdout).toBe(
      'year=2026\ncamera=x100\n',
    );
    await run('s3 tag set photos/a year=2027');
    expect((await run('s3 tag get photos/a')).stdout).toBe('camera=x100\nyear=2027\n');
    await run('s3 tag remove photos/a year --yes');
    expect(await json('s3 tag get photos/a')).toEqual({ tags: [{ key: 'camera', value: 'x100' }] });
    await run('s3 tag set photos/a only=1 --replace');
    expect((await run('s3 tag get photos/a')).stdout).toBe('only=1\n');
    await run('s3 tag remove photos/a --all --yes');
    expect(await run('s3 tag get photos/a')).toMatchObject({ stdout: '', exitCode: 0 });
  });

  it('`s3 tag` sets and removes the tags of a bucket and of a single object version', async () => {
    const { run, put } = await shop({ versioning: true });
    const { versionId } = await put('a', 'one');
    await put('a', 'two');
    await run(`s3 tag set photos/a v=1 --version-id ${versionId}`);
    await run('s3 tag set photos team=blue');
    expect((await run(`s3 tag get photos/a --version-id ${versionId}`)).stdout).toBe('v=1\n');
    expect((await run('s3 tag get photos/a')).stdout).toBe('');
    expect((await run('s3 tag get photos')).stdout).toBe('team=blue\n');
    await run('s3 tag remove photos --all --yes');
    expect((await run('s3 tag get photos')).stdout).toBe('');
  });

  it('`s3 tag --recursive` sets tags on all objects below a prefix', async () => {
    const { run, put, tagsOf } = await shop();
    for (const key of ['p/a', 'p/b', 'q']) await put(key, 'x');
    expect((await run('s3 tag set photos/p y=1 --recursive --dry-run')).stdout).toContain(
      'would tag 2',
    );
    expect(await tagsOf('p/a')).toEqual([]);
    expect((await run('s3 tag set photos/p y=1 --recursive')).stdout).toBe(
      'tagged 2 objects, 2 B\n',
    );
    expect([await tagsOf('p/b'), await tagsOf('q')]).toEqual([[{ key: 'y', value: '1' }], []]);
  });

  it('`s3 tag` refuses invalid tags, and changes nothing', async () => {
    const { run, put, tagsOf } = await shop();
    await put('a', 'x');
    const { exitCode, stderr } = await run('s3 tag set photos/a a&b=1');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('only letters')]);
    expect(await tagsOf('a')).toEqual([]);
  });
});

describe('`s3 meta`', () => {
  it('[meta-3] [meta-16] `s3 meta set` changes only the given attributes, and keeps the data, tags and permissions', async () => {
    const { run, put, infoOf, tagsOf } = await shop({ versioning: true });
    const tags = [{ key: 't', value: '1' }];
    const attributes = { contentType: 'text/plain', expires: 'soon', metadata: { a: '1', b: '2' } };
    await put('a', 'text', { attributes, tags, acl: { canned: 'public-read' } });
    const { stdout } = await run(
      's3 meta set photos/a B=3 --cache-control no-cache --remove expires',
    );
    expect(stdout).toMatch(/^changed photos\/a, as version /);
    const { metadata, expires, ...info } = await infoOf('a');
    expect([metadata, expires]).toEqual([{ a: '1', b: '3' }, undefined]);
    expect(info).toMatchObject({
      contentType: 'text/plain',
      cacheControl: 'no-cache',
      sizeBytes: 4,
    });
    expect(await tagsOf('a')).toEqual(tags);
    const { grants } = await store.getObjectAcl({ bucket: BUCKET, key: 'a' });
    expect(grants).toContainEqual({ grantee: 'AllUsers', permission: 'READ' });
    expect((await run('s3 meta get photos/a')).stdout).toBe(
      'content-type: text/plain\ncache-control: no-cache\nmeta-a: 1\nmeta-b: 3\n',
    );
  });

  it('`s3 meta set --recursive` changes all objects below a prefix, and `s3 meta get --json` prints the attributes', async () => {
    const { run, json, put, infoOf } = await shop();
    for (const key of ['p/a', 'p/b']) await put(key, 'x');
    await run('s3 meta set photos/p --recursive --content-type image/png');
    expect((await infoOf('p/b')).contentType).toBe('image/png');
    expect(await json('s3 meta get photos/p/a')).toEqual({ contentType: 'image/png' });
  });

  it.each([
    ['s3 meta set photos/a --remove nothing', 'no such attribute'],
    ['s3 meta set photos/a --website-redirect elsewhere', 'must have a prefix'],
    ['s3 meta set photos/missing a=1', 'does not exist'],
  ])('`%s` fails, and changes nothing', async (line, words) => {
    const { run, put } = await shop({ versioning: true });
    await put('a', 'x');
    expect(await run(line)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(words) });
    expect((await store.listVersions({ bucket: BUCKET })).versions).toHaveLength(1);
  });
});

describe('`s3 info`', () => {
  it('`s3 info` prints all known details of an object', async () => {
    const { json, run, put } = await shop({ versioning: true });
    await put('a', 'zero');
    const { versionId } = await put('a', 'hello', {
      attributes: { contentType: 'text/plain', metadata: { m: '1' } },
      tags: [{ key: 't', value: '1' }],
    });
    expect(await json('s3 info photos/a')).toEqual({
      bucket: BUCKET,
      key: 'a',
      sizeBytes: 5,
      etag: '5d41402abc4b2a76b9719d911017c592',
      lastModifiedAt: clock.now(),
      versionId,
      attributes: { contentType: 'text/plain', metadata: { m: '1' } },
      tags: [{ key: 't', value: '1' }],
      checksum: { algorithm: 'CRC32', value: 'NhCmhg==', type: 'FULL_OBJECT' },
      encrypted: false,
      versions: { count: 2, more: false },
    });
    const { stdout } = await run('s3 info photos/a');
    expect(stdout).toContain('size       5 B\n');
    expect(stdout).toContain('attribute  content-type: text/plain\n');
    expect(stdout).toContain('tag        t=1\n');
  });

  it('[image-5] `s3 info` reports the disk image format of an object and where the image is used', async () => {
    const { run, put } = await shop();
    const qcow = Buffer.alloc(1024);
    qcow.write('QFI\xfb\0\0\0\x03', 'latin1');
    await store.putObject({ bucket: BUCKET, key: 'disk', body: bytesBody(qcow) });
    await put('text', 'QFI');
    expect((await run('s3 info photos/disk')).stdout).toContain(
      'image     QCOW2, version 3: serves as disk snapshot and machine image\n',
    );
    expect((await run('s3 info photos/text')).stdout).not.toContain('image');
  });

  it('`s3 info` prints all known details of a bucket', async () => {
    const { json, run, put } = await shop({ versioning: true });
    await put('a', 'hello');
    expect(await json('s3 info photos')).toMatchObject({
      bucket: BUCKET,
      location: 'us-east-1',
      versioning: 'Enabled',
      usage: { objects: 1, sizeBytes: 5 },
      limits: { objects: 50_000_000 },
      tags: [],
      grants: [],
      configured: [],
    });
    await store.putCors({
      bucket: BUCKET,
      rules: [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }],
    });
    await store.putBucketAcl({ bucket: BUCKET, acl: { canned: 'public-read' } });
    expect(await json('s3 info photos')).toMatchObject({
      grants: [{ grantee: 'AllUsers', permission: 'READ' }],
      configured: ['cors', 'public access'],
    });
    expect((await run('s3 info photos')).stdout).toContain('versioning   Enabled\n');
  });
});

describe('`s3` commands on objects that are encrypted with a customer key', () => {
  it('an object that is encrypted with a customer key can be copied, shown, changed and renamed only with that key', async () => {
    const { cwd, run, file, content } = await shop();
    file('key', randomBytes(32).toString('base64'));
    file('wrong', randomBytes(32).toString('base64'));
    for (const name of ['key', 'wrong']) chmodSync(join(cwd, name), 0o600);
    file('a.txt', 'secret');
    const done = { exitCode: 0, stderr: '' };
    expect(await run('s3 cp ./a.txt photos --key-file key')).toMatchObject(done);
    expect((await run('s3 info photos/a.txt')).exitCode).toBe(1);
    expect((await run('s3 info photos/a.txt --key-file wrong')).exitCode).toBe(1);
    expect((await run('s3 info photos/a.txt --key-file key')).stdout).toContain('encrypted');
    expect(await run('s3 meta set photos/a.txt m=1 --key-file key')).toMatchObject(done);
    expect((await run('s3 mv photos/a.txt photos/b.txt')).exitCode).toBe(1);
    expect(await run('s3 mv photos/a.txt photos/b.txt --key-file key')).toMatchObject(done);
    expect(await run('s3 cp photos/b.txt photos/c.txt --key-file key')).toMatchObject(done);
    expect((await run('s3 cp photos/c.txt ./c.txt --key-file wrong')).exitCode).toBe(1);
    expect(await run('s3 cp photos/c.txt ./c.txt --key-file key')).toMatchObject(done);
    expect(readFileSync(join(cwd, 'c.txt'), 'utf8')).toBe('secret');
    expect((await run('s3 meta get photos/c.txt --key-file key')).stdout).toContain('meta-m: 1');
    await expect(content()).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});

describe('usage errors of the `s3` commands', () => {
  it.each([
    ['s3 cp ./a ./b', 'both are files'],
    ['s3 cp photos photos/b', 'names no object'],
    ['s3 cp ./ photos', '--recursive'],
    ['s3 cp - photos/a', 'holdfast s3 put -'],
    ['s3 cp photos/a ./a --tag x=1', 'when downloading'],
    ['s3 cp photos/a photos/b --recursive --version-id x', 'cannot use --version-id with'],
    ['s3 cp ./a photos --metadata x', 'KEY=VALUE'],
    ['s3 cp ./a photos --tag x=1 --tag x=2', 'given twice'],
    ['s3 mv ./a photos/a', 'renames objects'],
    ['s3 mv photos/p/ photos/q', 'names no object'],
    ['s3 tag set photos/a year', 'KEY=VALUE'],
    ['s3 tag remove photos/a --yes', 'give either the keys'],
    ['s3 tag remove photos/a year --all --yes', 'give either the keys'],
    ['s3 tag set photos/a a=1 --dry-run', '--recursive'],
    ['s3 meta set photos/a', 'no attribute is given'],
    ['s3 meta get photos', 'no key'],
    ['s3 info photos --version-id x', 'bucket'],
  ])('`%s` is a usage error, and changes nothing', async (line, words) => {
    const { run, put, content } = await shop();
    await put('a', 'x');
    expect(await run(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
    expect(await content()).toEqual({ a: 'x' });
  });
});

it.each([
  's3 cp',
  's3 mv',
  's3 info',
  's3 tag get',
  's3 tag set',
  's3 tag remove',
  's3 meta get',
  's3 meta set',
])('the help of `%s` contains examples', async (command) => {
  const { exitCode, stdout } = await runCli([...command.split(' '), '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`Examples:\n {2}\\$ .*holdfast ${command}`));
});
