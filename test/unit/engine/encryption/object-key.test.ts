/** Tests of the encryption (wrapping) of an object key with the customer key. */

import { createSecretKey } from 'node:crypto';

import { expect, test } from 'vitest';

import {
  objectKeyOf,
  unwrapObjectKey,
  wrapObjectKey,
} from '../../../../src/engine/encryption/object-key.ts';
import { StorageError } from '../../../../src/object-store/storage-error.ts';
import { customerKey, customerKeyBytes } from '../../../helpers/customer-keys.ts';

const ours = customerKey('ours');
const place = { bucketId: 7, key: 'a/b' };
const objectKey = createSecretKey(Buffer.alloc(32, 5));
const wrapped = wrapObjectKey(objectKey, ours, place);

test('the store unwraps an object key with the customer key and object name that it was wrapped with', () => {
  expect(unwrapObjectKey(wrapped, ours, place).equals(objectKey)).toBe(true);
});

test.each([
  ['another customer key', customerKey('other'), place],
  ['an object in another bucket', ours, { ...place, bucketId: 8 }],
  ['an object with another name', ours, { ...place, key: 'a/c' }],
  ['an object whose name starts with a NUL character', ours, { bucketId: 7, key: '\0a/b' }],
])(
  '[ssec-17] the store fails to unwrap an object key for %s with AccessDenied',
  (_, key, where) => {
    expect(() => unwrapObjectKey(wrapped, key, where)).toThrowError(
      expect.objectContaining({ code: 'AccessDenied' }),
    );
  },
);

test('a wrapped object key reveals neither the object key nor the customer key, and differs each time', () => {
  const bytes = objectKey.export();
  for (const secret of [bytes, customerKeyBytes('ours')]) {
    for (const encoding of ['base64', 'hex', 'latin1'] as const) {
      expect(wrapped).not.toContain(secret.toString(encoding));
    }
  }
  expect(wrapObjectKey(objectKey, ours, place)).not.toBe(wrapped);
  expect(wrapped).not.toContain(ours.md5);
});

test('[ssec-17] a wrapped object key with any changed byte fails to unwrap or unwraps to the same object key', () => {
  const opens: number[] = [];
  for (let at = 0; at < wrapped.length; at++) {
    const changed = `${wrapped.slice(0, at)}${wrapped[at] === 'A' ? 'B' : 'A'}${wrapped.slice(at + 1)}`;
    try {
      expect(unwrapObjectKey(changed, ours, place).equals(objectKey)).toBe(true);
      opens.push(at);
    } catch (error) {
      expect(error).toBeInstanceOf(StorageError);
    }
  }
  // The last base64 character of the salt has two unused bits.
  expect(opens.length).toBeLessThanOrEqual(1);
});

test.each(['', '{}', 'null', '[]', '{"algorithm":"AES256","salt":"AA==","wrappedKey":"AA=="}'])(
  'the store reports an invalid wrapped object key as damage: %j',
  (encryption) => {
    expect(() => unwrapObjectKey(encryption, ours, place)).toThrowError(
      expect.objectContaining({ code: 'InternalError' }),
    );
  },
);

test('the store refuses a customer key for an unencrypted object and requires one for an encrypted object', () => {
  expect(objectKeyOf({ encryption: null }, undefined, place)).toBeUndefined();
  const refusal = expect.objectContaining({ code: 'InvalidRequest' });
  expect(() => objectKeyOf({ encryption: null }, ours, place)).toThrowError(refusal);
  expect(() => objectKeyOf({ encryption: wrapped }, undefined, place)).toThrowError(refusal);
  expect(objectKeyOf({ encryption: wrapped }, ours, place)?.equals(objectKey)).toBe(true);
});
