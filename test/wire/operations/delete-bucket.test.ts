/** Tests of DeleteBucket over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  test.each(['DELETE /{box}', 'DELETE /{box}/'])(
    '%s returns 204 without a body, and 404 when repeated',
    async (line) => {
      expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
      const again = await wire.send(line);
      expect([again.status, again.text()]).toEqual([
        404,
        expect.stringContaining('<Code>NoSuchBucket</Code>'),
      ]);
    },
  );

  test('[bucket-11] DeleteBucket deletes the incomplete multipart uploads of the bucket', async () => {
    const bucket = wire.get('box');
    await wire.store.createUpload({ bucket, key: 'k' });
    expect((await wire.send('DELETE /{box}')).status).toBe(204);
    await wire.store.createBucket({ bucket });
    expect((await wire.store.listUploads({ bucket })).uploads).toEqual([]);
  });

  refusesStrangers(wire, 'DELETE /{box}');

  test('[bucket-5] DeleteBucket by another user of the project is denied', async () => {
    expect(await wire.refusal('DELETE /{box}', { as: colleague })).toEqual({
      status: 403,
      Code: 'AccessDenied',
    });
  });

  const notEmpty = { status: 409, Code: 'BucketNotEmpty' };
  test('DeleteBucket of a bucket with an object is rejected', async () => {
    await wire.put('a', 'x');
    expect(await wire.refusal('DELETE /{box}')).toEqual(notEmpty);
  });

  test('[bucket-6] DeleteBucket of a bucket that contains only a delete marker is rejected', async () => {
    await wire.versioning('Enabled');
    await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    expect(await wire.refusal('DELETE /{box}')).toEqual(notEmpty);
  });

  wire.refuses([
    [
      'an unexpected request body',
      'DELETE /{box}',
      { body: 'x' },
      { status: 400, Code: 'UnexpectedContent' },
    ],
    ...['accelerate', 'logging'].map(
      (subresource) =>
        [
          `the subresource ?${subresource}`,
          `DELETE /{box}?${subresource}`,
          {},
          { status: 501, Code: 'NotImplemented', ResourceType: subresource.toUpperCase() },
        ] as const,
    ),
    [
      'an unknown subresource',
      'DELETE /{box}?bogus',
      {},
      { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
    ],
    [
      'a subresource that cannot be deleted',
      'DELETE /{box}?versioning',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'DELETE', ResourceType: 'VERSIONING' },
    ],
  ]);
});
