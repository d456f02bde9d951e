/** Contract tests of conditional writes. The store checks the condition and writes in one atomic step. */

import { describe, expect, test } from 'vitest';

import { expectNoTrace, expectRefusal, KIB, md5, noise, put, read, readText } from './subject.ts';
import type { Subject } from './subject.ts';

export function testWriteConditions(subject: Subject): void {
  describe('conditional writes of objects', () => {
    const ifNoneMatch = '*' as const;
    const etag = md5('text');

    test('a put with If-None-Match: * creates a missing key', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text', { conditions: { ifNoneMatch } });
      expect(await readText(subject.store, ref)).toBe('text');
    });

    test('a put with If-None-Match: * fails when the key exists', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text');
      const attempt = put(subject.store, ref, 'new', { conditions: { ifNoneMatch } });
      const error = await expectRefusal(attempt, 'PreconditionFailed');
      expect(error.details.Condition).toBe('If-None-Match');
      expect(await readText(subject.store, ref)).toBe('text');
    });

    test('a put with If-None-Match: * replaces a delete marker', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      await subject.store.deleteObject(ref);
      await put(subject.store, ref, 'new', { conditions: { ifNoneMatch } });
      expect(await readText(subject.store, ref)).toBe('new');
    });

    test.each([etag, '*'])(
      'a put with If-Match: %s replaces the object with that ETag',
      async (ifMatch) => {
        const ref = { bucket: await subject.bucket(), key: 'k' };
        await put(subject.store, ref, 'text');
        await put(subject.store, ref, 'new', { conditions: { ifMatch } });
        expect(await readText(subject.store, ref)).toBe('new');
      },
    );

    test('a put with If-Match fails if the object has another ETag', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      const attempt = put(subject.store, ref, 'new', { conditions: { ifMatch: md5('new') } });
      await expectRefusal(attempt, 'PreconditionFailed');
      expect((await subject.store.listVersions({ bucket: ref.bucket })).versions).toHaveLength(1);
    });

    test.each([etag, '*'])(
      'a put with If-Match: %s of a missing key fails with NoSuchKey',
      async (ifMatch) => {
        const bucket = await subject.bucket('Enabled');
        const attempt = put(subject.store, { bucket, key: 'k' }, 'text', {
          conditions: { ifMatch },
        });
        await expectRefusal(attempt, 'NoSuchKey');
        await expectNoTrace(subject.store, bucket);
      },
    );

    test('a put with If-Match fails with NoSuchKey if the current version is a delete marker', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      await subject.store.deleteObject(ref);
      const attempt = put(subject.store, ref, 'new', { conditions: { ifMatch: etag } });
      await expectRefusal(attempt, 'NoSuchKey');
    });

    test.each([100, 100 * KIB])(
      'exactly one of 32 parallel puts of %i bytes with If-None-Match: * succeeds',
      async (sizeBytes) => {
        const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
        const contents = Array.from({ length: 32 }, (_, index) => noise(sizeBytes + index));
        const attempts = await Promise.allSettled(
          contents.map((each) => put(subject.store, ref, each, { conditions: { ifNoneMatch } })),
        );
        const winners = contents.filter((_, index) => attempts[index]?.status === 'fulfilled');
        expect(winners).toHaveLength(1);
        for (const attempt of attempts) {
          if (attempt.status === 'rejected') {
            await expectRefusal(Promise.reject(attempt.reason as Error), 'PreconditionFailed');
          }
        }
        expect((await subject.store.listVersions({ bucket: ref.bucket })).versions).toHaveLength(1);
        expect(winners[0]?.equals(await read(subject.store, ref))).toBe(true);
      },
    );

    test('[cond-5] exactly one of 32 parallel puts with the same ETag in If-Match succeeds', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      const conditions = { ifMatch: etag };
      const attempts = await Promise.allSettled(
        Array.from({ length: 32 }, (_, index) =>
          put(subject.store, ref, `${index}`, { conditions }),
        ),
      );
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await subject.store.listVersions({ bucket: ref.bucket })).versions).toHaveLength(2);
    });

    test('a copy with If-None-Match: * fails when the target exists', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'from' }, 'text');
      const request = { source: { bucket, key: 'from' }, bucket, key: 'to' };
      const conditions = { ifNoneMatch };
      await subject.store.copyObject({ ...request, conditions });
      await expectRefusal(
        subject.store.copyObject({ ...request, conditions }),
        'PreconditionFailed',
      );
    });

    test('a copy with If-Match compares the ETag of the target, not of the source', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'from' }, 'text');
      await put(subject.store, { bucket, key: 'to' }, 'old');
      const request = { source: { bucket, key: 'from' }, bucket, key: 'to' };
      const attempt = subject.store.copyObject({ ...request, conditions: { ifMatch: etag } });
      await expectRefusal(attempt, 'PreconditionFailed');
      await subject.store.copyObject({ ...request, conditions: { ifMatch: md5('old') } });
      expect(await readText(subject.store, { bucket, key: 'to' })).toBe('text');
    });

    test.each(['Enabled', undefined] as const)(
      'a delete with If-Match deletes only the matching object (bucket versioning: %s)',
      async (versioning) => {
        const ref = { bucket: await subject.bucket(versioning), key: 'k' };
        await put(subject.store, ref, 'text');
        const attempt = subject.store.deleteObject({ ...ref, conditions: { ifMatch: md5('x') } });
        await expectRefusal(attempt, 'PreconditionFailed');
        expect(await readText(subject.store, ref)).toBe('text');
        await subject.store.deleteObject({ ...ref, conditions: { ifMatch: etag } });
        await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      },
    );
  });
}
