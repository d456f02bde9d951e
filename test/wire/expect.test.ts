/**
 * Tests of the Expect header. The value `100-continue` requests an interim response before the
 * body; all others are ignored.
 */

import { expect, test } from 'vitest';
import { MAX_INLINE_BYTES } from '../../src/engine/blobs/incoming-body.ts';
import { accessKey, stranger, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type Given } from '../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  test.each(['', '200-ok', '100-continued', 'fancy=1'])(
    '[expect-1] a PUT with the header Expect: %s is stored like a PUT without it',
    async (value) => {
      const given = { body: 'hello', headers: { expect: value } };
      expect((await wire.send('PUT /{box}/k', given)).status).toBe(200);
      expect((await wire.send('GET /{box}/k', { headers: { expect: value } })).text()).toBe(
        'hello',
      );
    },
  );

  /** Returns the status of the first response to a request that waits for `100 Continue`. */
  const firstStatus = async (line: string, sizeBytes: number, as: Given['as']) => {
    const headers = { expect: '100-continue', 'content-length': String(sizeBytes) };
    const contentSha256 = 'UNSIGNED-PAYLOAD';
    const request = wire.request(line, { headers, contentSha256, ...(as && { as }) });
    const socket = wire.bench.connect();
    socket.write(wire.bench.head(wire.dialect, request));
    return (await socket.answer(request.method)).status;
  };

  test.each([1, MAX_INLINE_BYTES, MAX_INLINE_BYTES + 1, 10_000_000])(
    '[expect-2] a PUT without permission and with a body of %i bytes is rejected before 100 Continue',
    async (sizeBytes) => {
      const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key: 'k' });
      wire.name('upload', uploadId);
      const lines = ['PUT /{box}/k', 'PUT /{box}/k?partNumber=1&uploadId={upload}'];
      for (const line of lines) {
        expect(await firstStatus(line, sizeBytes, stranger)).toBe(403);
        expect(await firstStatus(line, sizeBytes, accessKey)).toBe(100);
      }
      expect(await firstStatus('PUT /no-such-bucket/k', sizeBytes, accessKey)).toBe(404);
      const noUpload = 'PUT /{box}/k?partNumber=1&uploadId=none';
      expect(await firstStatus(noUpload, sizeBytes, accessKey)).toBe(404);
    },
  );
});
