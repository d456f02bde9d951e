/**
 * Checks of object checksums with `aws s3api`. Older versions of aws cannot compute some checksums,
 * so the checks pass these as options.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import type { ChecksumAlgorithm } from '../../../src/object-store/checksum.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import { assertSameBytes, md5 } from '../content.ts';
import type { Aws, Options } from './aws.ts';

export async function checkChecksums(aws: Aws, bucket: string): Promise<void> {
  const { lane } = aws;
  const body = lane.path('content');
  const content = readFileSync(body);
  const computed = (algorithm: string) => ({ checksumAlgorithm: algorithm });
  const crc32c = { checksumCrc32C: checksumOf('CRC32C', content) };
  const crc64 = { checksumCrc64Nvme: checksumOf('CRC64NVME', content) };
  const sent: readonly (readonly [ChecksumAlgorithm, Options])[] = [
    ['CRC32', computed('CRC32')],
    ['SHA1', computed('SHA1')],
    ['SHA256', computed('SHA256')],
    ['CRC32C', crc32c],
    ...(aws.isNewer ? [['CRC64NVME', crc64] as const] : []),
  ];

  for (const [algorithm, options] of sent) {
    await lane.check(
      `put-object and head-object return the ${algorithm} checksum, and get-object verifies it`,
      async () => {
        const member = `Checksum${algorithm}`;
        const at = { bucket, key: algorithm };
        const stored = await aws.api('put-object', { ...at, body, ...options });
        const head = await aws.api('head-object', { ...at, checksumMode: 'ENABLED' });
        const expected = checksumOf(algorithm, content);
        assert.deepEqual([stored[member], head[member]], [expected, expected]);
        assertSameBytes(await aws.read({ ...at, checksumMode: 'ENABLED' }), content);
      },
    );
  }

  await lane.check(
    'get-object-attributes returns the size, ETag and checksum of an object',
    async () => {
      const objectAttributes = ['ETag', 'ObjectSize', 'Checksum', 'StorageClass'];
      const found = await aws.api<{ Checksum: object; ETag: string; ObjectSize: number }>(
        'get-object-attributes',
        { bucket, key: 'SHA256', objectAttributes },
      );
      assert.deepEqual([found.ETag, found.ObjectSize], [md5(content), content.length]);
      assert.equal(
        new Map(Object.entries(found.Checksum)).get('ChecksumSHA256'),
        checksumOf('SHA256', content),
      );
    },
  );

  await lane.check(
    'put-object with a wrong checksum or Content-MD5 is rejected and stores nothing',
    async () => {
      const other = Buffer.from('other');
      const put = { bucket, key: 'wrong', body };
      const contentMd5 = Buffer.from(md5(other), 'hex').toString('base64');
      await aws.refused('BadDigest', 'put-object', {
        ...put,
        checksumSha256: checksumOf('SHA256', other),
      });
      await aws.refused('BadDigest', 'put-object', { ...put, contentMd5 });
      await aws.refused('404', 'head-object', { bucket, key: 'wrong' });
    },
  );
}
