/**
 * Contract tests of checksums. The store verifies them on upload, stores them with each version, and
 * returns them on request.
 */

import { describe, expect, test } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import {
  type Checksum,
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type ObjectChecksum,
} from '../../../src/object-store/checksum.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import type {
  CompletedPart,
  UploadChecksum,
  UploadRef,
} from '../../../src/object-store/multipart.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { completedChecksum } from '../../../src/object-store/rules/checksums.ts';
import { expectNoTrace, expectRefusal, KIB, MIB, MIN_PART_BYTES, noise } from './subject.ts';
import { put, read, sha256, streamBody } from './subject.ts';
import type { Subject } from './subject.ts';

const PART = noise(MIN_PART_BYTES);
const END = noise(70 * KIB);

const full = (algorithm: ChecksumAlgorithm, bytes: Uint8Array): ObjectChecksum => ({
  algorithm,
  value: checksumOf(algorithm, bytes),
  type: 'FULL_OBJECT',
});

const checksumIn = async (store: ObjectStore, ref: { bucket: string; key: string }) =>
  (await store.headObject({ ...ref, withChecksum: true })).info.checksum;

export function testChecksums(subject: Subject): void {
  describe.each(CHECKSUM_ALGORITHMS)('%s checksums of objects', (algorithm) => {
    const other = checksumOf(algorithm, Buffer.from('other'));

    // The small sizes are stored in the database, and the large sizes in a file.
    test.each([0, 1000, 64 * KIB, 64 * KIB + 1, 300 * KIB])(
      'the store calculates the checksum of %i bytes on request, and verifies it if the request contains one',
      async (size) => {
        const ref = { bucket: await subject.bucket(), key: 'k' };
        const bytes = noise(size);
        const checksum = full(algorithm, bytes);
        const asked = streamBody(bytes, { sizeBytes: size, checksum: { algorithm } });
        expect((await put(subject.store, ref, asked)).checksum).toEqual(checksum);
        const stated = { sizeBytes: size, checksum: { algorithm, value: checksum.value } };
        expect((await put(subject.store, ref, streamBody(bytes, stated))).checksum).toEqual(
          checksum,
        );
        const wrong = { sizeBytes: size, checksum: { algorithm, value: other } };
        await expectRefusal(put(subject.store, ref, streamBody(bytes, wrong)), 'BadDigest');
        expect(await checksumIn(subject.store, ref)).toEqual(checksum);
        const { info, body } = await subject.store.getObject({ ...ref, withChecksum: true });
        for await (const _ of body);
        expect(info.checksum).toEqual(checksum);
      },
    );

    test('[sum-1] a put with a wrong checksum stores nothing', async () => {
      const bucket = await subject.bucket();
      for (const size of [10, 100 * KIB]) {
        const body = streamBody(noise(size), {
          sizeBytes: size,
          checksum: { algorithm, value: other },
        });
        await expectRefusal(put(subject.store, { bucket, key: 'k' }, body), 'BadDigest');
      }
      await expectNoTrace(subject.store, bucket);
    });

    test('a put with a checksum and a SHA-256 of the body verifies both', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      for (const size of [10, 300 * KIB]) {
        const bytes = noise(size);
        const stated = { sizeBytes: size, sha256: sha256(bytes) };
        const body = streamBody(bytes, { ...stated, checksum: { algorithm } });
        expect((await put(subject.store, ref, body)).checksum).toEqual(full(algorithm, bytes));
        const wrong = { ...stated, checksum: { algorithm, value: other } };
        await expectRefusal(put(subject.store, ref, streamBody(bytes, wrong)), 'BadDigest');
      }
    });

    test('a copy calculates a checksum if the request names an algorithm', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'from' };
      for (const size of [0, 10, 200 * KIB]) {
        const bytes = noise(size);
        await put(subject.store, source, bytes);
        const copy = { source, bucket, key: 'to', checksumAlgorithm: algorithm };
        const { checksum } = await subject.store.copyObject(copy);
        expect(checksum).toEqual(full(algorithm, bytes));
        expect(await checksumIn(subject.store, { bucket, key: 'to' })).toEqual(checksum);
      }
    });
  });

  describe('checksums of objects and copies', () => {
    test('the store calculates the checksum of a large stream', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const bytes = noise(9 * MIB);
      const body = { sizeBytes: bytes.length, checksum: { algorithm: 'CRC64NVME' } } as const;
      const { checksum } = await put(subject.store, ref, streamBody(bytes, body));
      expect(checksum).toEqual(full('CRC64NVME', bytes));
    });

    test('a GET returns the checksum only on request, and never for a range', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const body = streamBody(Buffer.from('hello'), { checksum: { algorithm: 'CRC32C' } });
      await put(subject.store, ref, body);
      expect((await subject.store.headObject(ref)).info).not.toHaveProperty('checksum');
      const range = { first: 1, last: 3 };
      const part = await subject.store.headObject({ ...ref, range, withChecksum: true });
      expect(part.info).not.toHaveProperty('checksum');
    });

    test('an object that is put without a checksum gets a calculated checksum', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      for (const size of [0, 10, 300 * KIB]) {
        const { checksum } = await put(subject.store, ref, noise(size));
        expect(checksum).toEqual(await checksumIn(subject.store, ref));
        expect(checksum).toEqual(full(checksum?.algorithm ?? 'CRC32', noise(size)));
      }
    });

    test('each version of an object has its own checksum', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const bodyOf = (text: string, algorithm: ChecksumAlgorithm) =>
        streamBody(Buffer.from(text), { checksum: { algorithm } });
      const old = await put(subject.store, ref, bodyOf('old', 'SHA1'));
      await put(subject.store, ref, bodyOf('new', 'CRC64NVME'));
      const versionId = String(old.versionId);
      const { info } = await subject.store.headObject({ ...ref, versionId, withChecksum: true });
      expect(info.checksum).toEqual(full('SHA1', Buffer.from('old')));
      expect(await checksumIn(subject.store, ref)).toEqual(full('CRC64NVME', Buffer.from('new')));
    });

    test('a copy without a checksum algorithm in its request keeps the checksum of its source', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'from' };
      const body = streamBody(Buffer.from('text'), { checksum: { algorithm: 'SHA256' } });
      const { checksum } = await put(subject.store, source, body);
      const copied = await subject.store.copyObject({ source, bucket, key: 'to' });
      expect(copied.checksum).toEqual(checksum);
      expect(await checksumIn(subject.store, { bucket, key: 'to' })).toEqual(checksum);
    });

    test('a copy of an object onto itself can change its checksum algorithm', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text', { attributes: { metadata: { a: '1' } } });
      await subject.store.copyObject({ source: ref, ...ref, checksumAlgorithm: 'SHA256' });
      const { info } = await subject.store.headObject({ ...ref, withChecksum: true });
      expect(info.checksum).toEqual(full('SHA256', Buffer.from('text')));
      expect(info.metadata).toEqual({ a: '1' });
    });

    test('a copy of a missing source fails with NoSuchKey, also if the request names a checksum algorithm', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'none' };
      const copy = { source, bucket, key: 'to', checksumAlgorithm: 'SHA1' } as const;
      await expectRefusal(subject.store.copyObject(copy), 'NoSuchKey');
    });
  });
}

export function testUploadChecksums(subject: Subject): void {
  const begin = async (checksum: UploadChecksum = {}): Promise<UploadRef> => {
    const ref = { bucket: await subject.bucket(), key: 'k' };
    const { uploadId } = await subject.store.createUpload({ ...ref, ...checksum });
    return { ...ref, uploadId };
  };

  const add = async (
    upload: UploadRef,
    partNumber: number,
    bytes: Uint8Array,
    checksum?: { readonly algorithm: ChecksumAlgorithm; readonly value?: string },
  ): Promise<CompletedPart> => {
    const body = streamBody(bytes, defined({ sizeBytes: bytes.length, checksum }));
    return { partNumber, ...(await subject.store.uploadPart({ ...upload, partNumber, body })) };
  };

  const joined = (
    { checksumAlgorithm: algorithm = 'CRC32', ...upload }: UploadChecksum,
    ...pieces: Uint8Array[]
  ) =>
    completedChecksum(
      pieces.map((bytes) => ({
        sizeBytes: bytes.length,
        checksum: { algorithm, value: checksumOf(algorithm, bytes) },
      })),
      { checksumAlgorithm: algorithm, ...upload },
      {},
    );

  describe('checksums of multipart uploads', () => {
    test.each<Required<UploadChecksum>>([
      { checksumAlgorithm: 'CRC32', checksumType: 'COMPOSITE' },
      { checksumAlgorithm: 'CRC32', checksumType: 'FULL_OBJECT' },
      { checksumAlgorithm: 'CRC32C', checksumType: 'COMPOSITE' },
      { checksumAlgorithm: 'CRC32C', checksumType: 'FULL_OBJECT' },
      { checksumAlgorithm: 'CRC64NVME', checksumType: 'FULL_OBJECT' },
      { checksumAlgorithm: 'SHA1', checksumType: 'COMPOSITE' },
      { checksumAlgorithm: 'SHA256', checksumType: 'COMPOSITE' },
    ])(
      'a multipart upload with the algorithm $checksumAlgorithm and the type $checksumType combines the checksums of its parts',
      async (asked) => {
        const upload = await begin(asked);
        const { checksumAlgorithm: algorithm, checksumType } = asked;
        const parts = [
          await add(upload, 1, PART, { algorithm }),
          await add(upload, 2, END, { algorithm, value: checksumOf(algorithm, END) }),
        ];
        expect(parts.map(({ checksum }) => checksum)).toEqual([
          { algorithm, value: checksumOf(algorithm, PART) },
          { algorithm, value: checksumOf(algorithm, END) },
        ]);
        const listed = await subject.store.listParts(upload);
        expect(listed).toMatchObject({ ...asked, parts });
        const { uploads } = await subject.store.listUploads({ bucket: upload.bucket });
        expect(uploads).toMatchObject([asked]);
        const checksum = joined(asked, PART, END);
        expect(checksum?.type).toBe(checksumType);
        const stated: Checksum = { algorithm, value: checksum?.value ?? '' };
        const done = await subject.store.completeUpload({
          ...upload,
          parts,
          checksum: stated,
          checksumType,
          sizeBytes: PART.length + END.length,
        });
        expect(done.checksum).toEqual(checksum);
        expect(await subject.store.completeUpload({ ...upload, parts })).toEqual(done);
        expect(await checksumIn(subject.store, upload)).toEqual(checksum);
        if (checksumType === 'FULL_OBJECT') {
          expect(checksum).toEqual(full(algorithm, await read(subject.store, upload)));
        }
      },
    );

    test('the store calculates missing checksums of parts by the algorithm of their multipart upload', async () => {
      const upload = await begin({ checksumAlgorithm: 'CRC64NVME' });
      const parts = [await add(upload, 1, PART), await add(upload, 2, END)];
      const { checksum } = await subject.store.completeUpload({ ...upload, parts });
      expect(checksum).toEqual(full('CRC64NVME', Buffer.concat([PART, END])));
    });

    test('a multipart upload without a checksum algorithm gets a full-object checksum', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, PART), await add(upload, 2, END)];
      const { checksum } = await subject.store.completeUpload({ ...upload, parts });
      expect(checksum).toEqual(full(checksum?.algorithm ?? 'CRC32', Buffer.concat([PART, END])));
    });

    test('the checksum of a multipart object covers only the parts that the completion lists', async () => {
      const upload = await begin({ checksumAlgorithm: 'SHA256' });
      const part = await add(upload, 2, END);
      await add(upload, 1, PART);
      const { checksum } = await subject.store.completeUpload({ ...upload, parts: [part] });
      expect(checksum).toEqual(joined({ checksumAlgorithm: 'SHA256' }, END));
    });

    test('a multipart upload rejects parts with another checksum algorithm or a wrong checksum', async () => {
      const upload = await begin({ checksumAlgorithm: 'CRC32C' });
      for (const bytes of [END, noise(10)]) {
        await expectRefusal(add(upload, 1, bytes, { algorithm: 'SHA1' }), 'InvalidRequest');
        const wrong = { algorithm: 'CRC32C', value: checksumOf('CRC32C', PART) } as const;
        await expectRefusal(add(upload, 1, bytes, wrong), 'BadDigest');
      }
      expect((await subject.store.listParts(upload)).parts).toEqual([]);
    });

    test('a completion with a wrong checksum or size is rejected, and the multipart upload remains open', async () => {
      const upload = await begin({ checksumAlgorithm: 'CRC32', checksumType: 'FULL_OBJECT' });
      const part = await add(upload, 1, END);
      const complete = (more: object) =>
        subject.store.completeUpload({ ...upload, parts: [part], ...more });
      const algorithm = 'CRC32';
      const wrong = { algorithm, value: checksumOf(algorithm, PART) };
      await expectRefusal(complete({ checksum: wrong }), 'BadDigest');
      await expectRefusal(complete({ parts: [{ ...part, checksum: wrong }] }), 'InvalidPart');
      const sha1 = { algorithm: 'SHA1', value: checksumOf('SHA1', END) };
      await expectRefusal(complete({ checksum: sha1 }), 'InvalidRequest');
      await expectRefusal(complete({ parts: [{ ...part, checksum: sha1 }] }), 'InvalidPart');
      await expectRefusal(complete({ checksumType: 'COMPOSITE' }), 'InvalidRequest');
      await expectRefusal(complete({ sizeBytes: END.length + 1 }), 'InvalidRequest');
      const { etag, partNumber } = part;
      const done = await complete({ parts: [{ partNumber, etag }], sizeBytes: END.length });
      expect(done.checksum).toEqual(full('CRC32', END));
    });

    test.each<UploadChecksum>([
      { checksumType: 'FULL_OBJECT' },
      { checksumAlgorithm: 'SHA1', checksumType: 'FULL_OBJECT' },
      { checksumAlgorithm: 'CRC64NVME', checksumType: 'COMPOSITE' },
    ])('a multipart upload cannot be created with %j', async (checksum) => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await expectRefusal(subject.store.createUpload({ ...ref, ...checksum }), 'InvalidRequest');
    });

    test('a copy keeps a composite checksum, and calculates a full-object checksum if the request names an algorithm', async () => {
      const upload = await begin({ checksumAlgorithm: 'SHA256' });
      const parts = [await add(upload, 1, PART), await add(upload, 2, END)];
      const { checksum } = await subject.store.completeUpload({ ...upload, parts });
      const { bucket, key } = upload;
      const copy = { source: { bucket, key }, bucket, key: 'to' };
      expect((await subject.store.copyObject(copy)).checksum).toEqual(checksum);
      const whole = await subject.store.copyObject({ ...copy, checksumAlgorithm: 'SHA256' });
      expect(whole.checksum).toEqual(full('SHA256', Buffer.concat([PART, END])));
    });
  });
}
