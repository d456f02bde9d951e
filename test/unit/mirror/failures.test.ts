import { expect, test } from 'vitest';

import {
  backOffMs,
  failureKind,
  FileChangedError,
} from '../../../src/mirror/model/failure-kind.ts';
import { StorageError, type StorageErrorCode } from '../../../src/object-store/storage-error.ts';
import {
  TransportError,
  type TransportErrorCode,
} from '../../../src/object-store/transport-error.ts';

test.each<[StorageErrorCode, string]>([
  ['PreconditionFailed', 'guard'],
  ['NoSuchKey', 'guard'],
  ['SlowDown', 'transient'],
  ['NoSuchUpload', 'transient'],
  ['BadDigest', 'file changed'],
  ['SignatureDoesNotMatch', 'service'],
  ['NoSuchBucket', 'service'],
  ['AccessDenied', 'refused'],
  ['KeyTooLongError', 'refused'],
])('an answer %s is %s', (code, kind) => {
  expect(failureKind(new StorageError(code, 'refused'))).toBe(kind);
});

test.each<[TransportErrorCode, string]>([
  ['ConnectionRefused', 'transient'],
  ['ConnectionLost', 'transient'],
  ['HostNotFound', 'transient'],
  ['Timeout', 'transient'],
  ['TlsFailed', 'service'],
  ['BadResponse', 'service'],
])('a connection that ends as %s is %s', (code, kind) => {
  expect(failureKind(new TransportError(code, 'lost', { sent: true }))).toBe(kind);
});

test('a cancellation, a changed file and anything else are told apart', () => {
  expect(failureKind(new DOMException('stop', 'AbortError'))).toBe('aborted');
  expect(failureKind(new FileChangedError('f'))).toBe('file changed');
  expect(failureKind(new Error('disk full'))).toBe('unknown');
});

test('waits double up to the longest', () => {
  expect([1, 2, 3, 4, 9].map((attempt) => backOffMs(attempt, 500))).toEqual([
    100, 200, 400, 500, 500,
  ]);
});
