/** Checks of single objects, their attributes and their keys with `aws s3api`. */

import assert from 'node:assert/strict';

import { assertSameBytes, bytesOf, HARD_NAMES, md5, writeContent } from '../content.ts';
import type { Aws, Options } from './aws.ts';
import { checkChecksums } from './checksums.ts';
import { checkConditions } from './conditions.ts';

const ATTRIBUTES = {
  ContentType: 'text/x-test',
  ContentEncoding: 'identity-of-ours',
  ContentDisposition: 'attachment; filename="a b.txt"',
  ContentLanguage: 'de',
  CacheControl: 'max-age=60',
  Metadata: { colour: 'blue', 'two-words': 'a b' },
} as const;

const NAMES = [...HARD_NAMES, 'two//slashes', '/leading', './dot/../dots', 'ends in slash/'];

export async function checkObjects(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('objects');
  const content = bytesOf(100_000, 11);
  const body = lane.path('content');
  writeContent(body, content);

  await lane.check(
    'create-bucket creates a bucket that head-bucket and list-buckets find',
    async () => {
      await aws.api('create-bucket', { bucket });
      await aws.api('head-bucket', { bucket });
      const { Buckets } = await aws.api<{ Buckets: { Name: string }[] }>('list-buckets');
      assert.ok(Buckets.some(({ Name }) => Name === bucket));
      const { LocationConstraint } = await aws.api('get-bucket-location', { bucket });
      assert.equal(LocationConstraint, lane.service.region);
    },
  );

  await lane.check(
    'put-object stores an object that head-object and get-object return',
    async () => {
      const { ETag } = await aws.api('put-object', { bucket, key: 'object', body });
      assert.equal(ETag, `"${md5(content)}"`);
      const head = await aws.api('head-object', { bucket, key: 'object' });
      assert.deepEqual([head['ContentLength'], head['ETag']], [content.length, ETag]);
      assertSameBytes(await aws.read({ bucket, key: 'object' }), content);
    },
  );

  await lane.check(
    'head-object returns the content headers and metadata of put-object',
    async () => {
      const expires = '2030-01-02T03:04:05Z';
      await aws.api('put-object', {
        bucket,
        key: 'attributes',
        body,
        expires,
        ...given(ATTRIBUTES),
      });
      const head = await aws.api('head-object', { bucket, key: 'attributes' });
      assertAttributes(head);
      assert.match(String(head['Expires']), /2030/);
    },
  );

  await lane.check(
    `put-object, get-object and list-objects-v2 accept ${NAMES.length} difficult keys`,
    async () => {
      for (const name of NAMES) {
        await aws.api('put-object', { bucket, key: `hard/${name}`, body });
        assertSameBytes(await aws.read({ bucket, key: `hard/${name}` }), content);
      }
      const { Contents } = await aws.api<{ Contents: { Key: string }[] }>('list-objects-v2', {
        bucket,
        prefix: 'hard/',
      });
      assert.deepEqual(
        Contents.map(({ Key }) => Key.slice('hard/'.length)),
        NAMES.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
      );
    },
  );

  await checkRanges(aws, bucket, content);
  await checkConditions(aws, bucket);
  await checkCopies(aws, bucket, content);
  await checkChecksums(aws, bucket);
  await checkDeletes(aws, bucket);
}

async function checkRanges(aws: Aws, bucket: string, content: Buffer): Promise<void> {
  const { lane } = aws;
  for (const [range, expected] of [
    ['bytes=0-0', content.subarray(0, 1)],
    ['bytes=1000-1999', content.subarray(1000, 2000)],
    ['bytes=99990-', content.subarray(99_990)],
    ['bytes=-10', content.subarray(-10)],
    ['bytes=99990-999999', content.subarray(99_990)],
  ] as const) {
    await lane.check(`get-object --range ${range} returns the bytes of the range`, async () => {
      assertSameBytes(await aws.read({ bucket, key: 'object', range }), expected);
    });
  }

  await lane.check('get-object --range beyond the end fails with InvalidRange', async () => {
    const beyond = { bucket, key: 'object', range: 'bytes=100000-' };
    await aws.refused('InvalidRange', 'get-object', beyond);
  });

  await lane.check(
    'get-object --response-content-type replaces the stored content type',
    async () => {
      const overrides = { responseContentType: 'text/other', responseCacheControl: 'no-store' };
      const answer = await aws.api('get-object', { bucket, key: 'object', ...overrides });
      const { ContentType, CacheControl } = answer;
      assert.deepEqual([ContentType, CacheControl], ['text/other', 'no-store']);
    },
  );
}

async function checkCopies(aws: Aws, bucket: string, content: Buffer): Promise<void> {
  const { lane } = aws;
  const copySource = `${bucket}/attributes`;
  const copy = { bucket, key: 'copy', copySource };

  await lane.check('copy-object keeps content headers and metadata', async () => {
    await aws.api('copy-object', copy);
    assertAttributes(await aws.api('head-object', { bucket, key: 'copy' }));
    assertSameBytes(await aws.read({ bucket, key: 'copy' }), content);
  });

  await lane.check(
    'copy-object --metadata-directive REPLACE replaces content headers and metadata',
    async () => {
      const others = { Metadata: { shape: 'round' }, ContentType: 'text/new' };
      await aws.api('copy-object', { ...copy, metadataDirective: 'REPLACE', ...given(others) });
      const head = await aws.api('head-object', { bucket, key: 'copy' });
      const { Metadata, ContentType, CacheControl } = head;
      assert.deepEqual(
        { Metadata, ContentType, CacheControl },
        { ...others, CacheControl: undefined },
      );
    },
  );

  await lane.check('copy-object copies an object whose key contains %20', async () => {
    const hard = `${bucket}/hard/percent%20encoded.txt`;
    await aws.api('copy-object', { bucket, key: 'from+hard', copySource: hard });
    assertSameBytes(await aws.read({ bucket, key: 'from+hard' }), content);
  });

  await lane.check(
    'copy-object of an object onto itself without a change fails with InvalidRequest',
    async () => {
      await aws.refused('InvalidRequest', 'copy-object', { ...copy, key: 'attributes' });
    },
  );

  await lane.check(
    'copy-object checks --copy-source-if-match and --copy-source-if-none-match',
    async () => {
      const other = '"other"';
      await aws.refused('PreconditionFailed', 'copy-object', { ...copy, copySourceIfMatch: other });
      await aws.api('copy-object', { ...copy, copySourceIfNoneMatch: other });
    },
  );
}

async function checkDeletes(aws: Aws, bucket: string): Promise<void> {
  const { lane } = aws;
  const remove = (keys: readonly string[], Quiet: boolean) =>
    aws.api<{ Deleted?: { Key: string }[]; Errors?: unknown[] }>('delete-objects', {
      bucket,
      delete: { Objects: keys.map((Key) => ({ Key })), Quiet },
    });

  await lane.check(
    'delete-object removes an object, and succeeds if it does not exist',
    async () => {
      await aws.api('delete-object', { bucket, key: 'copy' });
      await aws.refused('404', 'head-object', { bucket, key: 'copy' });
      await aws.api('delete-object', { bucket, key: 'copy' });
    },
  );

  await lane.check(
    'delete-objects removes objects with difficult keys and returns their keys',
    async () => {
      const keys = NAMES.map((name) => `hard/${name}`);
      const { Deleted, Errors } = await remove(keys, false);
      assert.deepEqual(
        Deleted?.map(({ Key }) => Key),
        keys,
      );
      assert.equal(Errors, undefined);
    },
  );

  await lane.check('delete-objects with Quiet returns only errors', async () => {
    assert.deepEqual(await remove(['from+hard', 'never was'], true), {});
    await aws.refused('404', 'head-object', { bucket, key: 'from+hard' });
  });
}

/** Converts attributes to options: `ContentType` becomes `contentType`. */
function given(attributes: Readonly<Record<string, string | object>>): Options {
  const named = Object.entries(attributes).map(([name, value]) => [
    name.replace(/^./, (letter) => letter.toLowerCase()),
    value,
  ]);
  return Object.fromEntries(named) as Options;
}

function assertAttributes(head: Readonly<Record<string, unknown>>): void {
  const found = Object.keys(ATTRIBUTES).map((name) => [name, head[name]]);
  assert.deepEqual(Object.fromEntries(found), ATTRIBUTES);
}
