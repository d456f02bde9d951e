/**
 * Tests of presigned URLs against a published example and against the verification of the gateway.
 */

import { hash } from 'node:crypto';

import { expect, test } from 'vitest';

import { formatPath, parseQuery } from '../../../src/protocol/paths.ts';
import { presign, type PresignedRequest } from '../../../src/protocol/signing/presign.ts';
import { signRequest } from '../../../src/protocol/signing/sign-request.ts';
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

test('Holdfast creates the same presigned URL as the published example', () => {
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

const SESSION = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'IQoJb3JpZ2lu/XQ+Q==',
};
const AT = { dialect: amzDialect, region: 'us-east-1', keys, now: Date.UTC(2013, 4, 24) };

test('Holdfast creates the same presigned URL with a session token as the AWS SDK for JavaScript', () => {
  const path = '/test.txt';
  const origin = 'https://examplebucket.s3.amazonaws.com';
  const query = [['x-amz-content-sha256', 'UNSIGNED-PAYLOAD']] as const;
  const url = presign({ ...request, origin, path, query }, { ...AT, credentials: SESSION });
  expect(url).toContain('&X-Amz-Security-Token=IQoJb3JpZ2lu%2FXQ%2BQ%3D%3D&');
  const signature = '099a335138197b4264c653d801ed0d35075c00a7f4c4ce14e77627da6255d9c8';
  expect(url).toMatch(new RegExp(`&X-Amz-Signature=${signature}$`));
});

test('Holdfast sends a session token in a signed header', () => {
  const payloadHash = hash('sha256', '');
  const headers = [['host', 'examplebucket.s3.amazonaws.com']] as const;
  const signed = signRequest(
    { method: 'GET', path: '/test.txt', query: [], headers },
    { ...AT, credentials: SESSION, payloadHash },
  );
  const all = new Map(signed.headers);
  expect(all.get('x-amz-security-token')).toBe(SESSION.sessionToken);
  expect(all.get('authorization')).toContain(
    'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, ' +
      'Signature=f7bea27c1866ad6443465f5ded8f9cc5a81dad43cd88d4477df48c2180f7484a',
  );
});

test.each(BOTH)(
  'the gateway refuses a presigned URL with a session token in the dialect $name',
  (dialect) => {
    const credentials = { ...KEY, sessionToken: 'x' };
    const url = presign(request, { dialect, region: REGION, credentials, keys, now: NOW });
    expect(refusal(asSent(url), NOW)).toMatchObject({
      code: 'InvalidToken',
      message: expect.stringContaining('session tokens are not supported') as string,
    });
  },
);

test.each(BOTH)(
  'the gateway accepts a presigned URL in the dialect $name until it expires',
  (dialect) => {
    const url = presign(request, { dialect, region: REGION, credentials: KEY, keys, now: NOW });
    expect(verify(asSent(url), NOW + DAY_SECONDS * 1000).accessKey).toBe(KEY);
    expect(refusal(asSent(url), NOW + DAY_SECONDS * 1000 + 1)).toMatchObject({
      code: 'AccessDenied',
      message: 'Request has expired.',
    });
  },
);

test.each([0, -1, 1.5, Number.NaN, 604_801])(
  'Holdfast refuses to create a presigned URL that is valid for %s seconds',
  (expiresSeconds) => {
    const options = { dialect: amzDialect, region: REGION, credentials: KEY, keys, now: NOW };
    expect(() => presign({ ...request, expiresSeconds }, options)).toThrow('1 to 604800 seconds');
  },
);
