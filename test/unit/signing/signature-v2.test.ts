/**
 * Tests of signature version 2: the published examples, and the requests for which Holdfast accepts
 * it.
 */

import { describe, expect, test } from 'vitest';

import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import {
  signatureV2Of,
  stringToSignV2,
  type SignatureV2,
} from '../../../src/protocol/signing/signature-v2.ts';
import { isAnonymous, verifyRequest } from '../../../src/protocol/signing/verify-request.ts';
import type { WireHeaders, WireQuery, WireRequest } from '../../../src/protocol/wire.ts';
import { DIALECTS, KEY, NOW, REGION } from './signer.ts';
import { received } from '../../helpers/received.ts';

const EXAMPLE_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

interface Example {
  readonly method?: string;
  readonly path: string;
  readonly query?: WireQuery;
  readonly headers?: WireHeaders;
  readonly date: string;
  readonly bucket?: string;
}

describe('the published examples of signature version 2', () => {
  const march = 'Tue, 27 Mar 2007';
  const bucket = 'johnsmith';
  test.each<[string, Example, string]>([
    [
      'object get',
      { path: '/photos/puppy.jpg', date: `${march} 19:36:42 +0000`, bucket },
      'bWq2s1WEIj+Ydj0vQ697zp+IXMU=',
    ],
    [
      'object put',
      {
        method: 'PUT',
        path: '/photos/puppy.jpg',
        headers: [['content-type', 'image/jpeg']],
        date: `${march} 21:15:45 +0000`,
        bucket,
      },
      'MyyxeRY7whkBe+bq8fHCL/2kKUg=',
    ],
    [
      'list',
      {
        path: '/',
        query: [
          ['prefix', 'photos'],
          ['max-keys', '50'],
        ],
        date: `${march} 19:42:41 +0000`,
        bucket,
      },
      'htDYFYduRNen8P9ZfE/s9SuKy0U=',
    ],
    [
      'fetch',
      { path: '/', query: [['acl', '']], date: `${march} 19:44:46 +0000`, bucket },
      'c2WLPFtWHVgbEmeEG93a4cG37dM=',
    ],
    [
      'upload',
      {
        method: 'PUT',
        path: '/db-backup.dat.gz',
        headers: [
          ['x-amz-acl', 'public-read'],
          ['content-type', 'application/x-download'],
          ['content-md5', '4gJE4saaMU4BqNR0kLY+lw=='],
          ['x-amz-meta-reviewedby', 'joe@johnsmith.net'],
          ['x-amz-meta-reviewedby', 'jane@johnsmith.net'],
          ['x-amz-meta-filechecksum', '0x02661779'],
          ['x-amz-meta-checksumalgorithm', 'crc32'],
        ],
        date: `${march} 21:06:08 +0000`,
        bucket: 'static.johnsmith.net',
      },
      'ilyl83RwaSoYIEdixDQcA4OnAnc=',
    ],
    [
      'query string authentication',
      { path: '/photos/puppy.jpg', date: '1175139620', bucket },
      'NpgCjnDzrM+WFzoENXmpNDUsSn8=',
    ],
  ])(
    'the signer computes the published version 2 signature of "%s"',
    (_, { date, bucket: ofHost, ...parts }, signature) => {
      const request = { method: 'GET', query: [], headers: [], ...parts };
      const text = stringToSignV2(request, date, ofHost);
      expect(signatureV2Of(EXAMPLE_SECRET, text)).toBe(signature);
    },
  );
});

const HOST: WireHeaders = [['host', 'h']];
const SOON = String(NOW / 1000 + 60);

interface Signed extends Partial<Omit<WireRequest, 'query'>> {
  readonly query?: WireQuery;
  readonly expires?: string;
}

function link({ expires = SOON, query = [], ...parts }: Signed = {}): WireRequest {
  const request = { method: 'GET', path: '/b/k', headers: HOST, ...parts, query };
  const signature = signatureV2Of(KEY.secretAccessKey, stringToSignV2(request, expires));
  const auth: WireQuery = [
    ['AWSAccessKeyId', KEY.accessKeyId],
    ['Expires', expires],
    ['Signature', signature],
  ];
  return { ...request, query: [...query, ...auth] };
}

function withHeader(parts: Partial<WireRequest> = {}, date: WireHeaders[number] = ['date', DATE]) {
  const [name, value] = date;
  const request = { method: 'PUT', path: '/b/k', query: [], ...parts };
  const headers = [...HOST, date, ...(parts.headers ?? [])];
  const text = stringToSignV2({ ...request, headers }, name === 'date' ? value : '');
  const signature = signatureV2Of(KEY.secretAccessKey, text);
  const authorization = ['authorization', `AWS ${KEY.accessKeyId}:${signature}`] as const;
  return { ...request, headers: [...headers, authorization] };
}
const DATE = new Date(NOW).toUTCString();

function verify(request: WireRequest, signatureV2?: SignatureV2) {
  return verifyRequest({
    request: received(request, DIALECTS),
    dialects: DIALECTS,
    keys: new SigningKeys(),
    findKey: (accessKeyId) => (accessKeyId === KEY.accessKeyId ? KEY : undefined),
    region: REGION,
    now: NOW,
    ...(signatureV2 && { signatureV2 }),
  });
}

const refusal = (request: WireRequest, signatureV2?: SignatureV2): unknown => {
  try {
    verify(request, signatureV2);
  } catch (error) {
    return error;
  }
  throw new Error('it was accepted');
};

describe('presigned URLs with signature version 2', () => {
  test.each<[string, Signed]>([
    ['for GET', {}],
    ['for HEAD', { method: 'HEAD' }],
    [
      'with overrides of two headers',
      {
        query: [
          ['response-content-disposition', 'attachment; filename="a b"'],
          ['response-content-type', 'a b'],
        ],
      },
    ],
    [
      'of the ACL of a version',
      {
        query: [
          ['acl', ''],
          ['versionId', 'v'],
        ],
      },
    ],
    [
      'with parameters that are not signed',
      {
        query: [
          ['prefix', 'a'],
          ['x-id', 'GetObject'],
        ],
      },
    ],
    ['of a key that is not ASCII', { path: '/b/%C3%A9' }],
  ])(
    '[sign-13] the gateway accepts a version 2 presigned URL %s in the amz dialect',
    (_, parts) => {
      expect(verify(link(parts))).toMatchObject({
        authType: 'query',
        accessKey: KEY,
        dialect: { name: 'amz' },
        payload: { kind: 'unsigned' },
      });
    },
  );

  test('the gateway accepts a version 2 presigned URL for GET also with HEAD, but not the reverse', () => {
    expect(verify({ ...link(), method: 'HEAD' }).accessKey).toBe(KEY);
    expect(refusal({ ...link({ method: 'HEAD' }), method: 'GET' })).toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
  });

  test.each<[string, (request: WireRequest) => WireRequest]>([
    ['another key', (request) => ({ ...request, path: '/b/other' })],
    ...['versionId', 'acl', 'attributes', 'retention', 'response-expires', 'partNumber'].map(
      (name) =>
        [
          `?${name}`,
          (request: WireRequest) => ({ ...request, query: [...request.query, [name, '1']] }),
        ] as [string, (request: WireRequest) => WireRequest],
    ),
    ...['x-amz-meta-a', 'x-svc-request-payer'].map(
      (name) =>
        [
          name,
          (request: WireRequest) => ({ ...request, headers: [...request.headers, [name, 'v']] }),
        ] as [string, (request: WireRequest) => WireRequest],
    ),
  ])(
    'the gateway refuses a version 2 presigned URL with %s, which the signature does not cover',
    (_, turn) => {
      expect(refusal(turn(link()))).toMatchObject({
        code: 'SignatureDoesNotMatch',
        details: { AWSAccessKeyId: KEY.accessKeyId, StringToSign: expect.any(String) as string },
      });
    },
  );

  test.each(['PUT', 'DELETE', 'POST'])(
    'the gateway refuses a version 2 presigned URL for %s',
    (method) => {
      expect(refusal(link({ method }))).toMatchObject({ code: 'InvalidRequest' });
    },
  );

  test('the gateway refuses an expired version 2 presigned URL and states its expiry time and the server time', () => {
    const expires = String(NOW / 1000 - 1);
    expect(refusal(link({ expires }))).toMatchObject({
      code: 'AccessDenied',
      message: 'Request has expired.',
      details: { Expires: '2026-11-21T11:59:59.000Z', ServerTime: '2026-11-21T12:00:00.000Z' },
    });
    expect(verify(link({ expires: String(NOW / 1000) })).accessKey).toBe(KEY);
  });

  test.each(['abc', '-1', '1e9', '', '9'.repeat(12)])(
    'the gateway refuses a version 2 presigned URL that expires at %j',
    (expires) => {
      expect(refusal(link({ expires }))).toMatchObject({ code: 'AccessDenied' });
    },
  );

  test.each(['Signature', 'Expires'])(
    'the gateway refuses a version 2 presigned URL without %s or with two of them',
    (name) => {
      const { query, ...request } = link();
      const without = query.filter(([each]) => each !== name);
      expect(isAnonymous(received({ ...request, query: without }, DIALECTS), DIALECTS)).toBe(false);
      for (const wrong of [without, [...query, [name, 'x'] as const]]) {
        expect(refusal({ ...request, query: wrong })).toMatchObject({ code: 'AccessDenied' });
      }
    },
  );

  test('the gateway refuses a version 2 presigned URL of an unknown access key with InvalidAccessKeyId', () => {
    const { query, ...request } = link();
    const unknown = query.map(([name, value]) =>
      name === 'AWSAccessKeyId' ? ([name, 'nobody'] as const) : ([name, value] as const),
    );
    expect(refusal({ ...request, query: unknown })).toMatchObject({ code: 'InvalidAccessKeyId' });
  });

  test('the gateway refuses a version 2 presigned URL if version 2 is off and names the setting', () => {
    expect(refusal(link(), 'off')).toMatchObject({
      code: 'InvalidRequest',
      details: {
        AuthorizationMechanism: 'version 2 in links',
        Setting: 'storage.signatureV2: presigned',
        SettingFile: 'config.yaml',
      },
    });
  });

  test.each<[string, WireQuery]>([
    [
      'a signed value with `&`',
      [['response-content-disposition', 'attachment; filename=x&versionId=old']],
    ],
    ['a signed value that ends with `&`', [['versionId', 'v&']]],
    [
      'a version id and an override that together form one signed value',
      [
        ['response-content-disposition', 'attachment; filename=x'],
        ['versionId', 'old'],
      ],
    ],
    [
      'a subresource beside an override',
      [
        ['tagging', ''],
        ['response-content-type', 'a'],
      ],
    ],
  ])(
    '[sign-17] the gateway refuses a version 2 presigned URL with %s despite a correct signature',
    (_, query) => {
      expect(refusal(link({ query }))).toMatchObject({
        code: 'InvalidRequest',
        message: expect.stringMatching(/response-content-|versionId/) as string,
      });
    },
  );

  test('[sign-17] the gateway accepts `&` in an unsigned value of a version 2 presigned URL', () => {
    expect(verify(link({ query: [['prefix', 'a&versionId=b']] })).accessKey).toBe(KEY);
  });

  test('the gateway refuses a version 2 presigned URL with a second signature', () => {
    const both = {
      ...link(),
      headers: [...HOST, ['authorization', 'AWS4-HMAC-SHA256 x'] as const],
    };
    expect(refusal(both)).toMatchObject({ code: 'AuthorizationQueryParametersError' });
  });
});

describe('Authorization headers with signature version 2', () => {
  test.each<[string, SignatureV2 | undefined]>([
    ['if it is not enabled', undefined],
    ['if it is disabled', 'off'],
  ])(
    '[sign-14] the gateway refuses a version 2 Authorization header %s and names the setting',
    (_, setting) => {
      expect(refusal(withHeader(), setting)).toMatchObject({
        code: 'InvalidRequest',
        details: { Setting: 'storage.signatureV2: headers', SettingFile: 'config.yaml' },
      });
    },
  );

  test.each<[string, WireHeaders[number]]>([
    ['Date', ['date', DATE]],
    ['Date with an offset', ['date', DATE.replace('GMT', '+0000')]],
    ['Date as rclone writes it', ['date', DATE.replace('GMT', 'UTC')]],
    ['x-amz-date', ['x-amz-date', DATE]],
    ['x-amz-date in the short form', ['x-amz-date', '20261121T120000Z']],
  ])(
    'the gateway accepts a version 2 Authorization header with %s if the setting allows it',
    (_, date) => {
      expect(verify(withHeader({}, date), 'headers')).toMatchObject({
        authType: 'header',
        signedAt: NOW,
        signatureVersion: 'AWS',
      });
    },
  );

  test('the gateway checks the body of a request with a version 2 Authorization header against its x-amz-content-sha256', () => {
    const sha256 = 'a'.repeat(64);
    const request = withHeader({ headers: [['x-amz-content-sha256', sha256]] });
    expect(verify(request, 'headers').payload).toEqual({ kind: 'digest', sha256 });
  });

  test.each<[string, WireRequest, string]>([
    [
      'too old',
      withHeader({}, ['date', new Date(NOW - 901_000).toUTCString()]),
      'RequestTimeTooSkewed',
    ],
    [
      'without a date',
      { ...withHeader(), headers: [...HOST, ['authorization', 'AWS a:b']] },
      'AccessDenied',
    ],
    [
      'without a colon',
      { ...withHeader(), headers: [...HOST, ['authorization', 'AWS ab']] },
      'AuthorizationHeaderMalformed',
    ],
    [
      'of a streaming body',
      withHeader({ headers: [['x-amz-content-sha256', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER']] }),
      'InvalidRequest',
    ],
  ])('the gateway refuses a version 2 Authorization header %s', (_, request, code) => {
    expect(refusal(request, 'headers')).toMatchObject({ code });
  });
});

test.each<[string, Partial<WireRequest>]>([
  ['x-amz-security-token', { headers: [...HOST, ['x-amz-security-token', 't']] }],
  ['x-svc-security-token', { headers: [...HOST, ['x-svc-security-token', 't']] }],
  ['X-Amz-Security-Token in the query', { query: [['X-Amz-Security-Token', 't']] }],
])('the gateway refuses a version 2 presigned URL with the session token %s', (_, parts) => {
  expect(refusal(link(parts))).toMatchObject({ code: 'InvalidToken' });
});
