import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { collect } from '../../../src/object-store/body.ts';
import type { Dialect } from '../../../src/protocol/dialect.ts';
import { signedChunks, signedChunksLength } from '../../../src/protocol/signing/signed-chunks.ts';
import { EMPTY_SHA256 } from '../../../src/protocol/signing/string-to-sign.ts';
import { verifiedPayload } from '../../../src/protocol/signing/verified-payload.ts';
import type { WireHeaders } from '../../../src/protocol/wire.ts';
import { freeChunks } from '../../helpers/free-signer.ts';
import { BOTH, DIALECTS, signWithSeed, verify } from './signer.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const LIMIT = 64 * 1024 * 1024;
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* stream(bytes: Uint8Array | string, pieceBytes = LIMIT): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes as string);
  for (let at = 0; at < all.length; at += pieceBytes) yield all.subarray(at, at + pieceBytes);
}

interface Sent {
  readonly dialect?: Dialect;
  readonly payloadHash: string;
  /**
   * Headers in addition to those of the signature. A `*` at the start of a name is replaced by the
   * vendor prefix.
   */
  readonly headers?: WireHeaders;
  readonly wire: string | Uint8Array;
  readonly pieceBytes?: number;
  readonly hashedBy?: 'store' | 'stream';
}

/** Returns the payload as the gateway passes it to a store. */
async function receive(sent: Sent): Promise<string> {
  const { dialect = DIALECTS.svc, payloadHash, wire, pieceBytes } = sent;
  const headers = (sent.headers ?? []).map(([name, value]): [string, string] => [
    name.replace(/^\*/, dialect.headerPrefix),
    value,
  ]);
  const { request } = signWithSeed(dialect, { payloadHash, headers });
  const { payload, seed } = verify(request);
  const { hashedBy = 'stream' } = sent;
  const sentHeaders = new Headers(request.headers);
  const opened = verifiedPayload({ headers: sentHeaders, dialect, payload, seed, hashedBy });
  return Buffer.from(await collect(opened.open(stream(wire, pieceBytes)), LIMIT)).toString();
}

const whole = (body: string, headers: WireHeaders = [], payloadHash = sha256(body)): Sent => ({
  payloadHash,
  headers: [['content-length', String(body.length)], ...headers],
  wire: body,
});

describe('request bodies that are not chunked', () => {
  test('the gateway accepts a body that matches its signature', async () => {
    expect(await receive(whole('hello'))).toBe('hello');
    expect(await receive({ payloadHash: EMPTY_SHA256, wire: '' })).toBe('');
  });

  test('[sign-8] the gateway fails if the SHA-256 of a body differs from the signed SHA-256', async () => {
    await expect(receive({ ...whole('hello'), wire: 'hellO' })).rejects.toMatchObject({
      code: 'XAmzContentSHA256Mismatch',
    });
  });

  test('the gateway checks length and Content-MD5 even of a body whose digests the store verifies', async () => {
    const checksum: WireHeaders = [['*checksum-crc32', 'NhCmhw==']];
    const sent = { ...whole('hello', checksum), hashedBy: 'store' } as const;
    expect(await receive({ ...sent, wire: 'hellO' })).toBe('hellO');
    await expect(receive({ ...sent, wire: 'hell' })).rejects.toMatchObject({
      code: 'IncompleteBody',
    });
    const checked = whole('hello', [['content-md5', 'XUFAKrxLKna5cZ2REBfFkQ==']]);
    await expect(receive({ ...checked, hashedBy: 'store' })).rejects.toMatchObject({
      code: 'BadDigest',
    });
  });

  test.for(['hell', 'hello!', ''])(
    'the gateway refuses a body that was announced with five bytes and sent as %j',
    async (wire) => {
      await expect(receive({ ...whole('hello'), wire })).rejects.toMatchObject({
        code: 'IncompleteBody',
      });
    },
  );

  test.for([
    ['content-md5', 'XUFAKrxLKna5cZ2REBfFkg==', undefined],
    ['content-md5', 'XUFAKrxLKna5cZ2REBfFkQ==', 'BadDigest'],
    ['content-md5', 'short', 'InvalidDigest'],
    ['content-md5', '5d41402abc4b2a76b9719d911017c592', 'InvalidDigest'],
    ['*checksum-crc32', 'NhCmhg==', undefined],
    ['*checksum-crc32', 'NhCmhw==', 'BadDigest'],
    ['*checksum-crc32', 'NhCm', 'InvalidRequest'],
    ['*checksum-crc32c', 'mnG7TA==', undefined],
    ['*checksum-sha1', 'qvTGHdzF6KLavt4PO0gs2a6pQ00=', undefined],
    ['*checksum-sha256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=', undefined],
    ['*checksum-sha256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCU=', 'BadDigest'],
    ['*checksum-md9', 'AAAA', 'NotImplemented'],
    ['*checksum-crc64nvme', 'M3eFcAZSQlc=', undefined],
    ['*sdk-checksum-algorithm', 'CRC32', 'InvalidRequest'],
    ['*trailer', '*checksum-crc32', 'NotImplemented'],
  ] as const)('the gateway checks a body with %s: %s (%s)', async ([name, value, code]) => {
    const result = receive(whole('hello', [[name, value]]));
    if (code === undefined) await expect(result).resolves.toBe('hello');
    else await expect(result).rejects.toMatchObject({ code });
  });

  test.for([
    ['CRC32', undefined],
    ['crc32', undefined],
    ['CRC32C', 'InvalidRequest'],
    ['MD5', 'InvalidRequest'],
  ] as const)(
    'the gateway checks a body with a CRC32 checksum that was announced as %s: %s',
    async ([named, code]) => {
      const headers: WireHeaders = [
        ['*checksum-crc32', 'NhCmhg=='],
        ['*sdk-checksum-algorithm', named],
      ];
      const result = receive(whole('hello', headers));
      if (code === undefined) await expect(result).resolves.toBe('hello');
      else await expect(result).rejects.toMatchObject({ code });
    },
  );

  test('the gateway refuses a body with two checksums', async () => {
    const headers: WireHeaders = [
      ['*checksum-crc32', 'NhCmhg=='],
      ['*checksum-crc32c', 'mnG7TA=='],
    ];
    await expect(receive(whole('hello', headers))).rejects.toMatchObject({
      code: 'InvalidRequest',
    });
  });

  test('the gateway refuses a body of unknown length', async () => {
    const headers: WireHeaders = [['transfer-encoding', 'chunked']];
    const sent = { payloadHash: 'UNSIGNED-PAYLOAD', headers, wire: 'hello' };
    await expect(receive(sent)).rejects.toMatchObject({ code: 'MissingContentLength' });
  });

  test.for(['-1', '1e3', '0x5', ''])('the gateway refuses a body of length %j', async (length) => {
    const sent: Sent = { ...whole('hello'), headers: [['content-length', length]] };
    await expect(receive(sent)).rejects.toMatchObject({ code: 'InvalidArgument' });
  });
});

const UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

function unsignedTrailer(wire: string, decoded: number): Sent {
  return {
    payloadHash: UNSIGNED_TRAILER,
    headers: [
      ['*decoded-content-length', String(decoded)],
      ['*trailer', 'x-svc-checksum-crc32'],
    ],
    wire,
  };
}

describe('[sign-16] unsigned chunked bodies', () => {
  const crc = 'x-svc-checksum-crc32:NhCmhg==';
  const good = `2\r\nhe\r\n3\r\nllo\r\n0\r\n${crc}\r\n\r\n`;

  test('the gateway decodes an unsigned chunked body for any division into packets', async () => {
    for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
      expect(await receive({ ...unsignedTrailer(good, 5), pieceBytes })).toBe('hello');
    }
  });

  test.for([
    ['without its last chunk', '5\r\nhello\r\n', 'IncompleteBody'],
    ['that ends in a chunk', '5\r\nhel', 'IncompleteBody'],
    ['without its trailer', '5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['that ends before its trailer', '5\r\nhello\r\n0\r\n', 'IncompleteBody'],
    ['with a wrong checksum', good.replace('NhCmhg', 'NhCmhw'), 'BadDigest'],
    ['with a broken checksum', good.replace('NhCmhg==', 'no'), 'InvalidRequest'],
    ['with an undeclared trailer', good.replace(crc, `${crc}\r\nx-svc-extra:1`), 'InvalidRequest'],
    ['with its trailer twice', good.replace(crc, `${crc}\r\n${crc}`), 'InvalidRequest'],
    ['with bytes after its end', `${good}x`, 'InvalidRequest'],
    ['with a negative size', good.replace('2\r\n', '-2\r\n'), 'InvalidRequest'],
    ['with a size of 0x2', good.replace('2\r\n', '0x2\r\n'), 'InvalidRequest'],
    ['with a size beyond its end', good.replace('2\r\n', 'ffffffff\r\n'), 'IncompleteBody'],
    [
      'with a size beyond all numbers',
      good.replace('2\r\n', 'fffffffffffffffff\r\n'),
      'InvalidRequest',
    ],
    ['with an empty size', good.replace('2\r\n', '\r\n'), 'InvalidRequest'],
    ['with lone line feeds', good.replaceAll('\r\n', '\n'), 'InvalidRequest'],
    ['with an endless header line', `2;${'x'.repeat(2_000)}\r\n`, 'InvalidRequest'],
    ['with a chunk longer than its size', good.replace('he', 'hee'), 'InvalidRequest'],
    [
      'with a signature that is not asked for',
      good.replace('2\r\n', `2;chunk-signature=${'0'.repeat(64)}\r\n`),
      'InvalidRequest',
    ],
  ] as const)('the gateway refuses an unsigned chunked body %s', async ([, wire, code]) => {
    await expect(receive(unsignedTrailer(wire, 5))).rejects.toMatchObject({ code });
  });

  test('the gateway accepts an unsigned chunked body that is one chunk of any size', async () => {
    const bytes = Buffer.alloc(17 * 1024 * 1024, 'holdfast ');
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    const [head, tail] = [
      `${bytes.length.toString(16)}\r\n`,
      `\r\n0\r\nx-svc-checksum-crc32:${sum.toString('base64')}\r\n\r\n`,
    ];
    const wire = Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]);
    const received = await receive({ ...unsignedTrailer('', bytes.length), wire });
    expect(received === bytes.toString()).toBe(true);
  });

  test.for([4, 6])(
    'the gateway refuses an unsigned chunked body whose size differs from its decoded length %i',
    async (decoded) => {
      await expect(receive(unsignedTrailer(good, decoded))).rejects.toMatchObject({
        code: 'IncompleteBody',
      });
    },
  );

  test('the gateway refuses an unsigned chunked body without a decoded length', async () => {
    const sent = { payloadHash: UNSIGNED_TRAILER, wire: good };
    await expect(receive(sent)).rejects.toMatchObject({ code: 'MissingContentLength' });
  });
});

describe.each(BOTH)('[sign-16] signed chunked bodies in the dialect $name', (dialect) => {
  const mode = `STREAMING-${dialect.algorithm}-PAYLOAD`;
  const bytes = Buffer.alloc(150_000, 'holdfast ');

  async function encode(change: (wire: string) => string = (wire) => wire): Promise<string> {
    const headers: WireHeaders = [
      [`${dialect.headerPrefix}decoded-content-length`, String(bytes.length)],
    ];
    const { seed } = signWithSeed(dialect, { payloadHash: mode, headers });
    const wire = await collect(signedChunks(stream(bytes, 10_000), seed), LIMIT);
    expect(wire.length).toBe(signedChunksLength(bytes.length, dialect));
    return change(Buffer.from(wire).toString());
  }
  const send = (wire: string): Sent => ({
    dialect,
    payloadHash: mode,
    headers: [['*decoded-content-length', String(bytes.length)]],
    wire,
    pieceBytes: 9_999,
  });

  test('the gateway decodes a signed chunked body', async () => {
    expect(await receive(send(await encode()))).toBe(bytes.toString());
  });

  test.for([
    [
      'one byte changed',
      (w: string) => `${w.slice(0, 100_000)}#${w.slice(100_001)}`,
      'SignatureDoesNotMatch',
    ],
    ['its last chunk cut off', (w: string) => w.replace(/\r\n0;.*$/s, '\r\n'), 'IncompleteBody'],
    [
      'its last signature changed',
      (w: string) => w.replace(/(0;chunk-signature=).{4}/, '$10000'),
      'SignatureDoesNotMatch',
    ],
    [
      'its signatures removed',
      (w: string) => w.replace(/;chunk-signature=[0-9a-f]{64}/g, ''),
      'InvalidRequest',
    ],
    ['its chunks in another order', swapFirstChunks, 'SignatureDoesNotMatch'],
    ['a trailer', (w: string) => w.replace(/\r\n$/, 'x-svc-extra:1\r\n\r\n'), 'InvalidRequest'],
  ] as const)('the gateway refuses a signed chunked body with %s', async ([, change, code]) => {
    await expect(receive(send(await encode(change)))).rejects.toMatchObject({ code });
  });

  test('the gateway refuses a signed chunked body with a chunk of more than 16 MiB', async () => {
    const wire = `1000001;chunk-signature=${'0'.repeat(64)}\r\n`;
    await expect(receive(send(wire))).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  test('the gateway refuses a signed chunked body with a small chunk before the last', async () => {
    const wire = chain(dialect, mode, ['small', 'last']);
    const headers: WireHeaders = [['*decoded-content-length', '9']];
    await expect(receive({ dialect, payloadHash: mode, headers, wire })).rejects.toMatchObject({
      code: 'InvalidChunkSizeError',
      details: { Chunk: 1, BadChunkSize: 5 },
    });
  });
});

describe.each(BOTH)('signed bodies with a signed trailer in the dialect $name', (dialect) => {
  const mode = `STREAMING-${dialect.algorithm}-PAYLOAD-TRAILER`;
  const name = `${dialect.headerPrefix}checksum-crc32`;
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc32('hello'));
  const headers: WireHeaders = [
    ['*decoded-content-length', '5'],
    ['*trailer', name],
  ];
  const wire = (value: string) =>
    chain(dialect, mode, ['hello'], { headers, trailer: [name, value] });

  test('the gateway decodes a signed body with a signed trailer', async () => {
    const sent = wire(digest.toString('base64'));
    expect(await receive({ dialect, payloadHash: mode, headers, wire: sent })).toBe('hello');
  });

  test.for([
    [
      'whose trailer was changed',
      (w: string) => w.replace('NhCmhg', 'NhCmhw'),
      'SignatureDoesNotMatch',
    ],
    [
      'whose trailer is not signed',
      (w: string) => w.replace(/x-...-trailer-signature.*?\r\n/, ''),
      'SignatureDoesNotMatch',
    ],
  ] as const)('the gateway refuses a signed body %s', async ([, change, code]) => {
    const sent = change(wire(digest.toString('base64')));
    await expect(
      receive({ dialect, payloadHash: mode, headers, wire: sent }),
    ).rejects.toMatchObject({ code });
  });

  test('the gateway refuses a wrong checksum in a signed trailer', async () => {
    await expect(
      receive({ dialect, payloadHash: mode, headers, wire: wire('AAAAAA==') }),
    ).rejects.toMatchObject({ code: 'BadDigest' });
  });
});

/** Returns signed chunks of any size, as only a faulty client would send them. */
function chain(
  dialect: Dialect,
  payloadHash: string,
  chunks: readonly string[],
  end: { headers: WireHeaders; trailer?: readonly [string, string] } = {
    headers: [['*decoded-content-length', '9']],
  },
): string {
  const headers = end.headers.map(([name, value]): [string, string] => [
    name.replace(/^\*/, dialect.headerPrefix),
    value,
  ]);
  const { seed } = signWithSeed(dialect, { payloadHash, headers });
  return freeChunks(seed, chunks, end.trailer);
}

function swapFirstChunks(wire: string): string {
  const length = wire.indexOf('\r\n') + 2 + 65_536 + 2;
  const [first, second] = [wire.slice(0, length), wire.slice(length, 2 * length)];
  return second + first + wire.slice(2 * length);
}
