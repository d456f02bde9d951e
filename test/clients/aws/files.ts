/** Checks of the high-level commands `aws s3 …`. */

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';

import {
  assertSameBytes,
  assertSameFile,
  assertSameTree,
  bytesOf,
  HARD_NAMES,
  MIB,
  writeContent,
  writeHardTree,
  writeTree,
} from '../content.ts';
import { checkLinks } from '../links.ts';
import type { Aws } from './aws.ts';

/** Size in bytes of a file that aws uploads in parts, because it is larger than 8 MiB. */
const LARGE_BYTES = 100 * MIB;

export async function checkFiles(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('files');
  const url = (key = '') => `s3://${bucket}/${key}`;
  const quiet = '--no-progress';

  await lane.check('s3 mb creates a bucket that s3 ls lists', async () => {
    await aws.s3('mb', url());
    assert.match(await aws.s3('ls'), new RegExp(`^[\\d-]{10} [\\d:]{8} ${bucket}$`, 'm'));
  });

  // Versions of aws before 2.13 ignore AWS_ENDPOINT_URL.
  if (aws.isNewer) {
    await lane.check(
      'the variables that `holdfast admin credentials --env` exports are sufficient for s3 ls',
      async () => {
        const listing = await lane.run(lane.tool.path, ['s3', 'ls']);
        assert.ok(listing.toString().includes(bucket));
      },
    );
  }

  for (const [claim, sizeBytes] of [
    ['an empty file', 0],
    ['a small file', 1234],
    ['a file of 100 MiB in parts', LARGE_BYTES],
  ] as const) {
    await lane.check(`s3 cp uploads ${claim} and downloads the same bytes`, async () => {
      const content = bytesOf(sizeBytes);
      writeContent(lane.path('up'), content);
      await aws.s3('cp', quiet, lane.path('up'), url(`size-${sizeBytes}`));
      await aws.s3('cp', quiet, url(`size-${sizeBytes}`), lane.path('down'));
      assertSameFile(lane.path('down'), content);
    });
  }

  await lane.check('s3 ls lists the sizes of objects', async () => {
    assert.match(
      await aws.s3('ls', url()),
      new RegExp(`^.{19} +${LARGE_BYTES} size-${LARGE_BYTES}$`, 'm'),
    );
  });

  await lane.check('s3 cp copies a large object within the store in parts', async () => {
    await aws.s3('cp', quiet, url(`size-${LARGE_BYTES}`), url('copy'));
    await aws.s3('cp', quiet, url('copy'), lane.path('down'));
    assertSameFile(lane.path('down'), bytesOf(LARGE_BYTES));
  });

  for (const [claim, sizeBytes] of [
    ['a small stream', 1000],
    ['a large stream in parts', 20 * MIB],
  ] as const) {
    await lane.check(`s3 cp - uploads ${claim} and downloads the same bytes`, async () => {
      const content = bytesOf(sizeBytes, 7);
      await aws.s3From(content, 'cp', '-', url('stream'));
      assertSameBytes(await aws.s3Bytes('cp', url('stream'), '-'), content);
    });
  }

  await lane.check('s3 cp stores --metadata, --content-type and --cache-control', async () => {
    const options = [
      '--metadata',
      'colour=blue',
      '--content-type',
      'text/x-test',
      '--cache-control',
      'no-store',
    ];
    await aws.s3('cp', quiet, lane.path('up'), url('attributes'), ...options);
    const head = await aws.api('head-object', { bucket, key: 'attributes' });
    assert.deepEqual(
      [head['Metadata'], head['ContentType'], head['CacheControl']],
      [{ colour: 'blue' }, 'text/x-test', 'no-store'],
    );
  });

  await lane.check('s3 mv renames an object within the store', async () => {
    await aws.s3('mv', quiet, url('attributes'), url('moved'));
    const listing = await aws.s3('ls', url());
    assert.ok(listing.includes(' moved\n') && !listing.includes(' attributes\n'));
  });

  await lane.check('s3 rm removes one object', async () => {
    await aws.s3('rm', url('moved'));
    assert.ok(!(await aws.s3('ls', url())).includes('moved'));
  });

  await checkSync(aws, bucket);

  const content = bytesOf(5000, 3);
  await checkLinks(lane, {
    signed: async () => {
      await aws.s3From(content, 'cp', '-', url('presigned name.bin'));
      return (await aws.s3('presign', url('presigned name.bin'))).trim();
    },
    key: 'presigned name.bin',
    content,
  });

  await lane.check('s3 rb refuses a bucket with objects', async () => {
    await aws.s3Refused('BucketNotEmpty', 'rb', url());
  });

  await lane.check('s3 rb --force removes a bucket and its objects', async () => {
    await aws.s3('rb', '--force', url());
    assert.ok(!(await aws.s3('ls')).includes(bucket));
  });
}

async function checkSync(aws: Aws, bucket: string): Promise<void> {
  const { lane } = aws;
  const up = lane.path('tree');
  const down = lane.path('tree-down');
  const url = (key = '') => `s3://${bucket}/${key}`;

  await lane.check('s3 sync uploads a directory tree and downloads the same tree', async () => {
    writeTree(up);
    await aws.s3('sync', '--no-progress', up, url('tree'));
    await aws.s3('sync', '--no-progress', url('tree'), down);
    assertSameTree(down, up);
  });

  await lane.check('a second s3 sync transfers nothing', async () => {
    assert.equal(await aws.s3('sync', '--no-progress', up, url('tree')), '');
    assert.equal(await aws.s3('sync', '--no-progress', url('tree'), down), '');
  });

  await lane.check(
    's3 sync --delete transfers changes and deletes in both directions',
    async () => {
      rmSync(`${up}/folder 0`, { recursive: true });
      writeContent(`${up}/folder 1/new.txt`, 'new');
      await aws.s3('sync', '--no-progress', '--delete', up, url('tree'));
      await aws.s3('sync', '--no-progress', '--delete', url('tree'), down);
      // Empty folders remain on the disk, because object storage has no folders that could be
      // deleted.
      assertSameTree(down, up);
    },
  );

  await lane.check('s3 ls --recursive --summarize counts the objects', async () => {
    const listing = await aws.s3('ls', '--recursive', '--summarize', url('tree/'));
    assert.match(listing, /Total Objects: 5$/m);
  });

  await lane.check(
    `s3 sync uploads, copies and downloads ${HARD_NAMES.length} difficult file names`,
    async () => {
      const hard = lane.path('hard');
      const back = lane.path('hard-down');
      mkdirSync(hard);
      writeHardTree(hard);
      await aws.s3('sync', '--no-progress', hard, url('hard'));
      await aws.s3('sync', '--no-progress', url('hard'), url('hard copy+%'));
      await aws.s3('sync', '--no-progress', url('hard copy+%'), back);
      assertSameTree(back, hard);
    },
  );

  await lane.check('s3 ls --recursive prints difficult file names unchanged', async () => {
    const listing = await aws.s3('ls', '--recursive', url('hard/'));
    const names = listing
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(31 + 'hard/'.length));
    assert.deepEqual(names.toSorted(), [...HARD_NAMES].toSorted());
  });

  await lane.check('s3 rm --recursive removes only the objects with the prefix', async () => {
    await aws.s3('rm', '--recursive', url('hard/'));
    assert.equal(
      await aws.s3('ls', '--recursive', url('tree/')).then((each) => each.split('\n').length),
      6,
    );
    await lane.fails(lane.tool.path, [
      '--endpoint-url',
      lane.service.endpoint,
      's3',
      'ls',
      url('hard/'),
    ]);
  });
}
