/** Checks of s3cmd with buckets and objects. */

import assert from 'node:assert/strict';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  assertSameFile,
  assertSameTree,
  bytesOf,
  HARD_NAMES,
  md5,
  MIB,
  writeContent,
  writeHardTree,
  writeTree,
} from './content.ts';
import { startUpload } from './bucket.ts';
import { checkLinks } from './links.ts';
import type { Lane } from './lane.ts';
import { checkAccess } from './s3cmd-access.ts';
import { checkBrowsers } from './s3cmd-browsers.ts';
import { checkHeaders } from './s3cmd-headers.ts';
import { checkLifecycle } from './s3cmd-lifecycle.ts';
import type { Service } from './service.ts';

export interface S3cmd {
  readonly s3cmd: (...args: string[]) => Promise<string>;
  /** Runs an s3cmd command that must fail, and returns its output. */
  readonly refused: (...args: string[]) => Promise<string>;
}

export function s3cmdEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  const settings = {
    access_key: service.accessKeyId,
    secret_key: service.secretAccessKey,
    host_base: service.host,
    // A value without `%(bucket)s` selects path-style requests, in which the bucket is part of the
    // path.
    host_bucket: service.host,
    bucket_location: service.region,
    use_https: service.caFile === undefined ? 'False' : 'True',
    signurl_use_https: service.caFile === undefined ? 'False' : 'True',
    ...(service.caFile !== undefined && { ca_certs_file: service.caFile }),
    max_retries: '1',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeContent(join(folder, 's3cfg'), ['[default]', ...lines, ''].join('\n'), 0o600);
  return { S3CMD_CONFIG: join(folder, 's3cfg') };
}

export async function s3cmdChecks(lane: Lane): Promise<void> {
  const bucket = lane.bucketName('files');
  const url = (key = '') => `s3://${bucket}/${key}`;
  const s3cmd = async (...args: string[]): Promise<string> =>
    (await lane.run(lane.tool.path, line(args))).toString();
  const refused = (...args: string[]): Promise<string> => lane.fails(lane.tool.path, line(args));
  const line = (args: readonly string[]): string[] => ['--no-progress', ...args];
  const small = bytesOf(1234);
  const large = bytesOf(12 * MIB + 1, 2);
  writeContent(lane.path('small'), small);
  writeContent(lane.path('large'), large);

  await lane.check('mb creates a bucket that ls lists', async () => {
    await s3cmd('mb', url());
    assert.match(await s3cmd('ls'), new RegExp(` s3://${bucket}$`, 'm'));
  });

  await lane.check('put uploads a small file, and get downloads it', async () => {
    await s3cmd('put', lane.path('small'), url('small'));
    await s3cmd('get', '--force', url('small'), lane.path('back'));
    assertSameFile(lane.path('back'), small);
  });

  await lane.check('put uploads an empty file, and get downloads it', async () => {
    writeContent(lane.path('empty'), '');
    await s3cmd('put', lane.path('empty'), url('empty'));
    await s3cmd('get', '--force', url('empty'), lane.path('back'));
    assertSameFile(lane.path('back'), '');
  });

  await lane.check('put uploads a large file in parts, and get downloads it', async () => {
    await s3cmd('put', '--multipart-chunk-size-mb=5', lane.path('large'), url('large'));
    await s3cmd('get', '--force', url('large'), lane.path('back'));
    assertSameFile(lane.path('back'), large);
  });

  await lane.check('put - uploads standard input', async () => {
    await lane.run(lane.tool.path, line(['put', '-', url('stream')]), { input: large });
    await s3cmd('get', '--force', url('stream'), lane.path('back'));
    assertSameFile(lane.path('back'), large);
  });

  await lane.check('get --continue completes a partial download', async () => {
    writeFileSync(lane.path('partial'), large.subarray(0, 5 * MIB));
    await s3cmd('get', '--continue', url('large'), lane.path('partial'));
    assertSameFile(lane.path('partial'), large);
  });

  await lane.check('ls, la and du print sizes', async () => {
    const row = new RegExp(` ${large.length} +${url('large')}$`, 'm');
    assert.match(await s3cmd('ls', url()), row);
    assert.match(await s3cmd('la'), row);
    const total = small.length + 2 * large.length;
    assert.match(await s3cmd('du', url()), new RegExp(`^ *${total} +4 objects`));
  });

  await lane.check('info of a bucket prints its location', async () => {
    assert.match(await s3cmd('info', url()), new RegExp(`Location: +${lane.service.region}`));
  });

  await lane.check('info of an object prints its size, type, checksum and attributes', async () => {
    const options = ['--mime-type=text/x-test', '--add-header=x-amz-meta-colour: blue'];
    await s3cmd('put', ...options, lane.path('small'), url('attributes'));
    const said = await s3cmd('info', url('attributes'));
    assert.match(said, new RegExp(`File size: +${small.length}$`, 'm'));
    assert.match(said, /MIME type: +text\/x-test$/m);
    assert.match(said, new RegExp(`MD5 sum: +${md5(small)}$`, 'm'));
    assert.match(said, /x-amz-meta-colour: blue$/m);
  });

  await lane.check(
    'modify adds an attribute and keeps the other attributes and the content',
    async () => {
      await s3cmd('modify', '--add-header=x-amz-meta-shape: round', url('attributes'));
      const said = await s3cmd('info', url('attributes'));
      assert.match(said, /x-amz-meta-shape: round$/m);
      assert.match(said, /x-amz-meta-colour: blue$/m);
      assert.match(said, /MIME type: +text\/x-test$/m);
      await s3cmd('get', '--force', url('attributes'), lane.path('back'));
      assertSameFile(lane.path('back'), small);
    },
  );

  await lane.check('cp copies and mv renames an object within the store', async () => {
    await s3cmd('cp', url('large'), url('copy'));
    await s3cmd('mv', url('copy'), url('moved here'));
    const listing = await s3cmd('ls', url());
    assert.ok(listing.includes(url('moved here\n')) && !listing.includes(url('copy\n')));
    await s3cmd('get', '--force', url('moved here'), lane.path('back'));
    assertSameFile(lane.path('back'), large);
  });

  const up = lane.path('tree');
  const down = lane.path('tree-down');
  await lane.check(
    'sync uploads a directory tree and downloads it with its modification times',
    async () => {
      writeTree(up);
      utimesSync(join(up, 'folder 1', 'file-1.bin'), 1_000_000_000, 1_000_000_000);
      await s3cmd('sync', `${up}/`, url('tree/'));
      await s3cmd('sync', url('tree/'), `${down}/`);
      assertSameTree(down, up);
      assert.equal(statSync(join(down, 'folder 1', 'file-1.bin')).mtimeMs, 1_000_000_000_000);
    },
  );

  await lane.check(
    'sync --delete-removed transfers changes and deletes in both directions',
    async () => {
      rmSync(join(up, 'folder 0'), { recursive: true });
      writeContent(join(up, 'folder 1', 'new.txt'), 'new');
      await s3cmd('sync', '--delete-removed', `${up}/`, url('tree/'));
      await s3cmd('sync', '--delete-removed', url('tree/'), `${down}/`);
      assertSameTree(down, up);
    },
  );

  await lane.check(
    `sync uploads and downloads ${HARD_NAMES.length} difficult file names`,
    async () => {
      writeHardTree(lane.path('hard'));
      await s3cmd('sync', `${lane.path('hard')}/`, url('hard/'));
      await s3cmd('sync', url('hard/'), `${lane.path('hard-down')}/`);
      assertSameTree(lane.path('hard-down'), lane.path('hard'));
    },
  );

  await checkLinks(lane, {
    signed: async () => (await s3cmd('signurl', url('small'), '+600')).trim(),
    key: 'small',
    content: small,
  });

  await lane.check('multipart lists an unfinished upload, and abortmp aborts it', async () => {
    const uploadId = await startUpload(lane.service, bucket, 'unfinished');
    assert.ok((await s3cmd('multipart', url())).includes(`${url('unfinished')}\t${uploadId}\n`));
    await s3cmd('abortmp', url('unfinished'), uploadId);
    assert.ok(!(await s3cmd('multipart', url())).includes('unfinished'));
  });

  await checkBrowsers(lane, { s3cmd, refused });
  await checkLifecycle(lane, { s3cmd, refused });
  await checkAccess(lane, { s3cmd, refused });
  await checkHeaders(lane, { s3cmd, refused });

  await lane.check('ls with a wrong secret key fails with SignatureDoesNotMatch', async () => {
    const said = await refused('--secret_key=wrong', 'ls', url());
    assert.match(said, /403 \(SignatureDoesNotMatch\)/);
  });

  await lane.check('rb refuses a bucket with objects', async () => {
    assert.match(await refused('rb', url()), /409 \(BucketNotEmpty\)/);
  });

  await lane.check('del removes one object', async () => {
    await s3cmd('del', url('small'));
    assert.ok(!(await s3cmd('ls', url())).includes(url('small\n')));
  });

  await lane.check(
    'del --recursive removes all objects, and rb removes the empty bucket',
    async () => {
      await s3cmd('del', '--recursive', '--force', url());
      await s3cmd('rb', url());
      assert.ok(!(await s3cmd('ls')).includes(bucket));
    },
  );
}
