/**
 * Contract tests of objects that are encrypted with customer-provided keys (SSE-C). See
 * test/SPECIFICATION.md, semantics B.10.
 */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { CustomerKey } from '../../../src/object-store/customer-key.ts';
import type { ObjectRef, ObjectStore } from '../../../src/object-store/object-store.ts';
import { customerKey, customerKeyMd5 } from '../../helpers/customer-keys.ts';
import {
  expectNoTrace,
  expectRefusal,
  md5,
  MIB,
  MIN_PART_BYTES,
  noise,
  put,
  read,
  readText,
} from './subject.ts';
import type { Subject } from './subject.ts';

const [ours, other] = [customerKey('ours'), customerKey('other')];
const BY_OURS = { algorithm: 'AES256', keyMd5: customerKeyMd5('ours') };

/** The number of plaintext bytes in one encrypted segment of an object. */
const SEGMENT = 64 * 1024 - 16;

type Parts = readonly Buffer[];

export function testCustomerKeys(subject: Subject): void {
  const object = async () => ({ bucket: await subject.bucket(), key: 'k' });

  describe('objects encrypted with a customer key', () => {
    test.each([
      0,
      1,
      1000,
      SEGMENT - 1,
      SEGMENT,
      SEGMENT + 1,
      65_536,
      65_537,
      3 * SEGMENT,
      2 * MIB,
    ])(
      '[ssec-9] GET with the customer key returns all %i bytes of an encrypted object, and the ETag is the MD5 of the plaintext',
      async (size) => {
        const ref = await object();
        const bytes = noise(size);
        const result = await put(subject.store, ref, bytes, { customerKey: ours });
        expect(result).toMatchObject({ etag: md5(bytes), encryption: BY_OURS });
        const { info } = await subject.store.headObject({ ...ref, customerKey: ours });
        expect(info).toMatchObject({ etag: md5(bytes), sizeBytes: size, encryption: BY_OURS });
        expect((await read(subject.store, { ...ref, customerKey: ours })).equals(bytes)).toBe(true);
      },
    );

    test.each([10, 500_000])(
      '[ssec-3] GET and HEAD of an encrypted object of %i bytes fail without the key',
      async (size) => {
        const ref = await object();
        await put(subject.store, ref, noise(size), { customerKey: ours });
        await expectRefusal(subject.store.getObject(ref), 'InvalidRequest');
        await expectRefusal(subject.store.headObject(ref), 'InvalidRequest');
        const wanted = ['ETag'] as const;
        await expectRefusal(
          subject.store.getObjectAttributes({ ...ref, wanted }),
          'InvalidRequest',
        );
      },
    );

    test.each([10, 500_000])(
      '[ssec-6] GET and HEAD of an encrypted object of %i bytes fail with a wrong key',
      async (size) => {
        const ref = await object();
        await put(subject.store, ref, noise(size), { customerKey: ours });
        const asked = { ...ref, customerKey: other };
        await expectRefusal(subject.store.getObject(asked), 'AccessDenied');
        await expectRefusal(subject.store.headObject(asked), 'AccessDenied');
        await expectRefusal(
          subject.store.getObjectAttributes({ ...asked, wanted: ['ETag'] }),
          'AccessDenied',
        );
      },
    );

    test('[ssec-7] GET and HEAD of an unencrypted object fail with a customer key', async () => {
      const ref = await object();
      await put(subject.store, ref, 'text');
      const asked = { ...ref, customerKey: ours };
      await expectRefusal(subject.store.getObject(asked), 'InvalidRequest');
      await expectRefusal(subject.store.headObject(asked), 'InvalidRequest');
    });

    test('GetObjectAttributes of an encrypted object succeeds with its customer key', async () => {
      const ref = await object();
      await put(subject.store, ref, 'text', { customerKey: ours });
      const wanted = ['ETag', 'ObjectSize', 'Checksum'] as const;
      const returned = await subject.store.getObjectAttributes({
        ...ref,
        wanted,
        customerKey: ours,
      });
      expect(returned).toMatchObject({ etag: md5('text'), sizeBytes: 4 });
    });

    test.each([
      [0, 0],
      [SEGMENT - 1, SEGMENT],
      [SEGMENT, SEGMENT],
      [2 * SEGMENT - 5, 2 * SEGMENT + 70_000],
      [1_999_990, 1_999_999],
    ])(
      '[ssec-18] a GET of an encrypted object returns the byte range from %i to %i',
      async (first, last) => {
        const ref = await object();
        const bytes = noise(2_000_000);
        await put(subject.store, ref, bytes, { customerKey: ours });
        const asked = { ...ref, range: { first, last }, customerKey: ours };
        const part = await read(subject.store, asked);
        expect(part.equals(bytes.subarray(first, last + 1))).toBe(true);
        const { range } = await subject.store.headObject(asked);
        expect(range).toEqual({ first, last });
      },
    );

    test('[ssec-19] listings and the bucket usage show the plaintext size of an encrypted object', async () => {
      const ref = await object();
      await put(subject.store, ref, noise(200_000), { customerKey: ours });
      const { objects } = await subject.store.listObjects(ref);
      expect(objects).toMatchObject([{ sizeBytes: 200_000 }]);
      const { usage } = await subject.store.headBucket(ref);
      if (usage) expect(usage.sizeBytes).toBe(200_000);
    });

    test('[ssec-10] listing, tagging and deleting an encrypted object needs no customer key', async () => {
      const ref = await object();
      await put(subject.store, ref, 'text', { customerKey: ours });
      await subject.store.putObjectTags({ ...ref, tags: [{ key: 'a', value: 'b' }] });
      expect((await subject.store.getObjectTags(ref)).tags).toEqual([{ key: 'a', value: 'b' }]);
      await subject.store.deleteObject(ref);
      await expectRefusal(subject.store.getObject({ ...ref, customerKey: ours }), 'NoSuchKey');
    });

    test('[ssec-10] locking an encrypted object needs no customer key', async () => {
      const ref = { bucket: await subject.lockBucket(), key: 'k' };
      await put(subject.store, ref, 'text', { customerKey: ours });
      await subject.store.putLegalHold({ ...ref, legalHold: true });
      expect(await subject.store.getLegalHold(ref)).toBe(true);
      await subject.store.putLegalHold({ ...ref, legalHold: false });
    });

    test('each version of an object can have its own customer key, or none', async () => {
      const bucket = await subject.bucket('Enabled');
      const ref = { bucket, key: 'k' };
      const first = await put(subject.store, ref, 'one', { customerKey: ours });
      const second = await put(subject.store, ref, 'two', { customerKey: other });
      const third = await put(subject.store, ref, 'three');
      const at = (versionId = '', key?: CustomerKey) =>
        readText(subject.store, { ...ref, versionId, ...(key && { customerKey: key }) });
      expect(await at(first.versionId, ours)).toBe('one');
      expect(await at(second.versionId, other)).toBe('two');
      expect(await at(third.versionId)).toBe('three');
      await expectRefusal(at(second.versionId, ours), 'AccessDenied');
      await expectRefusal(at(first.versionId), 'InvalidRequest');
    });

    test('an unencrypted object can overwrite an encrypted object, and vice versa', async () => {
      const ref = await object();
      await put(subject.store, ref, 'one', { customerKey: ours });
      await put(subject.store, ref, 'two');
      expect(await readText(subject.store, ref)).toBe('two');
      await put(subject.store, ref, 'three', { customerKey: other });
      expect(await readText(subject.store, { ...ref, customerKey: other })).toBe('three');
    });

    test.each([5, 200_000])(
      '[ssec-9] a put with a customer key verifies the SHA-256 and the checksum of the plaintext: %i bytes',
      async (size) => {
        const ref = await object();
        const bytes = noise(size);
        const stated = { ...bytesBody(bytes), checksum: { algorithm: 'CRC32', value: 'AAAAAA==' } };
        await expectRefusal(
          put(subject.store, ref, stated as never, { customerKey: ours }),
          'BadDigest',
        );
        const sha256 = '0'.repeat(64);
        await expectRefusal(
          put(subject.store, ref, { ...bytesBody(bytes), sha256 }, { customerKey: ours }),
          'XAmzContentSHA256Mismatch',
        );
        await expectNoTrace(subject.store, ref.bucket);
      },
    );

    test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
      '[ssec-9] the %s checksum of an encrypted object is the checksum of the plaintext',
      async (algorithm) => {
        const bucket = await subject.bucket();
        const bytes = noise(150_000);
        const body = { ...bytesBody(bytes), checksum: { algorithm } };
        const plain = await put(subject.store, { bucket, key: 'plain' }, body);
        const sealed = await put(subject.store, { bucket, key: 'sealed' }, body, {
          customerKey: ours,
        });
        expect(sealed.checksum).toEqual(plain.checksum);
      },
    );

    test('an encrypted object is readable with its customer key after the store is reopened', async () => {
      const ref = await object();
      const bytes = noise(300_000);
      await put(subject.store, ref, bytes, { customerKey: ours });
      await subject.reopen();
      expect((await read(subject.store, { ...ref, customerKey: ours })).equals(bytes)).toBe(true);
    });
  });

  describe('copies with customer keys', () => {
    const kinds = { plain: undefined, ours, other } as const;
    type Kind = keyof typeof kinds;
    const withKey = (kind: Kind) => {
      const key = kinds[kind];
      return key === undefined ? {} : { customerKey: key };
    };
    const fromKey = (kind: Kind) => {
      const key = kinds[kind];
      return key === undefined ? {} : { sourceCustomerKey: key };
    };
    const all: Kind[] = ['plain', 'ours', 'other'];
    const pairs = all.flatMap((from) => all.map((to) => [from, to] as const));

    test.each(pairs)(
      '[ssec-12] a copy from %s to %s has the bytes of its source',
      async (from, to) => {
        const bucket = await subject.bucket();
        for (const size of [0, 100, 200_000]) {
          const [source, target] = [
            { bucket, key: `from-${size}` },
            { bucket, key: `to-${size}` },
          ];
          const bytes = noise(size);
          const stored = await put(subject.store, source, bytes, withKey(from));
          const keys = { ...fromKey(from), ...withKey(to) };
          const result = await subject.store.copyObject({ source, ...target, ...keys });
          expect(result.etag).toBe(md5(bytes));
          expect(result.checksum).toEqual(stored.checksum);
          expect(result.encryption?.keyMd5).toBe(to === 'plain' ? undefined : customerKeyMd5(to));
          await subject.store.deleteObject(source);
          expect((await read(subject.store, { ...target, ...withKey(to) })).equals(bytes)).toBe(
            true,
          );
          if (to !== 'plain')
            await expectRefusal(subject.store.getObject(target), 'InvalidRequest');
        }
      },
    );

    test.each(['small', 'large'])(
      '[ssec-12] a copy of a %s encrypted source requires the customer key of the source',
      async (size) => {
        const source = await object();
        await put(subject.store, source, noise(size === 'small' ? 10 : 100_000), {
          customerKey: ours,
        });
        const copy = { source, bucket: source.bucket, key: 'copy' };
        await expectRefusal(subject.store.copyObject(copy), 'InvalidRequest');
        await expectRefusal(
          subject.store.copyObject({ ...copy, customerKey: ours }),
          'InvalidRequest',
        );
        await expectRefusal(
          subject.store.copyObject({ ...copy, sourceCustomerKey: other }),
          'AccessDenied',
        );
        await expectRefusal(
          subject.store.headObject({ bucket: source.bucket, key: 'copy' }),
          'NoSuchKey',
        );
      },
    );

    test('[ssec-7] a copy of an unencrypted source with a source customer key is rejected', async () => {
      const source = await object();
      await put(subject.store, source, 'text');
      await expectRefusal(
        subject.store.copyObject({
          source,
          bucket: source.bucket,
          key: 'copy',
          sourceCustomerKey: ours,
        }),
        'InvalidRequest',
      );
    });

    test.each([10, 300_000])(
      '[ssec-13] a copy of an object onto itself with a new customer key changes only the key: %i bytes',
      async (size) => {
        const ref = await object();
        const bytes = noise(size);
        const attributes = { contentType: 'text/plain', metadata: { a: '1' } };
        await put(subject.store, ref, bytes, { customerKey: ours, attributes });
        const rotation = { source: ref, ...ref, sourceCustomerKey: ours, customerKey: other };
        await subject.store.copyObject(rotation);
        await expectRefusal(subject.store.getObject({ ...ref, customerKey: ours }), 'AccessDenied');
        const { info } = await subject.store.headObject({ ...ref, customerKey: other });
        expect(info).toMatchObject({ ...attributes, etag: md5(bytes) });
        expect((await read(subject.store, { ...ref, customerKey: other })).equals(bytes)).toBe(
          true,
        );
      },
    );

    test('[ssec-13] a copy of an object onto itself can add or remove encryption', async () => {
      const ref = await object();
      await put(subject.store, ref, 'text');
      await subject.store.copyObject({ source: ref, ...ref, customerKey: ours });
      expect(await readText(subject.store, { ...ref, customerKey: ours })).toBe('text');
      await subject.store.copyObject({ source: ref, ...ref, sourceCustomerKey: ours });
      expect(await readText(subject.store, ref)).toBe('text');
    });

    test('a copy of an object onto itself with the same customer key is rejected', async () => {
      const ref = await object();
      await put(subject.store, ref, 'text', { customerKey: ours });
      const copy = { source: ref, ...ref, sourceCustomerKey: ours, customerKey: ours };
      await expectRefusal(subject.store.copyObject(copy), 'InvalidRequest');
    });

    test('a copy with customer keys checks the conditions on its source and its target', async () => {
      const source = await object();
      await put(subject.store, source, 'text', { customerKey: ours });
      const copy = {
        source,
        bucket: source.bucket,
        key: 'copy',
        sourceCustomerKey: ours,
        customerKey: other,
      };
      const sourceConditions = { ifMatch: [md5('another')] };
      await expectRefusal(
        subject.store.copyObject({ ...copy, sourceConditions }),
        'PreconditionFailed',
      );
      await subject.store.copyObject(copy);
      await expectRefusal(
        subject.store.copyObject({ ...copy, conditions: { ifNoneMatch: '*' } }),
        'PreconditionFailed',
      );
    });

    test('a copy with customer keys calculates a checksum if the request names an algorithm', async () => {
      const source = await object();
      await put(subject.store, source, noise(100_000), { customerKey: ours });
      const { checksum } = await subject.store.copyObject({
        source,
        bucket: source.bucket,
        key: 'copy',
        sourceCustomerKey: ours,
        customerKey: ours,
        checksumAlgorithm: 'SHA256',
      });
      expect(checksum?.algorithm).toBe('SHA256');
    });
  });
}

export function testCustomerKeyUploads(subject: Subject): void {
  const object = async () => ({ bucket: await subject.bucket(), key: 'k' });

  describe('multipart uploads with a customer key', () => {
    const parts: Parts = [noise(MIN_PART_BYTES), noise(MIN_PART_BYTES + 1), noise(77)];
    /** The parts for tests that need no middle part. */
    const two: Parts = [noise(MIN_PART_BYTES), noise(77)];

    test('[ssec-14] a multipart upload with a customer key encrypts its parts, and needs no key for its completion', async () => {
      const ref = await object();
      const whole = Buffer.concat(parts);
      const { encryption } = await upload(subject.store, ref, parts, ours);
      expect(encryption).toEqual(BY_OURS);
      const asked = { ...ref, customerKey: ours };
      expect((await read(subject.store, asked)).equals(whole)).toBe(true);
      const { info } = await subject.store.headObject(asked);
      expect(info).toMatchObject({ sizeBytes: whole.byteLength, encryption: BY_OURS });
      expect(info.etag).toMatch(/-3$/);
      const range = { first: MIN_PART_BYTES - 10, last: 2 * MIN_PART_BYTES + 20 };
      const some = await read(subject.store, { ...asked, range });
      expect(some.equals(whole.subarray(range.first, range.last + 1))).toBe(true);
      const third = await read(subject.store, { ...asked, partNumber: 3 });
      expect(third.equals(noise(77))).toBe(true);
      await expectRefusal(subject.store.getObject(ref), 'InvalidRequest');
      await expectRefusal(subject.store.getObject({ ...ref, customerKey: other }), 'AccessDenied');
    });

    test('[ssec-14] a multipart upload with a customer key rejects parts without the key or with another key', async () => {
      const ref = await object();
      const { uploadId } = await subject.store.createUpload({ ...ref, customerKey: ours });
      for (const size of [10, 200_000]) {
        const part = { ...ref, uploadId, partNumber: 1, body: bytesBody(noise(size)) };
        await expectRefusal(subject.store.uploadPart(part), 'InvalidRequest');
        await expectRefusal(
          subject.store.uploadPart({ ...part, customerKey: other }),
          'InvalidRequest',
        );
      }
      expect((await subject.store.listParts({ ...ref, uploadId })).parts).toEqual([]);
    });

    test('[ssec-7] a multipart upload without a customer key rejects parts with a key', async () => {
      const ref = await object();
      const { uploadId } = await subject.store.createUpload(ref);
      const part = { ...ref, uploadId, partNumber: 1, body: bytesBody('text') };
      await expectRefusal(
        subject.store.uploadPart({ ...part, customerKey: ours }),
        'InvalidRequest',
      );
    });

    test('a multipart upload with a customer key accepts that key for its listing and completion, and rejects another', async () => {
      const ref = await object();
      const key = { customerKey: ours };
      const { uploadId } = await subject.store.createUpload({ ...ref, ...key });
      const body = bytesBody('text');
      const { etag } = await subject.store.uploadPart({
        ...ref,
        uploadId,
        partNumber: 1,
        body,
        ...key,
      });
      const wrong = { ...ref, uploadId, customerKey: other };
      await expectRefusal(subject.store.listParts(wrong), 'AccessDenied');
      const completion = { ...ref, uploadId, parts: [{ partNumber: 1, etag }] };
      await expectRefusal(
        subject.store.completeUpload({ ...completion, customerKey: other }),
        'AccessDenied',
      );
      const listed = await subject.store.listParts({ ...ref, uploadId, ...key });
      expect(listed.parts).toMatchObject([{ sizeBytes: 4 }]);
      const first = await subject.store.completeUpload({ ...completion, ...key });
      expect(await subject.store.completeUpload({ ...completion, ...key })).toEqual(first);
    });

    test('[ssec-12] a copy of an encrypted multipart object can keep, change or remove its customer key', async () => {
      const source = await object();
      const { bucket } = source;
      const whole = Buffer.concat(two);
      await upload(subject.store, source, two, ours);
      const from = { source, bucket, sourceCustomerKey: ours };
      const targets = [
        ['same', { customerKey: ours }],
        ['rotated', { customerKey: other }],
        ['plain', {}],
      ] as const;
      for (const [key, keys] of targets) {
        const { etag } = await subject.store.copyObject({ ...from, key, ...keys });
        expect(etag).toMatch(/-2$/);
        const asked = { bucket, key, ...keys };
        expect((await read(subject.store, asked)).equals(whole)).toBe(true);
        const second = await read(subject.store, { ...asked, partNumber: 2 });
        expect(second.equals(noise(77))).toBe(true);
      }
    });

    test('[ssec-14] a part copy into an encrypted multipart upload accepts a source with another customer key', async () => {
      const ref = await object();
      const source = { bucket: ref.bucket, key: 'source' };
      const bytes = noise(300_000);
      await put(subject.store, source, bytes, { customerKey: other });
      const { uploadId } = await subject.store.createUpload({ ...ref, customerKey: ours });
      const part = { ...ref, uploadId, partNumber: 1, source, range: { first: 5, last: 99_999 } };
      const keys = { sourceCustomerKey: other, customerKey: ours };
      await expectRefusal(subject.store.copyPart({ ...part, customerKey: ours }), 'InvalidRequest');
      await expectRefusal(
        subject.store.copyPart({ ...part, ...keys, sourceCustomerKey: ours }),
        'AccessDenied',
      );
      await expectRefusal(
        subject.store.copyPart({ ...part, sourceCustomerKey: other }),
        'InvalidRequest',
      );
      const { etag, encryption } = await subject.store.copyPart({ ...part, ...keys });
      expect(encryption).toEqual(BY_OURS);
      await subject.store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
      const copied = await read(subject.store, { ...ref, customerKey: ours });
      expect(copied.equals(bytes.subarray(5, 100_000))).toBe(true);
    });

    test('a part of an encrypted multipart upload can be uploaded again', async () => {
      const ref = await object();
      const key = { customerKey: ours };
      const { uploadId } = await subject.store.createUpload({ ...ref, ...key });
      const part = { ...ref, uploadId, partNumber: 1, ...key };
      await subject.store.uploadPart({ ...part, body: bytesBody(noise(100_000)) });
      const { etag } = await subject.store.uploadPart({ ...part, body: bytesBody('second') });
      await subject.store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
      expect(await readText(subject.store, { ...ref, ...key })).toBe('second');
    });
  });
}

/** Creates a multipart upload, uploads its parts and completes it, always with the customer key. */
async function upload(store: ObjectStore, ref: ObjectRef, parts: Parts, key: CustomerKey) {
  const begun = await store.createUpload({ ...ref, customerKey: key });
  const { uploadId } = begun;
  const sent = [];
  for (const [index, bytes] of parts.entries()) {
    const part = { ...ref, uploadId, partNumber: index + 1, body: bytesBody(bytes) };
    const { etag, encryption } = await store.uploadPart({ ...part, customerKey: key });
    expect(encryption).toEqual(begun.encryption);
    sent.push({ partNumber: index + 1, etag });
  }
  await store.completeUpload({ ...ref, uploadId, parts: sent });
  return begun;
}
