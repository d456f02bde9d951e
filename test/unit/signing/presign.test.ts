/** Presigned URLs that are made here, against the published vector and against our own verification. */

import { expect, test } from 'vitest';

import { formatPath, parseQuery } from '../../../src/protocol/paths.ts';
import { presign, type PresignedRequest } from '../../../src/protocol/signing/presign.ts';
import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import type { WireRequest } from '../../../src/protocol/wire.ts';
import { BOTH, KEY, NOW, REGION, refusal, verify } from './signer.ts';

const keys = new SigningKeys();
const DAY_SECONDS = 86_400;

const request: PresignedRequest = {
  method: 'GET',
  origin: 'http://localhost:9010',
  path: formatPath({ bucket: 'box', key: 'a b/ü+%.txt' }),
  query: [['versionId', 'v1']],
  expiresSeconds: DAY_SECONDS,
};

const asSent = (url: string, method = 'GET'): WireRequest => {
  const { host, pathname, search } = new URL(url);
  return { method, path: pathname, query: parseQuery(search.slice(1)), headers: [['host', host]] };
};

test('the published vector', () => {
  const published = {
    ...request,
    origin: 'https://examplebucket.s3.amazonaws.com',
    path: '/test.txt',
    query: [],
  };
  const url = presign(published, {
    dialect: amzDialect,
    region: 'us-east-1',
    credentials: {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    keys,
    now: Date.UTC(2013, 4, 24),
  });
  expect(url).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test.each(BOTH)('a URL in dialect $name is verified until it expires', (dialect) => {
  const url = presign(request, { dialect, region: REGION, credentials: KEY, keys, now: NOW });
  expect(verify(asSent(url), NOW + DAY_SECONDS * 1000).accessKey).toBe(KEY);
  expect(refusal(asSent(url), NOW + DAY_SECONDS * 1000 + 1)).toMatchObject({
    code: 'AccessDenied',
    message: 'Request has expired.',
  });
});

test.each([0, -1, 1.5, Number.NaN, 604_801])('%s seconds are refused', (expiresSeconds) => {
  const options = { dialect: amzDialect, region: REGION, credentials: KEY, keys, now: NOW };
  expect(() => presign({ ...request, expiresSeconds }, options)).toThrow('1 to 604800 seconds');
});
