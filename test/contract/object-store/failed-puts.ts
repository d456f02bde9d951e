/** Contract tests that a failed put stores nothing. */

import { describe, expect, test } from 'vitest';

import type { Body } from '../../../src/object-store/body.ts';
import { expectNoTrace, expectRefusal, KIB, noise, put, readText, sha256 } from './subject.ts';
import { streamBody } from './subject.ts';
import type { Subject } from './subject.ts';

export function testFailedPuts(subject: Subject): void {
  describe('puts that fail', () => {
    const bytes = noise(200 * KIB);
    const failing = (sizeBytes: number, fail: () => void): Body => ({
      sizeBytes: bytes.byteLength,
      replayable: false,
      async *open() {
        yield bytes.subarray(0, sizeBytes);
        fail();
        yield bytes.subarray(sizeBytes);
      },
    });
    const breakDown = () => {
      throw new Error('the disk broke');
    };

    test.each([0, 1000, 150 * KIB])(
      'a put whose stream fails after %i bytes is rejected and stores nothing',
      async (sizeBytes) => {
        const bucket = await subject.bucket('Enabled');
        const body = failing(sizeBytes, breakDown);
        await expect(put(subject.store, { bucket, key: 'k' }, body)).rejects.toThrow(
          'the disk broke',
        );
        await expectNoTrace(subject.store, bucket);
      },
    );

    test('a failed put does not change the existing object', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'before');
      await expect(put(subject.store, ref, failing(1000, breakDown))).rejects.toThrow('broke');
      expect(await readText(subject.store, ref)).toBe('before');
    });

    test.each([0, 1000, 150 * KIB])(
      'a put that is aborted after %i bytes rejects with the reason of the abort and stores nothing',
      async (sizeBytes) => {
        const bucket = await subject.bucket('Enabled');
        const controller = new AbortController();
        const body = failing(sizeBytes, () => controller.abort());
        const { signal } = controller;
        const attempt = subject.store.putObject({ bucket, key: 'k', body }, { signal });
        const reason: unknown = await attempt.catch((error: unknown) => error);
        expect(reason).toBe(signal.reason);
        await expectNoTrace(subject.store, bucket);
      },
    );

    test('a put that was aborted before it began rejects with the reason of the abort', async () => {
      const bucket = await subject.bucket();
      const signal = AbortSignal.abort(new DOMException('no more', 'AbortError'));
      const body = failing(1000, () => undefined);
      const attempt = subject.store.putObject({ bucket, key: 'k', body }, { signal });
      expect(await attempt.catch((error: unknown) => error)).toBe(signal.reason);
      await expectNoTrace(subject.store, bucket);
    });

    test.each([10, 200 * KIB])(
      'a put whose %i bytes do not match the SHA-256 in the request is rejected and stores nothing',
      async (sizeBytes) => {
        const bucket = await subject.bucket('Enabled');
        const content = noise(sizeBytes);
        const body = streamBody(content, { sizeBytes, sha256: sha256('other') });
        const attempt = put(subject.store, { bucket, key: 'k' }, body);
        await expectRefusal(attempt, 'XAmzContentSHA256Mismatch', 'BadDigest');
        await expectNoTrace(subject.store, bucket);
      },
    );

    test.each([-1, 1])(
      'a put whose size differs by %i from the size in the request stores nothing',
      async (difference) => {
        const bucket = await subject.bucket('Enabled');
        const body = streamBody(bytes, { sizeBytes: bytes.byteLength - difference });
        const attempt = put(subject.store, { bucket, key: 'k' }, body);
        await expect(attempt).rejects.toBeInstanceOf(Error);
        await expectNoTrace(subject.store, bucket);
      },
    );
  });
}
