import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Dialect } from '../../../src/protocol/dialect.ts';
import { formatScope } from '../../../src/protocol/signing/credential-scope.ts';
import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import { isAnonymous, verifyRequest } from '../../../src/protocol/signing/verify-request.ts';
import type { WireRequest } from '../../../src/protocol/wire.ts';
import {
  BOTH,
  DIALECTS,
  KEY,
  NOW,
  REGION,
  refusal,
  replaceHeader,
  sign,
  verify,
  withHeader,
} from './signer.ts';
import { received } from '../../helpers/received.ts';

const MINUTE = 60_000;
const authorization = (request: WireRequest, change: (value: string) => string) =>
  replaceHeader(request, 'authorization', change);

describe.each(BOTH)('signed requests in the dialect $name', (dialect) => {
  const prefix = dialect.headerPrefix;

  test('[sign-1] the gateway reads the access key, dialect, time and payload type of a signed request', () => {
    expect(verify(sign(dialect))).toMatchObject({
      accessKey: KEY,
      authType: 'header',
      dialect,
      signedAt: NOW,
      signatureVersion: 'AWS4-HMAC-SHA256',
      payload: { kind: 'digest' },
    });
  });

  test.for([
    ['date', `${prefix}date`, '20261121T120001Z'],
    ['payload hash', `${prefix}content-sha256`, 'UNSIGNED-PAYLOAD'],
    ['host', 'host', 'localhost:9011'],
  ] as const)(
    '[sign-1] the gateway refuses a request whose %s differs from the signed one',
    ([, name, value]) => {
      const request = replaceHeader(sign(dialect), name, () => value);
      expect(refusal(request)).toMatchObject({ code: 'SignatureDoesNotMatch' });
    },
  );

  test('the gateway accepts an Authorization header without spaces after commas', () => {
    const request = authorization(sign(dialect), (value) => value.replaceAll(', ', ','));
    expect(verify(request).accessKey).toBe(KEY);
  });

  test.for([
    ['no algorithm', () => 'Basic dXNlcjpwYXNz', 'InvalidRequest'],
    [
      'a short credential',
      (v: string) => v.replace(/\/us-east-1/, ''),
      'AuthorizationHeaderMalformed',
    ],
    [
      'no signature',
      (v: string) => v.replace(/, Signature=.*/, ''),
      'AuthorizationHeaderMalformed',
    ],
    ['a field twice', (v: string) => `${v}, Signature=00`, 'AuthorizationHeaderMalformed'],
    ['an unknown field', (v: string) => `${v}, Extra=1`, 'AuthorizationHeaderMalformed'],
    [
      '[sign-10] signed headers out of order',
      (v: string) => v.replace('host;', 'x;host;'),
      'AuthorizationHeaderMalformed',
    ],
    [
      'signed headers in capitals',
      (v: string) => v.replace('host;', 'Host;'),
      'AuthorizationHeaderMalformed',
    ],
    [
      'a scope of another day',
      (v: string) => v.replace('/20261121/', '/20261120/'),
      'AuthorizationHeaderMalformed',
    ],
    ['another service', (v: string) => v.replace('/s3/', '/iam/'), 'AuthorizationHeaderMalformed'],
    [
      'another terminator',
      (v: string) => v.replace('4_request', '5_request'),
      'AuthorizationHeaderMalformed',
    ],
    ['another key', (v: string) => v.replace('ada', 'eve'), 'InvalidAccessKeyId'],
    [
      'its signature in capitals',
      (v: string) => v.replace(/[0-9a-f]{64}$/, (s) => s.toUpperCase()),
      'SignatureDoesNotMatch',
    ],
    ['a short signature', (v: string) => v.slice(0, -1), 'SignatureDoesNotMatch'],
  ] as const)('the gateway refuses an Authorization header with %s', ([, change, code]) => {
    expect(refusal(authorization(sign(dialect), change))).toMatchObject({ code });
  });

  test('the gateway refuses a request that was signed for another region and names the right region', () => {
    expect(refusal(sign(dialect, { region: 'eu-west-1' }))).toMatchObject({
      code: 'AuthorizationHeaderMalformed',
      details: { Region: 'us-east-1' },
    });
  });

  test('the gateway does the same computations for an unknown access key as for a wrong secret', () => {
    const asked: string[] = [];
    class CountedKeys extends SigningKeys {
      override keyFor(...wanted: Parameters<SigningKeys['keyFor']>) {
        asked.push(formatScope(wanted[1]));
        return super.keyFor(...wanted);
      }
    }
    const work = (request: WireRequest) => {
      asked.length = 0;
      const keys = new CountedKeys();
      const findKey = (id: string) => (id === KEY.accessKeyId ? KEY : undefined);
      const dialects = DIALECTS;
      const options = { request: received(request, dialects), dialects, keys, findKey };
      expect(() => verifyRequest({ ...options, region: REGION, now: NOW })).toThrow(
        expect.objectContaining({ name: 'StorageError' }),
      );
      return [...asked];
    };
    const secretAccessKey = 'x'.repeat(40);
    const wrongSecret = work(sign(dialect, { credentials: { ...KEY, secretAccessKey } }));
    const unknownKey = { accessKeyId: 'no:body@here', secretAccessKey };
    expect(wrongSecret).toHaveLength(1);
    expect(work(sign(dialect, { credentials: unknownKey }))).toEqual(wrongSecret);
    expect(work(sign(dialect, { credentials: unknownKey, region: 'of-the-stranger' }))).toEqual(
      wrongSecret,
    );
  });

  test("the gateway includes the server's string to sign in the error for a wrong secret key", () => {
    const credentials = { ...KEY, secretAccessKey: 'x'.repeat(40) };
    const error = refusal(sign(dialect, { credentials }));
    expect(error).toMatchObject({
      code: 'SignatureDoesNotMatch',
      details: {
        AWSAccessKeyId: KEY.accessKeyId,
        SignatureProvided: expect.stringMatching(/^[0-9a-f]{64}$/),
        StringToSign: expect.stringContaining(dialect.algorithm),
        CanonicalRequest: expect.stringContaining('PUT\n/bucket/key\n'),
      },
    });
    expect(JSON.stringify(error)).not.toContain(KEY.secretAccessKey);
  });

  test.each(['key', 'key-md5'])(
    '[ssec-16] the gateway does not repeat the customer %s in an error',
    (what) => {
      const name = `${prefix}server-side-encryption-customer-${what}`;
      const credentials = { ...KEY, secretAccessKey: 'x'.repeat(40) };
      const given = [[name, 'c2VjcmV0']] as const;
      const inHeaders = sign(dialect, { credentials, headers: given });
      const inQuery = { ...sign(dialect, { credentials }), query: given };
      for (const request of [inHeaders, inQuery]) {
        const error = refusal(request);
        const { details } = error as { details: Readonly<Record<string, string>> };
        expect(details['CanonicalRequest']).toContain('customer');
        expect(JSON.stringify(details)).not.toContain('c2VjcmV0');
      }
    },
  );

  test.for([
    ['a vendor header', (r: WireRequest) => withHeader(r, `${prefix}acl`, 'public-read')],
    [
      'a header with the prefix of the other dialect',
      (r: WireRequest) => withHeader(r, other(dialect), 'b/k'),
    ],
  ] as const)('the gateway refuses a request with %s that is not signed', ([, change]) => {
    expect(refusal(change(sign(dialect)))).toMatchObject({
      code: 'AccessDenied',
      details: { HeadersNotSigned: expect.stringMatching(/^x-/) },
    });
  });

  test('[sign-2] the gateway refuses a request with an unsigned Host header', () => {
    const request = authorization(sign(dialect), (value) => value.replace('host;', ''));
    expect(refusal(request)).toMatchObject({
      code: 'AccessDenied',
      details: { HeadersNotSigned: 'host' },
    });
  });

  test.for(['authorization', 'host', 'content-length', 'date', 'content-sha256'])(
    'the gateway refuses a request that contains %s twice',
    (name) => {
      const full = ['date', 'content-sha256'].includes(name) ? prefix + name : name;
      const request = sign(dialect, { headers: [['content-length', '0']] });
      const value = request.headers.find(([each]) => each === full)?.[1] ?? '';
      expect(refusal(withHeader(request, full, value))).toMatchObject({
        code: 'InvalidRequest',
        details: { Header: full },
      });
    },
  );

  test.for([
    [-899, undefined],
    [899, undefined],
    [-901, 'RequestTimeTooSkewed'],
    [901, 'RequestTimeTooSkewed'],
  ] as const)(
    'the verification of a request %i seconds after its date gives the error %s',
    ([seconds, code]) => {
      const error = refusal(sign(dialect), NOW + seconds * 1000);
      expect((error as { code?: string } | undefined)?.code).toBe(code);
    },
  );

  test('[sign-6] the gateway states both times and the allowed skew in the error for too much clock skew', () => {
    expect(refusal(sign(dialect), NOW + 20 * MINUTE)).toMatchObject({
      details: {
        RequestTime: '20261121T120000Z',
        ServerTime: '2026-11-21T12:20:00.000Z',
        MaxAllowedSkewMilliseconds: 900_000,
      },
    });
  });

  test('the gateway checks a request in this order: malformed, time, key, scope, signature', () => {
    const credentials = { accessKeyId: 'nobody', secretAccessKey: 'x' };
    const all = { credentials, region: 'eu-west-1', payloadHash: 'nonsense' };
    const late = NOW + 20 * MINUTE;
    const codes = [
      refusal(sign(dialect, all), late),
      refusal(sign(dialect, { ...all, payloadHash: 'UNSIGNED-PAYLOAD' }), late),
      refusal(sign(dialect, { credentials, region: 'eu-west-1' })),
      refusal(
        sign(dialect, { region: 'eu-west-1', credentials: { ...KEY, secretAccessKey: 'x' } }),
      ),
      refusal(sign(dialect, { credentials: { ...KEY, secretAccessKey: 'x' } })),
    ].map((error) => (error as { code: string }).code);
    expect(codes).toEqual([
      'InvalidArgument',
      'RequestTimeTooSkewed',
      'InvalidAccessKeyId',
      'AuthorizationHeaderMalformed',
      'SignatureDoesNotMatch',
    ]);
  });

  test('the gateway refuses a request without its vendor date unless it has a Date header', () => {
    const dateless = replaceHeader(sign(dialect), `${prefix}date`, () => undefined);
    expect(refusal(dateless)).toMatchObject({ code: 'AccessDenied' });
    const dated = withHeader(dateless, 'date', new Date(NOW + 20 * MINUTE).toUTCString());
    expect(refusal(dated)).toMatchObject({ code: 'RequestTimeTooSkewed' });
  });

  test.for(['20261121T120000', '2026-11-21T12:00:00Z', '20261321T120000Z', ''])(
    'the gateway refuses a request with the date %j',
    (date) => {
      const request = replaceHeader(sign(dialect), `${prefix}date`, () => date);
      expect(refusal(request)).toMatchObject({ code: 'AccessDenied' });
    },
  );

  test('[sign-9] the gateway refuses a request without content-sha256 and names the header', () => {
    const request = replaceHeader(sign(dialect), `${prefix}content-sha256`, () => undefined);
    expect(refusal(request)).toMatchObject({
      code: 'InvalidRequest',
      message: expect.stringContaining(`${prefix}content-sha256`),
    });
  });

  test.for([
    'unsigned-payload',
    'STREAMING-UNSIGNED-PAYLOAD',
    'STREAMING-OTHER4-HMAC-SHA256-PAYLOAD',
    'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
    'e3b0c442',
    '',
  ])('the gateway refuses a request with the content-sha256 %j', (payloadHash) => {
    expect(refusal(sign(dialect, { payloadHash }))).toMatchObject({ code: 'InvalidArgument' });
  });

  test.for([
    ['UNSIGNED-PAYLOAD', { kind: 'unsigned' }],
    ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { kind: 'chunked', signed: false, trailer: true }],
    [`STREAMING-${dialect.algorithm}-PAYLOAD`, { kind: 'chunked', signed: true, trailer: false }],
    [
      `STREAMING-${dialect.algorithm}-PAYLOAD-TRAILER`,
      { kind: 'chunked', signed: true, trailer: true },
    ],
  ] as const)(
    'the gateway reads the payload mode of a request with the content-sha256 %s',
    ([payloadHash, payload]) => {
      expect(verify(sign(dialect, { payloadHash })).payload).toEqual(payload);
    },
  );

  test('the gateway verifies the signature of a request even if its trailer is unsigned', () => {
    const credentials = { ...KEY, secretAccessKey: 'x' };
    const payloadHash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
    expect(refusal(sign(dialect, { credentials, payloadHash }))).toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
  });
});

const other = (dialect: Dialect) =>
  dialect.name === 'svc' ? 'x-amz-copy-source' : 'x-svc-copy-source';

test.for(['SVC4_request', 'svc4_request', 'Svc4_Request'])(
  'the gateway accepts the signature terminator %s in the spelling that was signed',
  (terminator) => {
    const dialect = { ...DIALECTS.svc, terminator };
    expect(verify(sign(dialect)).accessKey).toBe(KEY);
  },
);

test('the gateway refuses the signature terminator AWS4_request, because only aws4_request is valid', () => {
  const dialect = { ...DIALECTS.amz, terminator: 'AWS4_request' };
  expect(refusal(sign(dialect))).toMatchObject({ code: 'AuthorizationHeaderMalformed' });
});

test('[svc-12] the gateway refuses a signature with the algorithm name of an unknown vendor', () => {
  expect(refusal(sign({ ...DIALECTS.svc, algorithm: 'OTC4-HMAC-SHA256' }))).toMatchObject({
    code: 'InvalidRequest',
  });
});

test.for(['a/b:c@d+e', 'x/20261121/us-east-1/s3/svc4_request', '日本:ü@x'])(
  'the gateway parses the access key id %s from the credential, which it splits from the right',
  (accessKeyId) => {
    const request = sign(DIALECTS.svc, { credentials: { ...KEY, accessKeyId } });
    expect(refusal(request)).toMatchObject({ details: { AWSAccessKeyId: accessKeyId } });
  },
);

test.for([
  [509, undefined],
  [510, 'AuthorizationHeaderMalformed'],
] as const)(
  'the gateway checks a request with %i signed headers in addition to the three required ones: %s',
  ([count, code]) => {
    const headers = Array.from({ length: count }, (_, index) => [`h${index}`, ''] as const);
    const request = sign(DIALECTS.amz, { headers });
    if (code === undefined) expect(verify(request).authType).toBe('header');
    else expect(() => verify(request)).toThrow(expect.objectContaining({ code }));
  },
);

test('the gateway treats a request without a signature as anonymous and refuses to verify it', () => {
  const request: WireRequest = { method: 'GET', path: '/b/k', query: [], headers: [['host', 'h']] };
  expect(isAnonymous(received(request, DIALECTS), DIALECTS)).toBe(true);
  expect(refusal(request)).toMatchObject({ code: 'AccessDenied' });
  expect(isAnonymous(received(sign(DIALECTS.svc), DIALECTS), DIALECTS)).toBe(false);
});

describe('properties of request signatures', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((each) => each.isWellFormed());
  const latin1 = fc
    .array(
      fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f),
      { maxLength: 12 },
    )
    .map((codes) => String.fromCharCode(...codes));
  const anyRequest = fc.record({
    dialect: fc.constantFrom(...BOTH),
    method: fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD', 'POST'),
    key: text.filter((each) => !each.includes('\0')),
    query: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'prefix'), text), { maxLength: 4 }),
    meta: latin1,
  });
  const signed = ({
    dialect,
    method,
    key,
    query,
    meta,
  }: typeof anyRequest extends fc.Arbitrary<infer T> ? T : never) =>
    sign(dialect, {
      request: { method, path: `/bucket/${encodeURIComponent(key)}`, query },
      headers: [[`${dialect.headerPrefix}meta-x`, meta]],
    });

  test('the gateway verifies signed requests with any key, query and header bytes', () => {
    fc.assert(
      fc.property(anyRequest, (input) => {
        expect(verify(signed(input)).accessKey).toBe(KEY);
      }),
    );
  });

  test('the gateway verifies a signed request with any percent-encoding of its path', () => {
    fc.assert(
      fc.property(anyRequest, (input) => {
        const request = signed(input);
        const escapeAll = (path: string) =>
          path.replace(/[A-Za-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
        const [start, key] = [request.path.slice(0, 8), encodeURIComponent(input.key)];
        fc.pre(!key.includes('%'));
        expect(verify({ ...request, path: start + escapeAll(key) }).accessKey).toBe(KEY);
      }),
    );
  });

  test('the gateway refuses a signed request with any changed byte', () => {
    fc.assert(
      fc.property(anyRequest, fc.nat(), fc.integer({ min: 1, max: 25 }), (input, at, by) => {
        const request = signed(input);
        const places: ((change: (text: string) => string) => WireRequest)[] = [
          (change) => ({ ...request, method: change(request.method) }),
          (change) => ({
            ...request,
            path: `/bucket/x${change(input.key || 'y')}`.replace(/[%\0]/g, '_'),
          }),
          (change) => ({ ...request, query: [...request.query, ['c', change('c')]] }),
          ...request.headers
            .filter(([name]) => name !== 'authorization')
            .map(
              ([name]) =>
                (change: (text: string) => string) =>
                  replaceHeader(request, name, (value) => change(value || 'z')),
            ),
          (change) =>
            replaceHeader(request, 'authorization', (v) => v.slice(0, -64) + change(v.slice(-64))),
        ];
        const place = places[at % places.length];
        const rotate = (text: string) => {
          const index = at % text.length;
          const code = 0x41 + ((text.charCodeAt(index) - 0x41 + by + 26 * 20) % 26);
          const letter = String.fromCharCode(code);
          return (
            text.slice(0, index) + (letter === text[index] ? '!' : letter) + text.slice(index + 1)
          );
        };
        expect(place && refusal(place(rotate))).toMatchObject({ name: 'StorageError' });
      }),
      { numRuns: 500 },
    );
  });
});
