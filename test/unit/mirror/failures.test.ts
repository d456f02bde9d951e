/** Tests of the classification of failed requests and of the delay before a retry. */

import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { REQUEST_RETRY } from '../../../src/client/retry.ts';
import { failureKind, FileChangedError } from '../../../src/mirror/model/failure-kind.ts';
import { backOffMs, RETRY, type RetryPolicy } from '../../../src/mirror/model/retry-policy.ts';
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
])('a job classifies the service error %s as %s', (code, kind) => {
  expect(failureKind(new StorageError(code, 'refused'))).toBe(kind);
});

test.each<[TransportErrorCode, string]>([
  ['ConnectionRefused', 'transient'],
  ['ConnectionLost', 'transient'],
  ['HostNotFound', 'transient'],
  ['Timeout', 'transient'],
  ['TlsFailed', 'service'],
  ['BadResponse', 'service'],
])('a job classifies the transport error %s as %s', (code, kind) => {
  expect(failureKind(new TransportError(code, 'lost', { sent: true }))).toBe(kind);
});

test('a job classifies an aborted request, a changed file and an unknown failure differently', () => {
  expect(failureKind(new DOMException('stop', 'AbortError'))).toBe('aborted');
  expect(failureKind(new FileChangedError('f'))).toBe('file changed');
  expect(failureKind(new Error('disk full'))).toBe('unknown');
});

test('a job doubles the retry delay after each failure, up to the maximum of the retry policy', () => {
  const policy = { firstMs: 100, longestMs: 500 };
  expect([1, 2, 3, 4, 9].map((failures) => backOffMs(policy, failures))).toEqual([
    100, 200, 400, 500, 500,
  ]);
});

test('docs/reference/retries.md lists the delays and the attempt limit of each retry policy, and no other policy', () => {
  const page = readFileSync(new URL('../../../docs/reference/retries.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('| longest delay | limit |\n');
  const [, ...rows] = table.slice(0, table.indexOf('\n\n')).split('\n');
  const listed = rows.map((row) => row.split('|').slice(3, 6).join('|').trim());
  const policies: readonly RetryPolicy[] = [...Object.values(RETRY), REQUEST_RETRY];
  const expected = policies.map(({ firstMs, longestMs, attempts = 'none' }) =>
    [durationText(firstMs), durationText(longestMs), attempts].join(' | '),
  );
  expect(listed.sort()).toEqual(expected.sort());
});

function durationText(ms: number): string {
  if (ms === 0) return 'at once';
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
