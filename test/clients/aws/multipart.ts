/** Checks of each step of a multipart upload with `aws s3api`. */

import assert from 'node:assert/strict';

import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import { assertSameBytes, bytesOf, md5, MIB, writeContent } from '../content.ts';
import type { Aws, ObjectOptions, Options } from './aws.ts';

/** Minimum size in bytes of every part except the last part. */
const PART_BYTES = 5 * MIB;
const FIRST = bytesOf(PART_BYTES, 21);
const SECOND = bytesOf(PART_BYTES + 1, 22);
const SMALL = bytesOf(100, 23);
const WHOLE = Buffer.concat([FIRST, SECOND, SMALL]);

interface Part {
  readonly PartNumber: number;
  readonly ETag: string;
  readonly ChecksumSHA256?: string;
}

interface Upload extends ObjectOptions {
  readonly uploadId: string;
}

export async function checkMultipart(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('multipart');
  const uploads = new Uploads(aws, bucket);
  await aws.api('create-bucket', { bucket });

  await lane.check(
    'complete-multipart-upload joins three parts and keeps metadata and content type',
    async () => {
      const attributes = { metadata: { colour: 'blue' }, contentType: 'text/x-test' };
      const upload = await uploads.create('whole', attributes);
      const parts = [
        await uploads.put(upload, 1, FIRST),
        await uploads.put(upload, 2, SECOND),
        await uploads.put(upload, 7, SMALL),
      ];
      const { ETag } = await aws.api(...uploads.completion(upload, parts));
      const sums = [FIRST, SECOND, SMALL].map((part) => Buffer.from(md5(part), 'hex'));
      assert.equal(ETag, `"${md5(Buffer.concat(sums))}-3"`);
      assertSameBytes(await aws.read({ bucket, key: 'whole' }), WHOLE);
      const { Metadata, ContentType } = await aws.api('head-object', { bucket, key: 'whole' });
      assert.deepEqual([Metadata, ContentType], [attributes.metadata, attributes.contentType]);
    },
  );

  await lane.check('get-object --part-number reads one part', async () => {
    const part = { bucket, key: 'whole', partNumber: 2 };
    const { PartsCount, ContentLength } = await aws.api('head-object', part);
    assert.deepEqual([PartsCount, ContentLength], [3, SECOND.length]);
    assertSameBytes(await aws.read(part), SECOND);
  });

  await lane.check('list-parts and list-multipart-uploads list an unfinished upload', async () => {
    const upload = await uploads.create('under way');
    await uploads.put(upload, 1, SMALL);
    await uploads.put(upload, 3, FIRST);
    type Output = { Parts: { PartNumber: number; Size: number }[]; Uploads: { Key: string }[] };
    const { Parts } = await aws.api<Output>('list-parts', { ...upload, pageSize: 1 });
    const sizes = Parts.map(({ PartNumber, Size }) => [PartNumber, Size]);
    assert.deepEqual(sizes, [
      [1, SMALL.length],
      [3, FIRST.length],
    ]);
    const { Uploads: open } = await aws.api<Output>('list-multipart-uploads', { bucket });
    assert.deepEqual(
      open.map(({ Key }) => Key),
      ['under way'],
    );
    await aws.refused('404', 'head-object', { bucket, key: 'under way' });
  });

  await lane.check(
    'list-parts and completion fail with NoSuchUpload after abort-multipart-upload',
    async () => {
      const upload = await uploads.create('aborted');
      const part = await uploads.put(upload, 1, SMALL);
      await aws.api('abort-multipart-upload', upload);
      await aws.refused('NoSuchUpload', 'list-parts', upload);
      await aws.refused('NoSuchUpload', ...uploads.completion(upload, [part]));
    },
  );

  await lane.check('upload-part-copy copies a whole object or a range of it', async () => {
    const upload = await uploads.create('copied');
    const copySource = `${bucket}/whole`;
    const copySourceRange = `bytes=10-${PART_BYTES + 9}`;
    const parts = [
      await uploads.copy({ ...upload, partNumber: 1, copySource, copySourceRange }),
      await uploads.copy({ ...upload, partNumber: 2, copySource }),
      await uploads.copy({ ...upload, partNumber: 3, copySource, copySourceRange: 'bytes=0-0' }),
    ];
    await aws.api(...uploads.completion(upload, parts));
    const expected = [WHOLE.subarray(10, PART_BYTES + 10), WHOLE, WHOLE.subarray(0, 1)];
    assertSameBytes(await aws.read({ bucket, key: 'copied' }), Buffer.concat(expected));
  });

  await lane.check('a second part with the same number replaces the first', async () => {
    const upload = await uploads.create('replaced');
    await uploads.put(upload, 1, FIRST);
    const part = await uploads.put(upload, 1, SMALL);
    await aws.api(...uploads.completion(upload, [part]));
    assertSameBytes(await aws.read({ bucket, key: 'replaced' }), SMALL);
  });

  await lane.check(
    'complete-multipart-upload rejects a wrong ETag, a wrong order and small parts',
    async () => {
      const upload = await uploads.create('refused');
      const first = await uploads.put(upload, 1, FIRST);
      const second = await uploads.put(upload, 2, SMALL);
      const third = await uploads.put(upload, 3, SMALL);
      const complete = (...parts: Part[]) => uploads.completion(upload, parts);
      await aws.refused('InvalidPart', ...complete({ ...first, ETag: second.ETag }));
      await aws.refused('InvalidPartOrder', ...complete(second, first));
      await aws.refused('EntityTooSmall', ...complete(first, second, third));
      await aws.api(...complete(first, third));
      assertSameBytes(await aws.read({ bucket, key: 'refused' }), Buffer.concat([FIRST, SMALL]));
    },
  );

  await checkChecksums(aws, bucket, uploads);

  if (aws.isNewer) {
    await lane.check(
      'complete-multipart-upload --if-none-match does not overwrite an object',
      async () => {
        const upload = await uploads.create('whole');
        const part = await uploads.put(upload, 1, SMALL);
        const [operation, options] = uploads.completion(upload, [part]);
        await aws.refused('PreconditionFailed', operation, { ...options, ifNoneMatch: '*' });
      },
    );
  }
}

async function checkChecksums(aws: Aws, bucket: string, uploads: Uploads): Promise<void> {
  const { lane } = aws;
  const checksumAlgorithm = 'SHA256';

  await lane.check(
    'complete-multipart-upload returns the composite checksum of parts with SHA256',
    async () => {
      const upload = await uploads.create('checksums', { checksumAlgorithm });
      const parts = [
        await uploads.put(upload, 1, FIRST, { checksumAlgorithm }),
        await uploads.put(upload, 2, SMALL, { checksumAlgorithm }),
      ];
      const sums = [FIRST, SMALL].map((part) => checksumOf('SHA256', part));
      assert.deepEqual(
        parts.map(({ ChecksumSHA256 }) => ChecksumSHA256),
        sums,
      );
      const joined = Buffer.concat(sums.map((sum) => Buffer.from(sum, 'base64')));
      const composite = `${checksumOf('SHA256', joined)}-2`;
      const completed = await aws.api(...uploads.completion(upload, parts));
      const head = await aws.api('head-object', {
        bucket,
        key: 'checksums',
        checksumMode: 'ENABLED',
      });
      assert.deepEqual(
        [completed['ChecksumSHA256'], head['ChecksumSHA256']],
        [composite, composite],
      );
    },
  );

  await lane.check('get-object-attributes returns the number and sizes of the parts', async () => {
    type Output = { ObjectParts: { TotalPartsCount: number; Parts?: { Size: number }[] } };
    const { ObjectParts } = await aws.api<Output>('get-object-attributes', {
      bucket,
      key: 'checksums',
      objectAttributes: ['ObjectParts'],
    });
    assert.equal(ObjectParts.TotalPartsCount, 2);
    const sizes = ObjectParts.Parts?.map(({ Size }) => Size);
    assert.deepEqual(sizes, [FIRST.length, SMALL.length]);
  });
}

class Uploads {
  readonly #aws: Aws;
  readonly #bucket: string;

  constructor(aws: Aws, bucket: string) {
    this.#aws = aws;
    this.#bucket = bucket;
  }

  async create(key: string, options: Options = {}): Promise<Upload> {
    const object = { bucket: this.#bucket, key };
    type Output = { UploadId: string };
    const started = await this.#aws.api<Output>('create-multipart-upload', {
      ...object,
      ...options,
    });
    return { ...object, uploadId: started.UploadId };
  }

  async put(
    to: Upload,
    partNumber: number,
    content: Uint8Array,
    options: Options = {},
  ): Promise<Part> {
    const body = this.#aws.lane.path('part');
    writeContent(body, content);
    const answer = await this.#aws.api<Part>('upload-part', {
      ...to,
      partNumber,
      body,
      ...options,
    });
    return { ...answer, PartNumber: partNumber };
  }

  async copy(options: Upload & { readonly partNumber: number }): Promise<Part> {
    type Output = { CopyPartResult: Part };
    const { CopyPartResult } = await this.#aws.api<Output>('upload-part-copy', options);
    return { ...CopyPartResult, PartNumber: options.partNumber };
  }

  /**
   * Returns the aws call that completes a multipart upload. Removes all other fields of the parts, because aws rejects
   * unknown fields.
   */
  completion(upload: Upload, parts: readonly Part[]): [operation: string, options: Options] {
    const Parts = parts.map(({ PartNumber, ETag, ChecksumSHA256 }) => ({
      PartNumber,
      ETag,
      ChecksumSHA256,
    }));
    return ['complete-multipart-upload', { ...upload, multipartUpload: { Parts } }];
  }
}
