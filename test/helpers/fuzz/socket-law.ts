/**
 * Fuzz test of the service. The service must answer every request, and change only what a valid
 * signature authorizes.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { systemClock } from '../../../src/base/clock.ts';
import type { Dialect } from '../../../src/protocol/dialect.ts';
import { encodeRequest, OPERATIONS, type OperationName } from '../../../src/protocol/operations.ts';
import { formatQuery } from '../../../src/protocol/paths.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { FreeSigner, type FreeRequest } from '../free-signer.ts';
import { HttpSocket } from '../http-socket.ts';
import { EXAMPLES } from '../operation-examples.ts';
import { FUZZ_DIALECTS, FUZZ_KEY, FUZZ_REGION, type FuzzService } from './fuzz-service.ts';
import { edits, mutated, type Edits } from './mutated.ts';

/** Time limit for a response in milliseconds. Every response takes far less time. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Signature of the request: valid, in a presigned URL, with a wrong secret, or missing. */
type Authenticity = 'signed' | 'presigned' | 'wrong secret' | 'unsigned';

export interface FuzzedRequest {
  readonly dialect: Dialect;
  readonly authenticity: Authenticity;
  readonly wish: FreeRequest & { readonly method: string; readonly body: string };
}

const METHODS = ['OPTIONS', 'PATCH', 'POST', 'DELETE', 'HEAD', 'TRACE', 'PROPFIND', 'get'];

const HEADERS: readonly (readonly [string, string])[] = [
  ['expect', '100-continue'],
  ['range', 'bytes=0-1'],
  ['if-match', '"abc"'],
  ['if-none-match', '*'],
  ['if-modified-since', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  ['if-unmodified-since', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  ['if-range', '"abc"'],
  ['content-md5', 'XUFAKrxLKna5cZ2REBfFkg=='],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-encoding', 'gzip,aws-chunked'],
  ['x-*-copy-source', '/a-bucket/k?versionId={version}'],
  ['x-*-copy-source-range', 'bytes=0-1'],
  ['x-*-metadata-directive', 'REPLACE'],
  ['x-*-meta-a', '=?UTF-8?Q?=C3=A9?='],
  ['x-*-object-lock-mode', 'GOVERNANCE'],
  ['x-*-object-lock-retain-until-date', '2026-11-21T12:00:01Z'],
  ['x-*-bypass-governance-retention', 'true'],
  ['x-*-checksum-crc32', 'NhCmhg=='],
  ['x-*-checksum-algorithm', 'CRC32'],
  ['x-*-sdk-checksum-algorithm', 'CRC32'],
  ['x-*-trailer', 'x-amz-checksum-crc32'],
  ['x-*-decoded-content-length', '5'],
  ['x-*-mp-object-size', '5'],
  ['te', 'trailers'],
  ['upgrade', 'websocket'],
];

const BODIES = [
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
  '<Delete><Object><Key>k</Key></Object></Delete>',
  '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>',
];

const PAYLOADS = [
  'UNSIGNED-PAYLOAD',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-SVC4-HMAC-SHA256-PAYLOAD-TRAILER',
  '0'.repeat(64),
];

const TOKENS = ['{upload}', '{version}', '/', '?acl', '&partNumber=1', '%2e%2e', '<Key>', '\u00e9'];

const RAW_TOKENS = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  ': ',
  'HTTP/1.1',
  'HTTP/0.9',
  'HTTP/2.0',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 3\r\n',
  'Content-Length: -1\r\n',
  'Host: a, b\r\n',
  'Connection: upgrade\r\n',
  'Expect: x\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

const operations = Object.keys(OPERATIONS) as OperationName[];
/**
 * Generates texts that are valid most of the time. If too many parts are invalid, the service
 * refuses the request early and does not parse the other parts.
 */
const mostly = (valid: fc.Arbitrary<string>, tokens: readonly string[]) =>
  fc.oneof(valid, valid, mutated(valid, tokens));

/** Generates requests of any operation. Any part of a request may be changed. */
export const fuzzedRequests: fc.Arbitrary<FuzzedRequest> = fc
  .tuple(fc.constantFrom(...operations), fc.constantFrom(...Object.values(FUZZ_DIALECTS)))
  .chain(([name, dialect]) =>
    EXAMPLES[name].input.chain((input) => {
      const encoded = encodeRequest(name, input as never, dialect);
      const url = [encoded.path, formatQuery(encoded.query)].filter(Boolean).join('?');
      const withIds = url
        .replace(/(uploadId=)[^&]*/i, '$1{upload}')
        .replace(/(versionId=)[^&]*/, '$1{version}');
      return fc.record({
        dialect: fc.constant(dialect),
        authenticity: fc.constantFrom<Authenticity>(
          ...(['signed', 'signed', 'presigned', 'wrong secret', 'unsigned'] as const),
        ),
        method: fc.oneof(
          { weight: 15, arbitrary: fc.constant(encoded.method) },
          { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
        ),
        url: mostly(fc.constantFrom(url, withIds), TOKENS),
        headers: fc.tuple(
          fc.constant(encoded.headers),
          fc.array(
            fc
              .constantFrom(...HEADERS)
              .chain(([header, value]) =>
                mutated(fc.constant(value), TOKENS).map((edited) => [header, edited] as const),
              ),
            { maxLength: 2 },
          ),
        ),
        body: mostly(
          encoded.body === undefined
            ? fc.constantFrom('', '', '', '', '', ...BODIES)
            : fc.constant(encoded.body),
          TOKENS,
        ),
        payloadHash: fc.oneof(
          { weight: 8, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom(...PAYLOADS) },
        ),
      });
    }),
  )
  .map(({ dialect, authenticity, headers, payloadHash, ...wish }) => ({
    dialect,
    authenticity,
    wish: { ...wish, headers: headers.flat(), ...(payloadHash && { payloadHash }) },
  }));

/** Sends a request, and checks the response and the changes in the store. */
export async function holdToLaw(service: FuzzService, request: FuzzedRequest): Promise<void> {
  const ids = await service.prepare();
  const [before, guarded] = [await service.picture(), await service.guarded()];
  const text = textOf(service, request, ids);
  const status = await exchange(service.port, text, request.wish.method);
  assert.deepEqual(service.failures, []);
  // 501 NotImplemented is the only 5xx status that a request may cause.
  assert(status < 500 || status === 501, `${status} was answered to: ${text}`);
  const isAuthentic = request.authenticity === 'signed' || request.authenticity === 'presigned';
  if (!isAuthentic) {
    assert(status >= 400, `${status} was answered to: ${text}`);
    assert.equal(await service.picture(), before);
  }
  assert.equal(await service.guarded(), guarded);
}

/**
 * Generates requests as raw bytes with edits at any position. No HTTP client would send such bytes.
 */
export const brokenRequests: fc.Arbitrary<FuzzedRequest & { readonly edits: Edits }> = fc
  .tuple(fuzzedRequests, edits(RAW_TOKENS))
  .map(([request, made]) => Object.assign(request, { edits: made }));

/**
 * Sends the bytes and closes the connection. The service may answer with any response, but must
 * continue to work.
 */
export async function holdToRawLaw(
  service: FuzzService,
  { edits: made, ...request }: FuzzedRequest & { readonly edits: Edits },
): Promise<void> {
  const ids = await service.prepare();
  const guarded = await service.guarded();
  const text = made(textOf(service, request, ids));
  const socket = new HttpSocket(service.port);
  try {
    socket.write(text);
    socket.end();
    const answers = await socket.rest();
    assert(!/^HTTP\/1\.1 50[02-9] /m.test(answers), `${answers}\nwas answered to: ${text}`);
  } finally {
    socket.destroy();
  }
  assert.deepEqual(service.failures, []);
  assert.equal(await service.guarded(), guarded);
}

function textOf(
  { port, clock }: FuzzService,
  { dialect, authenticity, wish }: FuzzedRequest,
  ids: { readonly uploadId: string; readonly versionId: string },
): string {
  const fill = (text: string) =>
    text.replaceAll('{upload}', ids.uploadId).replaceAll('{version}', ids.versionId);
  const body = asBytes(fill(wish.body));
  const filled: FreeRequest = {
    ...wish,
    url: urlBytes(fill(wish.url)),
    headers: (wish.headers ?? []).map(([name, value]) => [name, headerBytes(fill(value))]),
    body,
    unsigned: [['content-length', String(body.length)]],
  };
  if (authenticity === 'unsigned') return unsignedText(filled, port);
  const credentials =
    authenticity === 'wrong secret' ? { ...FUZZ_KEY, secretAccessKey: 'a wrong one' } : FUZZ_KEY;
  const signer = new FreeSigner({
    dialect,
    host: `127.0.0.1:${port}`,
    region: FUZZ_REGION,
    credentials,
    now: () => clock.now(),
  });
  try {
    return signer.sign({ ...filled, ...(authenticity === 'presigned' && { presigned: {} }) }).text;
  } catch (error) {
    // A URL that cannot be converted to its canonical form cannot be signed.
    if (!isStorageError(error, 'InvalidURI')) throw error;
    return unsignedText(filled, port);
  }
}

function unsignedText({ method, url, headers = [], body = '' }: FreeRequest, port: number): string {
  const lines = headers.map(([name, value]) => `${name.replace('*', 'amz')}: ${value}\r\n`);
  const own = `host: 127.0.0.1:${port}\r\ncontent-length: ${body.length}\r\n`;
  return `${method} ${url} HTTP/1.1\r\n${own}${lines.join('')}\r\n${body}`;
}

/**
 * Converts a text to a string in which each character stands for one byte of its UTF-8 form, as
 * HttpSocket expects.
 */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Escapes bytes that would end the request line, because another test sends broken request lines.
 */
function urlBytes(text: string): string {
  return `/${asBytes(text)
    .replace(/^\//, '')
    .replaceAll(
      /[\0-\x20\x7f-\xff]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )}`;
}

/** Removes control characters and outer spaces, because a header value cannot contain them. */
function headerBytes(text: string): string {
  return asBytes(text)
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
}

/**
 * Returns the status of the response, or 400 if the service closed the connection because the bytes
 * are not valid HTTP.
 */
async function exchange(port: number, text: string, method: string): Promise<number> {
  const socket = new HttpSocket(port);
  const timeout = new AbortController();
  const tooLate = systemClock.sleep(ANSWER_TIMEOUT_MS, timeout.signal).then(() => {
    throw new Error(`the service sent no response to: ${text}`);
  });
  tooLate.catch(() => undefined);
  try {
    socket.write(text);
    return await Promise.race([finalStatus(socket, method), tooLate]);
  } finally {
    timeout.abort();
    socket.destroy();
  }
}

async function finalStatus(socket: HttpSocket, method: string): Promise<number> {
  for (;;) {
    const { status } = await socket.answer(method);
    if (status >= 200) return status;
  }
}
