/** Tests of encoding storage errors as HTTP responses and decoding them. */

import { describe, expect, test } from 'vitest';
import { StorageError, type StorageErrorCode } from '../../../src/object-store/storage-error.ts';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { decodeError, encodeError } from '../../../src/protocol/error-document.ts';
import { codeOfStatus, ERROR_TABLE } from '../../../src/protocol/error-table.ts';

const codes = Object.keys(ERROR_TABLE) as StorageErrorCode[];
const target = { bucket: 'b', key: 'k' };
const returned = { target, requestId: 'tx1', hostId: 'h' };

describe.each([svcDialect(), amzDialect])('errors in the dialect $name', (dialect) => {
  test.each(codes)('the codec reads the error %s back unchanged from its response', (code) => {
    const error = new StorageError(code, 'do thing: it <failed>', {
      details: { Condition: 'If-Match' },
    });
    const answer = encodeError(error, { ...returned, dialect });
    const { status, text } = ERROR_TABLE[code];
    expect(answer.status).toBe(status);
    expect(text).not.toBe('');
    expect(decodeError(answer, { dialect, target })).toMatchObject({
      code,
      message: 'do thing: it <failed>',
      details: { Condition: 'If-Match', BucketName: 'b', Key: 'k', RequestId: 'tx1' },
    });
  });

  test('the codec states in the response headers that an object is a delete marker, even without a body', () => {
    const error = new StorageError('NoSuchKey', 'x', {
      details: { DeleteMarker: true, VersionId: 'v' },
    });
    const { body: _, ...head } = encodeError(error, { ...returned, dialect });
    expect(head.headers).toContainEqual([`${dialect.headerPrefix}delete-marker`, 'true']);
    expect(decodeError(head, { dialect, target })).toMatchObject({
      code: 'NoSuchKey',
      details: { DeleteMarker: true, VersionId: 'v' },
    });
  });
});

test('[svc-5] the codec writes the elements of an error in the order Code, Message, details, BucketName, Key, RequestId, HostId', () => {
  const error = new StorageError('InvalidArgument', '', {
    details: { ArgumentName: 'n', Key: 'other' },
  });
  const { body } = encodeError(error, { ...returned, dialect: amzDialect });
  expect(body?.match(/<[A-Z]\w*>/g)).toEqual([
    '<Error>',
    '<Code>',
    '<Message>',
    '<ArgumentName>',
    '<Key>',
    '<BucketName>',
    '<RequestId>',
    '<HostId>',
  ]);
  expect(body).toContain(`<Message>${ERROR_TABLE.InvalidArgument.text}</Message>`);
});

test('the codec reads the error code NoSuchObjectLockConfiguration as ObjectLockConfigurationNotFoundError', () => {
  const body = '<Error><Code>NoSuchObjectLockConfiguration</Code><Message>none</Message></Error>';
  const target = { bucket: 'b', key: 'k' };
  const error = decodeError({ status: 404, headers: [], body }, { dialect: amzDialect, target });
  expect(error).toMatchObject({
    code: 'ObjectLockConfigurationNotFoundError',
    details: { Code: 'NoSuchObjectLockConfiguration' },
  });
});

test('the codec repeats the ETag and the Last-Modified date in the headers of a 304 response', () => {
  const details = { ETag: 'e', LastModified: '2026-11-21T00:00:00.000Z' };
  const { headers } = encodeError(new StorageError('NotModified', 'x', { details }), {
    ...returned,
    dialect: amzDialect,
  });
  expect(headers).toContainEqual(['etag', '"e"']);
  expect(headers).toContainEqual(['last-modified', 'Sat, 21 Nov 2026 00:00:00 GMT']);
});

test.each<[number, 'bucket' | 'object' | 'service', StorageErrorCode]>([
  [404, 'object', 'NoSuchKey'],
  [404, 'bucket', 'NoSuchBucket'],
  [403, 'object', 'AccessDenied'],
  [503, 'object', 'ServiceUnavailable'],
  [502, 'object', 'InternalError'],
  [304, 'object', 'NotModified'],
  [418, 'object', 'InvalidRequest'],
])(
  'the codec reads a response with status %i and no body, for a target of the type %s, as the error %s',
  (status, place, code) => {
    expect(codeOfStatus(status, place)).toBe(code);
  },
);

test.each([
  '<html>Bad gateway</html>',
  'no XML at all',
  '<Error><Code>NeverHeardOf</Code></Error>',
])(
  'the codec derives the error code from the status if the body is not an S3 error document: %s',
  (body) => {
    const error = decodeError({ status: 502, headers: [], body }, { dialect: amzDialect, target });
    expect(error.code).toBe('InternalError');
    expect(error.message).not.toBe('');
  },
);
