/**
 * Tests that FORMAT.md describes the encryption completely, with a reader that decrypts stored
 * objects and shares no code with the engine.
 */

import { createDecipheriv, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../../src/object-store/body.ts';
import { customerKey, customerKeyBytes } from '../../../helpers/customer-keys.ts';
import { blobPath } from '../../../helpers/store-files.ts';
import { openTestEngine, patternBytes } from '../../../helpers/test-engine.ts';

interface StoredPart {
  readonly partNumber: number;
  readonly encryption: string;
  readonly bucketId: number;
  readonly key: string;
  readonly salt: Buffer;
  readonly file: string | null;
  readonly bytes: Buffer | null;
}

const NULLS = Buffer.alloc(12);

function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

const derive = (key: Uint8Array, salt: Uint8Array, info: string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

function decryptPart(stored: StoredPart, customer: Buffer, dir: string): Buffer {
  const { salt, wrappedKey } = JSON.parse(stored.encryption) as Record<string, string>;
  const info = `holdfast object key\0${stored.bucketId}\0${stored.key}`;
  const wrapping = derive(customer, Buffer.from(salt ?? '', 'base64'), info, 32);
  const objectKey = decrypt(wrapping, NULLS, Buffer.from(wrappedKey ?? '', 'base64'));
  const info2 = `holdfast part\0${stored.partNumber}`;
  const key = stored.partNumber === 0 ? objectKey : derive(objectKey, stored.salt, info2, 32);
  const sealed = stored.bytes ?? readFileSync(blobPath(dir, stored.file ?? ''));
  const pieces: Buffer[] = [];
  const count = Math.ceil(sealed.byteLength / 65_536);
  for (let index = 0; index < count; index++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(index);
    const last = Buffer.from([index === count - 1 ? 1 : 0]);
    const nonce = Buffer.concat([stored.salt.subarray(0, 7), number, last]);
    const segment = sealed.subarray(index * 65_536, (index + 1) * 65_536);
    pieces.push(decrypt(key, nonce, segment));
  }
  return Buffer.concat(pieces);
}

test('[ssec-22] an independent program decrypts objects, multipart objects and copies with the customer key', async () => {
  const { store, engine, dir } = await openTestEngine();
  const key = { customerKey: customerKey('k') };
  const bucket = 'bucket';
  await store.createBucket({ bucket });
  const put = (name: string, bytes: Buffer) =>
    store.putObject({ bucket, key: name, body: bytesBody(bytes), ...key });
  const small = patternBytes(1000);
  const large = patternBytes(300_000);
  await put('small/ä', small);
  await put('large', large);
  const source = { bucket, key: 'large' };
  const copy = { source, bucket, key: 'copy', sourceCustomerKey: customerKey('k') };
  await store.copyObject({ ...copy, ...key });
  const ref = { bucket, key: 'parts' };
  const { uploadId } = await store.createUpload({ ...ref, ...key });
  const body = bytesBody(large);
  const part = { ...ref, uploadId, partNumber: 4, body, ...key };
  const { etag } = await store.uploadPart(part);
  await store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 4, etag }] });
  await engine.close();

  const database = new Database(join(dir, 'store.sqlite'), { readonly: true });
  const find = database.prepare<[string], StoredPart>(
    `SELECT coalesce(part_number, 0) AS partNumber, encryption, bucket_id AS bucketId, key, salt, file, bytes
     FROM version LEFT JOIN manifest_part USING (manifest_id)
       JOIN blob ON blob.blob_id = coalesce(version.blob_id, manifest_part.blob_id) WHERE key = ?`,
  );
  for (const [name, bytes] of [
    ['small/ä', small],
    ['large', large],
    ['copy', large],
    ['parts', large],
  ] as const) {
    const stored = find.get(name);
    if (stored === undefined) throw new Error(`find ${name}: it is not there`);
    expect(decryptPart(stored, customerKeyBytes('k'), dir).equals(bytes)).toBe(true);
  }
  database.close();
});
