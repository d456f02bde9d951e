/**
 * Fuzz tests of the parsers for complete messages: signatures, chunked bodies, requests, responses
 * and errors.
 */

import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

import * as fc from 'fast-check';

import { TransportError } from '../../../src/object-store/transport-error.ts';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { decodeError } from '../../../src/protocol/error-document.ts';
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  OPERATIONS,
  type OperationName,
} from '../../../src/protocol/operations.ts';
import { formatQuery, parsePath, parseQuery } from '../../../src/protocol/paths.ts';
import { percentDecode } from '../../../src/protocol/percent.ts';
import {
  formatAuthorization,
  parseAuthorization,
} from '../../../src/protocol/signing/authorization-header.ts';
import { decodeChunked } from '../../../src/protocol/signing/aws-chunked.ts';
import { formatScope } from '../../../src/protocol/signing/credential-scope.ts';
import { signatureV2Of, stringToSignV2 } from '../../../src/protocol/signing/signature-v2.ts';
import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import { verifyRequest } from '../../../src/protocol/signing/verify-request.ts';
import type { WireHeaders, WireRequest } from '../../../src/protocol/wire.ts';
import { freeChunks, FreeSigner, type FreeRequest } from '../free-signer.ts';
import { EXAMPLES } from '../operation-examples.ts';
import { unlessRefused, unlessRefusedLater, type Law } from './law.ts';
import { mutated } from './mutated.ts';
import { Headers } from '../../../src/protocol/headers.ts';
import { received } from '../received.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const REGION = 'us-east-1';
const DIALECTS = { svc: svcDialect(), amz: amzDialect };
const KEY = { accessKeyId: 'p/q:ada+x@y@local', secretAccessKey: 's'.repeat(40) };
const dialects = fc.constantFrom(...Object.values(DIALECTS));
const keys = new SigningKeys();

const signerOf = (dialect: typeof amzDialect) =>
  new FreeSigner({ dialect, host: 'h:1', region: REGION, credentials: KEY, now: () => NOW });

const wishes: fc.Arbitrary<FreeRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD', 'POST'),
    url: fc.constantFrom('/box/k', '/box/a//b', '/box?prefix=a&versions', '/', '/box/%20%2F'),
    headers: fc.constantFrom<WireHeaders>([], [['x-*-meta-a', 'b  c']], [['content-type', 'x/y']]),
    link: fc.boolean(),
  })
  .map(({ link, ...wish }) => (link ? Object.assign(wish, { presigned: {} }) : wish));

const PATH_TOKENS = ['/', '//', '%2F', '%2e%2e/', './', '+', '%20', '?', '&', '='];

const AUTH_TOKENS = [
  'Credential=',
  'SignedHeaders=',
  'Signature=',
  ', ',
  'host',
  'SVC4-HMAC-SHA256 ',
  'AWS4-HMAC-SHA256 ',
  '/s3/',
  'aws4_request',
  'UNSIGNED-PAYLOAD',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'X-Amz-Signature=0&',
  'X-Svc-Expires=1&',
  'AWSAccessKeyId=a&Signature=b&Expires=1&',
];

/**
 * Generates a signed request, and its text with a change in one line. Most changes affect the path.
 */
const signedTexts = fc.tuple(dialects, wishes).chain(([dialect, wish]) => {
  const { lines } = signerOf(dialect).sign(wish);
  const [first = '', ...rest] = lines;
  const [path = '', query = ''] = first.split(/(?=\?| HTTP)(.*)/s);
  const inPath = mutated(fc.constant(path), PATH_TOKENS).map((edited) =>
    [edited + query].concat(rest),
  );
  const inLine = fc
    .nat(lines.length - 1)
    .chain((at) =>
      mutated(fc.constant(lines[at] ?? ''), AUTH_TOKENS).map((edited) => lines.with(at, edited)),
    );
  return fc.record({
    lines: fc.constant(lines.join('\n')),
    edited: fc.oneof(inPath, inLine).map((edited) => edited.join('\n')),
  });
});

/**
 * Parses the text of a request as a server does. Returns undefined if the text is not valid HTTP.
 */
function requestOf(lines: string): WireRequest | undefined {
  const [first = '', ...rest] = Buffer.from(lines, 'utf8').toString('latin1').split('\n');
  const [method = '', url = '', ...more] = first.split(' ');
  const headers = rest.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  if (more.length !== 1 || headers.some(([name]) => !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))) {
    return undefined;
  }
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const pairs = unlessRefused(() => parseQuery(query));
  return pairs && { method, path, query: pairs, headers };
}

const verified = (request: WireRequest) =>
  unlessRefused(() =>
    verifyRequest({
      request: received(request, DIALECTS),
      dialects: DIALECTS,
      keys,
      findKey: (id) => (id === KEY.accessKeyId ? KEY : undefined),
      region: REGION,
      now: NOW,
    }),
  );

/**
 * Returns those parts of a request that its signature must cover. The computation does not use the
 * code under test.
 */
function covered(request: WireRequest, method = request.method): unknown {
  const header = request.headers.find(([name]) => name === 'authorization')?.[1] ?? '';
  const inQuery = request.query.find(([name]) => name.endsWith('-SignedHeaders'))?.[1];
  // Spaces around the names in the SignedHeaders list have no meaning.
  const signed = (/SignedHeaders=([^,]*)/.exec(header)?.[1] ?? inQuery ?? '').trim();
  const valuesOf = (name: string) =>
    request.headers
      .filter(([each]) => each === name)
      .map(([, value]) => value.replaceAll(/ +/g, ' ').replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  const query = request.query
    .filter(([name]) => !/^X-\w{3}-Signature$/.test(name))
    .map((pair) => JSON.stringify(pair))
    .sort();
  const headers = signed.split(';').map((name) => [name, valuesOf(name.trim()).join()]);
  return { method, path: percentDecode(request.path), query, headers };
}

/** Generates presigned URLs of signature version 2. Some of them are changed after signing. */
const linksV2 = fc
  .record({
    method: fc.constantFrom('GET', 'HEAD'),
    url: fc.constantFrom('/box/k', '/box/a%20b?versionId=x&', '/box?acl&prefix=a&'),
    expires: fc.integer({ min: -10, max: 100_000 }),
  })
  .chain(({ method, url, expires }) => {
    const base = url.includes('?') ? url : `${url}?`;
    const seconds = String(Math.floor(NOW / 1000) + Math.abs(expires));
    const lines = (signature: string) =>
      `${method} ${base}AWSAccessKeyId=${encodeURIComponent(KEY.accessKeyId)}&Expires=${seconds}&Signature=${signature} HTTP/1.1\nhost: h:1`;
    const request = requestOf(lines(''));
    if (request === undefined) throw new Error(`cannot parse a presigned URL: ${lines('')}`);
    const signature = signatureV2Of(KEY.secretAccessKey, stringToSignV2(request, seconds));
    const signed = lines(encodeURIComponent(signature));
    return fc.record({
      lines: fc.constant(signed),
      edited: mutated(fc.constant(signed), ['&', '?acl', 'Expires=', '%2e', 'x-amz-acl: a\n']),
    });
  });

/**
 * Returns the parts that a signature of version 2 must cover: the path, and the query parameters
 * and headers that affect the result.
 */
function coveredV2({ path, query, headers }: WireRequest, method: string): unknown {
  const chosen = query
    .filter(([name]) => /^(?:acl|versionId|Expires|AWSAccessKeyId)$/.test(name))
    .map((pair) => JSON.stringify(pair))
    .sort();
  return { method, path, chosen, vendor: headers.filter(([name]) => /^x-(?:amz|svc)-/.test(name)) };
}

const CHUNK_TOKENS = [
  '0\r\n',
  '0\r\n\r\n',
  ';chunk-signature=',
  '\r\n',
  'ffffffff',
  '-1',
  '0x5',
  `;chunk-signature=${'0'.repeat(64)}`,
  'x-svc-checksum-crc32:AAAAAA==\r\n',
  'x-svc-trailer-signature:00\r\n',
  '5\r\nhello\r\n',
];
const CHECKSUM = 'x-svc-checksum-crc32';

const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });

async function* cut(wire: string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(wire, 'latin1');
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

interface ChunkedCase {
  readonly signed: boolean;
  readonly trailer: boolean;
  readonly wire: string;
  readonly lengths: readonly number[];
}

const seed = signerOf(DIALECTS.svc).sign({ url: '/box/k', method: 'PUT' }).seed;

const chunkedCases: fc.Arbitrary<ChunkedCase> = fc
  .record({ signed: fc.boolean(), trailer: fc.boolean(), lengths: pieces })
  .chain(({ signed, trailer, lengths }) => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32('hello'));
    const value = [CHECKSUM, digest.toString('base64')] as const;
    const end = trailer ? `0\r\n${value.join(':')}\r\n\r\n` : '0\r\n\r\n';
    const valid = signed
      ? freeChunks(seed, ['hello'], trailer ? value : undefined)
      : `2\r\nhe\r\n3\r\nllo\r\n${end}`;
    return mutated(fc.constant(valid), CHUNK_TOKENS).map((wire) => ({
      signed,
      trailer,
      wire: Buffer.from(wire, 'utf8').toString('latin1'),
      lengths,
    }));
  });

async function decoded({ signed, trailer, wire, lengths }: ChunkedCase): Promise<string> {
  let text = '';
  const options = {
    seed,
    signed,
    trailer,
    declared: new Set(trailer ? [CHECKSUM] : []),
    onTrailer: () => undefined,
  };
  for await (const bytes of decodeChunked(cut(wire, lengths), options)) {
    text += Buffer.from(bytes).toString('latin1');
  }
  return text;
}

const operations = Object.keys(OPERATIONS) as OperationName[];

const MESSAGE_TOKENS = [
  '<Key>',
  '</Key>',
  '<Object/>',
  '<Part><PartNumber>0</PartNumber></Part>',
  '<!DOCTYPE a>',
  '&x;',
  '/other/key?versionId=',
  'bytes=0-0',
  'COMPLIANCE',
  '2026-11-21T12:00:00Z',
  '*',
  '"',
];

/** Generates requests of any operation with edits in the query, the headers and the body. */
const requests = fc.tuple(fc.constantFrom(...operations), dialects).chain(([name, dialect]) =>
  EXAMPLES[name].input.chain((input) => {
    const encoded = encodeRequest(name, input as never, dialect);
    return fc.record({
      name: fc.constant(name),
      dialect: fc.constant(dialect),
      target: fc.constant(parsePath(encoded.path)),
      query: mutated(fc.constant(formatQuery(encoded.query)), [
        '&',
        '=',
        'versionId',
        '%00',
        '10001',
      ]),
      headers: mutatedHeaders(encoded.headers, dialect.headerPrefix),
      body: mutated(fc.constant(encoded.body ?? ''), MESSAGE_TOKENS),
    });
  }),
);

const answers = fc.tuple(fc.constantFrom(...operations), dialects).chain(([name, dialect]) =>
  fc.tuple(EXAMPLES[name].input, EXAMPLES[name].output).chain(([input, output]) => {
    const encoded = encodeResponse(name, { input, output } as never, dialect);
    return fc.record({
      name: fc.constant(name),
      dialect: fc.constant(dialect),
      status: fc.constantFrom(encoded.status, 200, 404, 503),
      headers: mutatedHeaders(encoded.headers, dialect.headerPrefix),
      body: mutated(fc.constant(encoded.body ?? ''), MESSAGE_TOKENS),
    });
  }),
);

/**
 * Generates header values with edits. The result can contain an additional `copy-source` header.
 */
function mutatedHeaders(headers: WireHeaders, prefix: string): fc.Arbitrary<WireHeaders> {
  const all = [...headers, [`${prefix}copy-source`, '/box/k?versionId=null']] as const;
  const values = all.map(([, value]) => mutated(fc.constant(value), MESSAGE_TOKENS));
  return fc
    .tuple(...values)
    .map((edited) =>
      edited.map((value, index): [string, string] => [
        all[index]?.[0] ?? '',
        Buffer.from(value, 'utf8').toString('latin1'),
      ]),
    );
}

export const MESSAGE_LAWS: readonly Law[] = [
  {
    claim:
      'the Authorization parser refuses a header, or formatting and parsing it again gives the same result',
    runs: 1_000,
    property: fc.property(
      dialects.chain((dialect) => {
        const { lines } = signerOf(dialect).sign({ url: '/' });
        const header = (lines.at(-1) ?? '').slice('authorization: '.length);
        return fc.tuple(fc.constant(dialect), mutated(fc.constant(header), AUTH_TOKENS));
      }),
      ([dialect, text]) => {
        const read = unlessRefused(() => parseAuthorization(text, dialect));
        if (read === undefined) return;
        const { credential, signedHeaders, signature } = read;
        const written = formatAuthorization(dialect, {
          credential: `${credential.accessKeyId}/${formatScope(credential.scope)}`,
          signedHeaders: signedHeaders.join(';'),
          signature,
        });
        assert.deepEqual(parseAuthorization(written, dialect), read);
      },
    ),
  },
  {
    claim: 'a changed request passes the signature check only if its signed parts are unchanged',
    runs: 1_500,
    property: fc.property(signedTexts, ({ lines, edited }) => {
      const [signed, arrived] = [requestOf(lines), requestOf(edited)];
      if (signed === undefined) throw new Error(`cannot parse a signed request: ${lines}`);
      assert(verified(signed));
      const believed = arrived && verified(arrived);
      if (!arrived || believed === undefined) return;
      const asMethod = arrived.method === 'HEAD' ? signed.method : arrived.method;
      assert.deepEqual(covered(arrived, asMethod), covered(signed));
    }),
  },
  {
    claim:
      'a changed presigned URL of signature version 2 is accepted only if its signed parts are unchanged',
    runs: 500,
    property: fc.property(linksV2, ({ lines, edited }) => {
      const [signed, arrived] = [requestOf(lines), requestOf(edited)];
      if (signed === undefined) throw new Error(`cannot parse a presigned URL: ${lines}`);
      assert(verified(signed));
      if (!arrived || verified(arrived) === undefined) return;
      const asMethod = arrived.method === 'HEAD' ? signed.method : arrived.method;
      assert.deepEqual(coveredV2(arrived, asMethod), coveredV2(signed, signed.method));
    }),
  },
  {
    claim:
      'the decoder of chunked bodies refuses a body, or returns at most the bytes that were sent',
    runs: 1_500,
    property: fc.asyncProperty(chunkedCases, async (each) => {
      const text = await unlessRefusedLater(() => decoded(each));
      if (text === undefined) return;
      if (each.signed) assert.equal(text, 'hello');
      assert(text.length <= each.wire.length);
    }),
  },
  {
    claim:
      'the decoder of requests accepts or refuses every request and does not change Object.prototype',
    runs: 1_500,
    property: fc.property(requests, ({ name, dialect, target, query, headers, body }) => {
      const pairs = unlessRefused(() => parseQuery(Buffer.from(query).toString('latin1')));
      if (pairs === undefined) return;
      unlessRefused(() =>
        decodeRequest(name, { target, query: pairs, headers: new Headers(headers), body }, dialect),
      );
      assert.deepEqual(Object.keys(Object.prototype), []);
    }),
  },
  {
    claim: 'the decoder of responses returns a result or throws a TransportError',
    runs: 1_000,
    property: fc.property(answers, ({ name, dialect, status, headers, body }) => {
      try {
        decodeResponse(name, { status, headers, body }, dialect);
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
      }
    }),
  },
  {
    claim: 'the decoder of error responses always returns a StorageError',
    runs: 500,
    property: fc.property(answers, ({ dialect, status, headers, body }) => {
      const context = { dialect, target: { bucket: 'box', key: 'k' } };
      const document = `<Error><Code>NoSuchKey</Code><Message>x</Message></Error>${body}`;
      for (const text of [body, document.slice(0, -body.length || undefined), document]) {
        const returned = decodeError({ status, headers, body: text }, context);
        assert.equal(returned.name, 'StorageError');
      }
    }),
  },
];
