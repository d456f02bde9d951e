/** Tests of AbortMultipartUpload over HTTP. */

import { expect, test } from 'vitest';
import { bytesBody } from '../../../src/object-store/body.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}/k?uploadId={id}';
  const upload = () => ({ bucket: wire.get('box'), key: 'k', uploadId: wire.get('id') });
  const begin = async () => {
    const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key: 'k' });
    wire.name('id', uploadId);
    await wire.store.uploadPart({ ...upload(), partNumber: 1, body: bytesBody('hello') });
  };
  const noUpload = (UploadId = '{id}') => ({ status: 404, Code: 'NoSuchUpload', UploadId });

  test('[mpu-9] AbortMultipartUpload returns 204 without a body, and 404 when repeated', async () => {
    await begin();
    expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
    expect((await wire.store.listUploads({ bucket: wire.get('box') })).uploads).toEqual([]);
    expect(await wire.refusal(line)).toEqual(noUpload());
  });

  test('AbortMultipartUpload does not change an existing object with the same key', async () => {
    await wire.put('k', 'kept');
    await begin();
    await wire.send(line, { as: colleague });
    expect((await wire.send('GET /{box}/k')).text()).toBe('kept');
  });

  refusesStrangers(wire, 'DELETE /{box}/k?uploadId=x');

  wire.refuses(
    [
      ['an unknown upload id', 'DELETE /{box}/k?uploadId=x', {}, noUpload('x')],
      ['a multipart upload of another key', 'DELETE /{box}/other?uploadId={id}', {}, noUpload()],
      [
        'an empty upload id',
        'DELETE /{box}/k?uploadId=',
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'uploadId', ArgumentValue: '' },
      ],
      [
        'an unexpected request body',
        line,
        { body: 'x' },
        { status: 400, Code: 'UnexpectedContent' },
      ],
    ],
    begin,
  );

  test('AbortMultipartUpload of a completed upload is rejected', async () => {
    await begin();
    const parts = [{ partNumber: 1, etag: '5d41402abc4b2a76b9719d911017c592' }];
    await wire.store.completeUpload({ ...upload(), parts });
    expect(await wire.refusal(line)).toEqual(noUpload());
    expect((await wire.send('GET /{box}/k')).text()).toBe('hello');
  });
});
