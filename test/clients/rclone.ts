/**
 * Checks of rclone with the provider `Other`, and of the commands that differ with the provider
 * `Ceph`.
 */

import assert from 'node:assert/strict';
import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { makeTree } from '../helpers/tree.ts';
import { startUpload } from './bucket.ts';
import {
  assertSameBytes,
  assertSameFile,
  assertSameTree,
  bytesOf,
  HARD_NAMES,
  MIB,
  writeContent,
  writeHardTree,
} from './content.ts';
import { curlLine } from './links.ts';
import type { Lane } from './lane.ts';
import { checkAccess } from './rclone-access.ts';
import type { Service } from './service.ts';

export function rcloneEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  const remote = (provider: string) => [
    `[${provider.toLowerCase()}]`,
    'type = s3',
    `provider = ${provider}`,
    `access_key_id = ${service.accessKeyId}`,
    `secret_access_key = ${service.secretAccessKey}`,
    `endpoint = ${service.endpoint}`,
    `region = ${service.region}`,
    '',
  ];
  const file = join(folder, 'rclone.conf');
  writeContent(file, [...remote('Other'), ...remote('Ceph')].join('\n'), 0o600);
  return {
    RCLONE_CONFIG: file,
    RCLONE_CACHE_DIR: join(folder, 'cache'),
    RCLONE_RETRIES: '1',
    RCLONE_LOW_LEVEL_RETRIES: '1',
    ...(service.caFile !== undefined && { RCLONE_CA_CERT: service.caFile }),
  };
}

export async function rcloneChecks(lane: Lane): Promise<void> {
  for (const provider of ['other', 'ceph']) await checkProvider(lane, provider);
}

async function checkProvider(lane: Lane, provider: string): Promise<void> {
  const bucket = lane.bucketName(provider);
  const remote = (path = '') => `${provider}:${bucket}/${path}`;
  const at = (...names: string[]) => lane.path(provider, ...names);
  const bytes = (...args: string[]): Promise<Buffer> => lane.run(lane.tool.path, args);
  const rclone = async (...args: string[]): Promise<string> => (await bytes(...args)).toString();
  const check = (claim: string, body: () => Promise<void>): Promise<boolean> =>
    lane.check(`${provider}: ${claim}`, body);
  const large = bytesOf(23 * MIB + 1, 3);

  await check('mkdir creates a bucket that lsd lists', async () => {
    await rclone('mkdir', remote());
    assert.match(await rclone('lsd', `${provider}:`), new RegExp(` ${bucket}$`, 'm'));
  });

  await check('copy uploads 1,000 small files', async () => {
    makeTree(at('tree'), 1000);
    await rclone('copy', '--transfers', '16', at('tree'), remote('tree'));
    assert.match(
      await rclone('size', remote('tree')),
      /Total objects: (?:1k|1000) \(1000\)|Total objects: 1000/,
    );
  });

  await check('check --download finds no different byte', async () => {
    await rclone('check', '--download', at('tree'), remote('tree'));
  });

  await check('check finds no different checksum', async () => {
    await rclone('check', at('tree'), remote('tree'));
  });

  await check('copy downloads the files with their times', async () => {
    utimesSync(at('tree', 'folder 1', 'file-50.txt'), 1_000_000_000, 1_000_000_000.123);
    await rclone('copy', at('tree'), remote('tree'));
    await rclone('copy', '--transfers', '16', remote('tree'), at('down'));
    assertSameTree(at('down'), at('tree'));
    assert.equal(statSync(at('down', 'folder 1', 'file-50.txt')).mtimeMs, 1_000_000_000_123);
  });

  await check('sync transfers changes and deletes in both directions', async () => {
    rmSync(at('tree', 'folder 2'), { recursive: true });
    renameSync(at('tree', 'folder 3'), at('tree', 'renamed'));
    writeContent(at('tree', 'new'), 'new');
    await rclone('sync', '--transfers', '16', at('tree'), remote('tree'));
    await rclone('sync', '--transfers', '16', remote('tree'), at('down'));
    assertSameTree(at('down'), at('tree'));
  });

  await check('a second sync has nothing to do', async () => {
    const said = await rclone('sync', '--combined', '-', at('tree'), remote('tree')).catch(
      () => '',
    );
    assert.doesNotMatch(said, /^[+*-]/m);
    assert.doesNotMatch(await rclone('sync', '--dry-run', at('tree'), remote('tree')), /Skipped/);
  });

  await check('copyto uploads a large file in parts, and downloads it', async () => {
    writeContent(at('large'), large);
    await rclone(
      'copyto',
      '--s3-upload-cutoff',
      '5M',
      '--s3-chunk-size',
      '5M',
      at('large'),
      remote('large'),
    );
    await rclone('copyto', remote('large'), at('back'));
    assertSameFile(at('back'), large);
  });

  await check('hashsum md5 of a multipart upload is the MD5 of the file', async () => {
    assert.equal(
      await rclone('hashsum', 'md5', remote('large')),
      await rclone('hashsum', 'md5', at('large')),
    );
  });

  await check('rcat uploads a stream, and cat downloads it', async () => {
    await lane.run(lane.tool.path, ['rcat', remote('stream')], { input: large });
    assertSameBytes(await bytes('cat', remote('stream')), large);
  });

  await check('cat --offset --count and --tail read ranges', async () => {
    assertSameBytes(
      await bytes('cat', '--offset', '1000', '--count', '77', remote('large')),
      large.subarray(1000, 1077),
    );
    assertSameBytes(await bytes('cat', '--tail', '100', remote('large')), large.subarray(-100));
  });

  await check('lsf and lsjson list names and sizes', async () => {
    assert.equal(await rclone('lsf', remote()), 'large\nstream\ntree/\n');
    const [entry] = JSON.parse(await rclone('lsjson', '--hash', remote('large'))) as {
      Size: number;
      Name: string;
    }[];
    assert.deepEqual([entry?.Name, entry?.Size], ['large', large.length]);
  });

  await check('copyto and moveto copy and rename an object within the store', async () => {
    await rclone('copyto', remote('large'), remote('copy of it'));
    await rclone('moveto', remote('copy of it'), remote('moved'));
    assert.equal(await rclone('lsf', '--files-only', remote()), 'large\nmoved\nstream\n');
    assertSameBytes(await bytes('cat', remote('moved')), large);
  });

  await check('touch changes the time and keeps the content', async () => {
    await rclone('touch', '--timestamp', '2001-02-03T04:05:06', remote('moved'));
    assert.match(await rclone('lsl', remote('moved')), /2001-02-03 04:05:06/);
    assertSameBytes(await bytes('cat', remote('moved')), large);
  });

  await check(`copy uploads and downloads ${HARD_NAMES.length} difficult file names`, async () => {
    writeHardTree(at('hard'));
    await rclone('copy', at('hard'), remote('hard'));
    await rclone('copy', remote('hard'), at('hard-down'));
    assertSameTree(at('hard-down'), at('hard'));
  });

  await check('move leaves no file in its source folder', async () => {
    await rclone('move', at('hard-down'), remote('moved here'));
    assert.equal(await rclone('lsf', '--recursive', '--files-only', at('hard-down')), '');
    await rclone('check', '--download', at('hard'), remote('moved here'));
  });

  await check('curl downloads an object from the URL that link prints', async () => {
    const link = (await rclone('link', remote('stream'))).trim();
    assertSameBytes(await lane.run('curl', curlLine(lane, '--fail', link)), large);
  });

  await checkVersions(lane, provider);
  await checkAccess(lane, provider);

  await check(
    'backend list-multipart-uploads lists the uploads that backend cleanup aborts',
    async () => {
      const uploads = async () =>
        JSON.parse(await rclone('backend', 'list-multipart-uploads', remote())) as Record<
          string,
          { Key: string }[]
        >;
      await startUpload(lane.service, bucket, 'unfinished');
      assert.deepEqual(
        (await uploads())[bucket]?.map(({ Key }) => Key),
        ['unfinished'],
      );
      await rclone('backend', 'cleanup', '--option', 'max-age=1ns', remote());
      assert.deepEqual(await uploads(), { [bucket]: [] });
    },
  );

  // rclone does not send a customer key over plain HTTP, not even to a loopback address.
  if (lane.service.transport === 'https') {
    await check(
      '--s3-sse-customer-key-base64 encrypts files, and only the same key decrypts them',
      async () => {
        const by = (seed: number) => [
          '--s3-sse-customer-algorithm=AES256',
          `--s3-sse-customer-key-base64=${bytesOf(32, seed).toString('base64')}`,
        ];
        writeContent(at('secret', 'small'), 'secret');
        writeContent(at('secret', 'large'), large);
        await rclone('copy', ...by(1), '--s3-upload-cutoff=6M', at('secret'), remote('secret'));
        await rclone('copy', ...by(1), remote('secret'), at('secret-down'));
        assertSameTree(at('secret-down'), at('secret'));
        // If a HEAD request fails, rclone treats the object as an empty folder.
        assert.equal(await rclone('cat', ...by(2), remote('secret/small')), '');
        assert.equal(await rclone('cat', remote('secret/small')), '');
        await rclone('purge', remote('secret'));
      },
    );
  }

  await check(
    'delete removes objects, rmdir refuses a bucket with objects, and purge removes it',
    async () => {
      await rclone('delete', remote('moved here'));
      assert.equal(await rclone('lsf', remote('moved here')).catch(() => ''), '');
      await lane.fails(lane.tool.path, ['rmdir', `${provider}:${bucket}`]);
      await rclone('purge', `${provider}:${bucket}`);
      assert.doesNotMatch(await rclone('lsd', `${provider}:`), new RegExp(` ${bucket}$`, 'm'));
    },
  );
}

async function checkVersions(lane: Lane, provider: string): Promise<void> {
  const bucket = lane.bucketName(`${provider}-versions`);
  const remote = (path = '') => `${provider}:${bucket}/${path}`;
  const rclone = async (...args: string[]): Promise<string> =>
    (await lane.run(lane.tool.path, args)).toString();
  const write = (text: string): Promise<Buffer> =>
    lane.run(lane.tool.path, ['rcat', remote('file.txt')], { input: Buffer.from(text) });

  await lane.check(`${provider}: backend versioning turns versions on`, async () => {
    await rclone('mkdir', remote());
    assert.match(await rclone('backend', 'versioning', remote(), 'Enabled'), /Enabled/);
  });

  await lane.check(
    `${provider}: --s3-versions lists and reads overwritten and deleted versions`,
    async () => {
      await write('one');
      await write('two');
      await rclone('deletefile', remote('file.txt'));
      assert.equal(await rclone('lsf', remote()), '');
      const names = (await rclone('lsf', '--s3-versions', remote())).trim().split('\n');
      assert.equal(names.length, 2);
      const contents = await Promise.all(
        names.map((name) => rclone('cat', '--s3-versions', remote(name))),
      );
      assert.deepEqual(contents.toSorted(), ['one', 'two']);
    },
  );

  await lane.check(
    `${provider}: backend cleanup-hidden removes all noncurrent versions`,
    async () => {
      await rclone('backend', 'cleanup-hidden', remote());
      assert.equal(await rclone('lsf', '--s3-versions', remote()), '');
      await rclone('purge', `${provider}:${bucket}`);
    },
  );
}
