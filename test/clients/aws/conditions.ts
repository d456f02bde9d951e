/** Checks of conditional reads and writes with `aws s3api`. */

import type { Aws } from './aws.ts';

const PAST = '2001-01-01T00:00:00Z';
const FUTURE = '2040-01-01T00:00:00Z';
const OTHER = '"other"';

export async function checkConditions(aws: Aws, bucket: string): Promise<void> {
  const { lane } = aws;
  const object = { bucket, key: 'object' };
  const etag = async (): Promise<string> =>
    (await aws.api<{ ETag: string }>('head-object', object)).ETag;

  await lane.check(
    'get-object returns the object if its ETag or date condition holds',
    async () => {
      await aws.read({ ...object, ifMatch: await etag() });
      await aws.read({ ...object, ifNoneMatch: OTHER });
      await aws.read({ ...object, ifModifiedSince: PAST });
      await aws.read({ ...object, ifUnmodifiedSince: FUTURE });
    },
  );

  await lane.check(
    'get-object fails with PreconditionFailed or 304 if its condition does not hold',
    async () => {
      await aws.refused('PreconditionFailed', 'get-object', { ...object, ifMatch: OTHER });
      await aws.refused('PreconditionFailed', 'get-object', { ...object, ifUnmodifiedSince: PAST });
      await aws.refused('304', 'get-object', { ...object, ifNoneMatch: await etag() });
    },
  );

  if (!aws.isNewer) return;
  const put = { bucket, body: lane.path('content') };
  const once = { ...put, key: 'once', ifNoneMatch: '*' };

  await lane.check(
    'put-object --if-none-match * rejects a second object with the same key',
    async () => {
      await aws.api('put-object', once);
      await aws.refused('PreconditionFailed', 'put-object', once);
    },
  );

  await lane.check('put-object --if-match succeeds only with the current ETag', async () => {
    const ifMatch = await etag();
    await aws.api('put-object', { ...put, key: 'object', ifMatch });
    await aws.refused('PreconditionFailed', 'put-object', {
      ...put,
      key: 'object',
      ifMatch: OTHER,
    });
    await aws.refused('NoSuchKey', 'put-object', { ...put, key: 'missing', ifMatch });
  });
}
