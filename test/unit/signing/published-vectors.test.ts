/** Tests of signatures against the published examples of signature version 4. */

import { expect, test } from 'vitest';

import { amzDialect } from '../../../src/protocol/dialect.ts';
import { decodeChunked } from '../../../src/protocol/signing/aws-chunked.ts';
import {
  allHeaders,
  canonicalQuery,
  canonicalRequest,
  canonicalUri,
  claimedHeaders,
} from '../../../src/protocol/signing/canonical-request.ts';
import { deriveSigningKey } from '../../../src/protocol/signing/signing-key.ts';
import {
  EMPTY_SHA256,
  signatureOf,
  stringToSign,
} from '../../../src/protocol/signing/string-to-sign.ts';
import type { WireHeaders, WireRequest } from '../../../src/protocol/wire.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const TIMESTAMP = '20130524T000000Z';
const scope = {
  date: '20130524',
  region: 'us-east-1',
  service: 's3',
  terminator: 'aws4_request',
};
const signing = {
  dialect: amzDialect,
  timestamp: TIMESTAMP,
  scope: '20130524/us-east-1/s3/aws4_request',
};
const signingKey = deriveSigningKey(SECRET, scope, amzDialect);

function sign(request: WireRequest, payloadHash: string): string {
  const canonical = canonicalRequest(request, allHeaders(request.headers), payloadHash);
  return signatureOf(signingKey, stringToSign(signing, canonical));
}

const HOST: WireHeaders = [['host', 'examplebucket.s3.amazonaws.com']];
const emptyBody: WireHeaders = [
  ...HOST,
  ['x-amz-content-sha256', EMPTY_SHA256],
  ['x-amz-date', TIMESTAMP],
];

test('the signer derives the signing key of the published general example', () => {
  const key = deriveSigningKey(
    'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    { ...scope, date: '20150830', service: 'iam' },
    amzDialect,
  );
  expect(key.export().toString('hex')).toBe(
    'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9',
  );
});

test('the signer computes the published signature of a GET with a range', () => {
  const headers: WireHeaders = [...emptyBody, ['range', 'bytes=0-9']];
  expect(sign({ method: 'GET', path: '/test.txt', query: [], headers }, EMPTY_SHA256)).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('the signer computes the published signature of a PUT with a dollar sign in its key', () => {
  const digest = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';
  const headers: WireHeaders = [
    ...HOST,
    ['date', 'Fri, 24 May 2013 00:00:00 GMT'],
    ['x-amz-content-sha256', digest],
    ['x-amz-date', TIMESTAMP],
    ['x-amz-storage-class', 'REDUCED_REDUNDANCY'],
  ];
  expect(sign({ method: 'PUT', path: '/test$file.text', query: [], headers }, digest)).toBe(
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

test('the signer computes the published signature of a GET of a subresource without a value', () => {
  const query = [['lifecycle', '']] as const;
  expect(sign({ method: 'GET', path: '/', query, headers: emptyBody }, EMPTY_SHA256)).toBe(
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
});

test('the signer computes the published signature of a bucket listing', () => {
  const query = [
    ['max-keys', '2'],
    ['prefix', 'J'],
  ] as const;
  expect(sign({ method: 'GET', path: '/', query, headers: emptyBody }, EMPTY_SHA256)).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('the signer computes the published signature of a presigned GET', () => {
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'],
    ['X-Amz-Date', TIMESTAMP],
    ['X-Amz-Expires', '86400'],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const;
  const request = { method: 'GET', path: '/test.txt', query, headers: HOST };
  expect(sign(request, 'UNSIGNED-PAYLOAD')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

const SEED_SIGNATURE = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';

test('the signer computes the published seed signature of a streaming upload', () => {
  const headers: WireHeaders = [
    ['host', 's3.amazonaws.com'],
    ['content-encoding', 'aws-chunked'],
    ['content-length', '66824'],
    ['x-amz-content-sha256', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'],
    ['x-amz-date', TIMESTAMP],
    ['x-amz-decoded-content-length', '66560'],
    ['x-amz-storage-class', 'REDUCED_REDUNDANCY'],
  ];
  const request = { method: 'PUT', path: '/examplebucket/chunkObject.txt', query: [], headers };
  expect(sign(request, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD')).toBe(SEED_SIGNATURE);
});

test('the signer computes the published chunk signatures of a streaming upload', async () => {
  const chunk = (size: number, signature: string) =>
    `${size.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(size)}\r\n`;
  const wire =
    chunk(65_536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648') +
    chunk(1_024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497') +
    chunk(0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9');
  const options = {
    seed: { ...signing, signature: SEED_SIGNATURE, signingKey },
    signed: true,
    trailer: false,
    declared: new Set<string>(),
    onTrailer: () => undefined,
  };
  let received = 0;
  async function* stream() {
    yield Buffer.from(wire);
  }
  for await (const bytes of decodeChunked(stream(), options)) received += bytes.length;
  expect(received).toBe(66_560);
});

test.for([
  ['/b/a/../b', '/b/a/../b'],
  ['/b//k/', '/b//k/'],
  ['/b/%2e%2e/x', '/b/../x'],
  ['/b/a+b', '/b/a%2Bb'],
  ['/b/a%2Fb', '/b/a/b'],
  ['/b/a%2fb~*', '/b/a/b~%2A'],
  ['/b/%E2%82%ac', '/b/%E2%82%AC'],
  ['/b/%252F', '/b/%252F'],
] as const)('the signer signs the path %s as %s', ([path, canonical]) => {
  expect(canonicalUri(path)).toBe(canonical);
});

test.for([
  [[['acl', '']], 'acl='],
  [
    [
      ['b', '2'],
      ['a', 'y'],
      ['a', 'x'],
    ],
    'a=x&a=y&b=2',
  ],
  [[['p', 'a+b c']], 'p=a%2Bb%20c'],
  [
    [
      ['a-b', '1'],
      ['a', '1'],
      ['A', '1'],
    ],
    'A=1&a=1&a-b=1',
  ],
] as const)('the signer signs the query %j as %s', ([query, canonical]) => {
  expect(canonicalQuery(query)).toBe(canonical);
});

test.each([
  [
    'in any order',
    [
      ['host', 'h'],
      ['x-amz-date', 'd'],
      ['accept', 'a'],
    ],
  ],
  [
    'that are repeated, next to each other or apart',
    [
      ['b', '1'],
      ['a', ' x  y '],
      ['b', '2'],
      ['c', ''],
      ['b', ','],
    ],
  ],
  [
    'whose names start with the same characters',
    [
      ['x-amz-meta', '1'],
      ['x-amz-meta-a', '2'],
      ['x-amz', '3'],
      ['x-amz-meta', ''],
    ],
  ],
] as const)(
  'the signer uses the same canonical form of headers %s when it signs and when it verifies',
  (_, headers) => {
    const names = [...new Set(headers.map(([name]) => name))].sort();
    expect(allHeaders(headers)).toEqual(claimedHeaders(new Headers(headers), names));
  },
);
