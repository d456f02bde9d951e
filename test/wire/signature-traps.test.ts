/**
 * Tests of thirty known attacks on signature verification. A client that can sign anything sends each attack as raw
 * bytes, with x-amz- and with x-svc- headers. The tests in test/unit/signing cover the pure functions.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openSqliteIdentity, type SqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { FreeSigner, freeChunks, type FreeRequest } from '../helpers/free-signer.ts';
import type { HttpSocket, RawAnswer } from '../helpers/http-socket.ts';
import { newUser } from '../helpers/new-user.ts';
import { blobFiles, temporaryFiles } from '../helpers/store-files.ts';
import { accessKey, dialects, REGION, WireBench } from '../helpers/wire-bench.ts';
import { sourceFiles } from '../tidy/source-files.ts';

const DAY_MS = 86_400_000;
const WRONG = { ...accessKey, secretAccessKey: 'a wrong secret' };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let identity: SqliteIdentity;
/** The number of requests that reached the store. */
let asked = 0;
const bench = new WireBench({
  wrap: (store) => {
    asked += 1;
    return store;
  },
  identity: {
    findKey: (id) => (id === accessKey.accessKeyId ? accessKey : identity.keys.findKey(id)),
  },
});
beforeAll(() => {
  identity = openSqliteIdentity({ path: join(bench.dir, 'identity.sqlite'), clock: bench.clock });
});
afterAll(() => identity.close());

/** Returns the status and the error code of a response. */
function statusAndCode(answer: RawAnswer): {
  readonly status: number;
  readonly code: string | undefined;
} {
  return { status: answer.status, code: /<Code>(\w+)</.exec(answer.text())?.[1] };
}

const refused = (status: number, code: string) => ({ status, code });
const DENIED = refused(403, 'AccessDenied');
const MISMATCH = refused(403, 'SignatureDoesNotMatch');

describe.each(Object.values(dialects))('requests with x-$name- headers', (dialect) => {
  const prefix = dialect.headerPrefix;
  const other = dialect.name === 'svc' ? 'x-amz-' : 'x-svc-';
  const streaming = `STREAMING-${dialect.algorithm}-PAYLOAD`;
  let box: string;
  let signer: FreeSigner;

  beforeEach(async () => {
    box = await bench.bucket();
    signer = new FreeSigner({
      dialect,
      host: `127.0.0.1:${bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => bench.clock.now(),
    });
  });

  const sign = (wish: FreeRequest) => signer.sign(wish);
  const send = (wish: FreeRequest, change = (text: string) => text) =>
    exchange(change(sign(wish).text), wish.method);
  const put = (key: string, rest: Partial<FreeRequest> = {}): FreeRequest => ({
    method: 'PUT',
    url: `/${box}/${key}`,
    body: 'hello',
    ...rest,
  });

  function exchange(text: string, method?: string, socket = bench.connect()): Promise<RawAnswer> {
    socket.write(text);
    return socket.answer(method);
  }

  async function keys(): Promise<string[]> {
    const { objects } = await bench.store.listObjects({ bucket: box });
    return objects.map(({ key }) => key);
  }

  const contentOf = async (key: string) => {
    const { bytes } = await bench.store.getObject({ bucket: box, key });
    return Buffer.from(bytes ?? []).toString();
  };

  test.each([
    ['acl', 'private'],
    ['copy-source', '/other/k'],
    ['meta-a', 'x'],
    ['object-lock-mode', 'COMPLIANCE'],
  ])(
    '[sign-5] trap 1: an unsigned x-*-%s header is rejected with either prefix, also in presigned URLs',
    async (suffix, value) => {
      for (const name of [prefix + suffix, other + suffix]) {
        for (const signature of [{}, { presigned: {} }]) {
          const answer = await send(put('k', { ...signature, unsigned: [[name, value]] }));
          expect(statusAndCode(answer)).toEqual(DENIED);
          expect(answer.text()).toContain(`<HeadersNotSigned>${name}</HeadersNotSigned>`);
        }
      }
      expect(await keys()).toEqual([]);
    },
  );

  test('trap 2: a signature that does not cover the Host header is rejected', async () => {
    for (const signature of [{}, { presigned: {} }]) {
      const headers = [['accept', 'x']] as const;
      const answer = await send({ ...signature, url: `/${box}`, headers, leftOut: ['host'] });
      expect(statusAndCode(answer)).toEqual(DENIED);
      expect(answer.text()).toContain('<HeadersNotSigned>host</HeadersNotSigned>');
    }
  });

  describe('[sign-3] trap 3: the scope of a signature', () => {
    test.each([
      ['another day', { date: '20261120' }],
      ['an invalid day', { date: '2026112' }],
      ['another region', { region: 'eu-west-1' }],
      ['the region in capitals', { region: 'US-EAST-1' }],
      ['another service', { service: 'iam' }],
      ['another terminator', { terminator: 'aws5_request' }],
    ])('trap 3: a signature whose scope has %s is rejected', async (_, scope) => {
      expect(statusAndCode(await send({ url: `/${box}`, scope }))).toEqual(
        refused(400, 'AuthorizationHeaderMalformed'),
      );
      const presigned = await send({ url: `/${box}`, scope, presigned: {} });
      expect(statusAndCode(presigned).status).toBe(400);
    });
  });

  describe('trap 4: duplicate headers', () => {
    test('trap 4: the signature covers the values of a duplicate header in the order of the request', async () => {
      const name = `${prefix}meta-a`;
      const text = sign(put('k', { headers: [[name, '1,2']] })).text;
      const [one, two] = [`${name}: 1\r\n`, `${name}: 2\r\n`];
      const whole = `${name}: 1,2\r\n`;
      expect((await exchange(text.replace(whole, one + two), 'PUT')).status).toBe(200);
      expect(statusAndCode(await exchange(text.replace(whole, two + one), 'PUT'))).toEqual(
        MISMATCH,
      );
    });

    test.each([
      'authorization',
      'content-length',
      'content-md5',
      'date',
      'host',
      `${prefix}date`,
      `${prefix}content-sha256`,
      `${prefix}decoded-content-length`,
      `${prefix}copy-source`,
      `${prefix}trailer`,
    ])('trap 4: a duplicate %s header is rejected', async (name) => {
      const signed = sign(put('k', { headers: valuesOf(name) })).lines;
      const line = signed.find((each) => each.startsWith(`${name}: `)) ?? `${name}: x`;
      const again = [...signed, line, ...(signed.includes(line) ? [] : [line])];
      const answer = await exchange(`${again.join('\r\n')}\r\n\r\nhello`, 'PUT');
      expect(answer.status).toBe(400);
      expect(await keys()).toEqual([]);
    });

    const valuesOf = (name: string) =>
      name === 'date'
        ? ([['date', 'Sat, 21 Nov 2026 12:00:00 GMT']] as const)
        : name === 'content-md5'
          ? ([['content-md5', 'XUFAKrxLKna5cZ2REBfFkg==']] as const)
          : [];
  });

  test('[svc-14] trap 5: a header with both the x-amz- and the x-svc- prefix is rejected, even if both are signed', async () => {
    const headers = [
      ['x-amz-acl', 'private'],
      ['x-svc-acl', 'private'],
    ] as const;
    expect(statusAndCode(await send(put('k', { headers })))).toEqual(
      refused(400, 'InvalidRequest'),
    );
    expect(await keys()).toEqual([]);
  });

  describe('trap 6: decoding of request paths', () => {
    test.each([
      ['%2e%2e/k', '../k'],
      ['../../k', '../../k'],
      ['a//b', 'a//b'],
      ['/a', '/a'],
      ['a/./b', 'a/./b'],
      ['folder/', 'folder/'],
      ['%252e', '%2e'],
      ['a%2Fb', 'a/b'],
    ])(
      'trap 6: the path %s is decoded once to the key %j and is not normalized',
      async (path, key) => {
        expect((await send(put(path))).status).toBe(200);
        expect(await keys()).toEqual([key]);
      },
    );

    test('trap 6: a signature for one spelling of a path is invalid for another key', async () => {
      const { text } = sign(put('a/../b'));
      expect(statusAndCode(await exchange(text.replace('a/../b', 'b'), 'PUT'))).toEqual(MISMATCH);
      expect(statusAndCode(await exchange(text.replace('a/../b', 'a%2f..%2Fc'), 'PUT'))).toEqual(
        MISMATCH,
      );
      expect(await keys()).toEqual([]);
    });
  });

  test('trap 7: a plus sign in a path or query stays a plus sign and does not become a space', async () => {
    expect((await send(put('a+b%20c'))).status).toBe(200);
    expect(await keys()).toEqual(['a+b c']);
    const listed = await send({ url: `/${box}?prefix=a+b` });
    expect(listed.text()).toContain('<Key>a+b c</Key>');
    expect((await send({ url: `/${box}?prefix=a%20b` })).text()).not.toContain('<Key>');
    const asBlank = await send({ url: `/${box}?prefix=a+b` }, (text) =>
      text.replace('prefix=a+b', 'prefix=a%20b'),
    );
    expect(statusAndCode(asBlank)).toEqual(MISMATCH);
  });

  test('trap 8: a parameter without a value has the same signature and meaning as one with an empty value', async () => {
    for (const [signed, sent] of [
      ['versioning', 'versioning='],
      ['versioning=', 'versioning'],
    ] as const) {
      const change = (text: string) => text.replace(`?${signed} `, `?${sent} `);
      expect((await send({ url: `/${box}?${signed}` }, change)).status).toBe(200);
    }
    // If the gateway had treated the request as a PUT, it would have stored the object.
    for (const url of [`/${box}/k?acl`, `/${box}/k?acl=`]) {
      expect((await send({ method: 'PUT', url, body: 'x' })).status).toBe(400);
    }
    expect(await keys()).toEqual([]);
  });

  describe('trap 9: duplicate query parameters', () => {
    test('trap 9: the signature covers duplicate query parameters sorted by value, whatever their order in the URL', async () => {
      const change = (text: string) => text.replace('u=b&u=a', 'u=a&u=b');
      expect((await send({ url: `/${box}/?list-type=2&u=b&u=a` }, change)).status).toBe(200);
      const doubled = (text: string) => text.replace('u=b&u=a', 'u=b&u=b');
      expect(statusAndCode(await send({ url: `/${box}/?list-type=2&u=b&u=a` }, doubled))).toEqual(
        MISMATCH,
      );
    });

    test.each(['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'])(
      'trap 9: a duplicate %s in a presigned URL is rejected',
      async (name) => {
        const { url, text } = sign({ url: `/${box}`, presigned: {} });
        const pair = url.split(/[?&]/).find((each) => each.startsWith(dialect.queryPrefix + name));
        const answer = await exchange(text.replace(url, `${url}&${pair}`));
        expect(statusAndCode(answer)).toEqual(refused(400, 'AuthorizationQueryParametersError'));
      },
    );
  });

  test('trap 10: a presigned URL accepts its parameters in any order, and no additional parameter', async () => {
    const { url, text } = sign({ url: `/${box}?list-type=2`, presigned: {} });
    const [path = '', query = ''] = url.split('?');
    const reversed = `${path}?${query.split('&').reverse().join('&')}`;
    expect((await exchange(text.replace(url, reversed))).status).toBe(200);
    const added = text.replace(url, `${url}&prefix=x`);
    expect(statusAndCode(await exchange(added))).toEqual(MISMATCH);
  });

  // test/unit/gateway/authenticate.test.ts tests that an unsigned payload from another machine is rejected.
  test('trap 11: a request with an unsigned payload over loopback still needs a valid signature', async () => {
    const unsigned = { payloadHash: 'UNSIGNED-PAYLOAD' };
    expect((await send(put('k', unsigned))).status).toBe(200);
    expect(statusAndCode(await send(put('l', { ...unsigned, credentials: WRONG })))).toEqual(
      MISMATCH,
    );
    expect(await keys()).toEqual(['k']);
  });

  describe('trap 12: signatures of requests with streaming bodies', () => {
    test.each([streaming, `${streaming}-TRAILER`, 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'])(
      'trap 12: a %s request with a wrong secret is rejected before the gateway reads its body',
      async (payloadHash) => {
        const headers = [
          ['content-encoding', 'aws-chunked'],
          ['x-*-decoded-content-length', '5'],
          ['transfer-encoding', 'chunked'],
        ] as const;
        const { text } = sign(put('k', { headers, payloadHash, credentials: WRONG, body: '' }));
        const answer = await exchange(text, 'PUT');
        expect(statusAndCode(answer)).toEqual(MISMATCH);
        expect(await keys()).toEqual([]);
      },
    );

    test('trap 12: a streaming body without a signature is rejected', async () => {
      const body = '5\r\nhello\r\n0\r\n\r\n';
      const answer = await exchange(
        `PUT /${box}/k HTTP/1.1\r\nhost: x\r\n${prefix}content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\r\n` +
          `${prefix}decoded-content-length: 5\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        'PUT',
      );
      expect(statusAndCode(answer)).toEqual(DENIED);
      expect(await keys()).toEqual([]);
    });
  });

  test.each(['STREAMING-UNSIGNED-PAYLOAD-TRAILER', streaming])(
    'trap 13: a presigned URL with the payload %s is rejected',
    async (payloadHash) => {
      const body = '5\r\nhello\r\n0\r\n\r\n';
      const named = [
        put('k', {
          body,
          payloadHash,
          presigned: {},
          headers: [
            ['x-*-content-sha256', payloadHash],
            ['x-*-decoded-content-length', '5'],
          ],
        }),
        put('k', { body, payloadHash, presigned: { 'Content-Sha256': payloadHash } }),
      ];
      for (const wish of named) {
        expect(statusAndCode(await send(wish))).toEqual(refused(400, 'InvalidRequest'));
      }
      // The next request has its credentials in the query, a streaming body, and an unsigned header that announces
      // the streaming body.
      const unsigned = [[`${prefix}content-sha256`, payloadHash]] as const;
      const added = await send(put('k', { body, presigned: {}, unsigned }));
      expect(statusAndCode(added).status).toBeGreaterThanOrEqual(400);
      expect(await keys()).toEqual([]);
    },
  );

  describe('trap 14: trailing checksums', () => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32('hello'));
    const right = digest.toString('base64');
    const declared = [
      ['x-*-decoded-content-length', '5'],
      ['x-*-trailer', `${prefix}checksum-crc32`],
    ] as const;
    const payloadHash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

    test.each([
      ['the checksum is correct', right, declared, 200],
      ['the checksum belongs to other bytes', 'AAAAAA==', declared, 400],
      ['the checksum is malformed', 'crc', declared, 400],
      ['the checksum was not declared', right, declared.slice(0, 1), 400],
    ] as const)(
      'trap 14: an object is stored only with a valid trailing checksum: %s',
      async (_, value, headers, status) => {
        const body = `5\r\nhello\r\n0\r\n${prefix}checksum-crc32:${value}\r\n\r\n`;
        const answer = await send(put('k', { headers, payloadHash, body }));
        expect(answer.status).toBe(status);
        expect(await keys()).toEqual(status === 200 ? ['k'] : []);
      },
    );

    test('trap 14: a body without its declared trailing checksum is rejected', async () => {
      const body = '5\r\nhello\r\n0\r\n\r\n';
      expect((await send(put('k', { headers: declared, payloadHash, body }))).status).toBe(400);
      expect(await keys()).toEqual([]);
    });

    test('trap 14: a trailing checksum after signed chunks needs its own signature', async () => {
      const mode = `${streaming}-TRAILER`;
      const { text, seed } = sign(
        put('k', {
          headers: [...declared, ['transfer-encoding', 'chunked']],
          payloadHash: mode,
          body: '',
        }),
      );
      const name = `${prefix}checksum-crc32`;
      const good = freeChunks(seed, ['hello'], [name, right]);
      const changed = good.replace(/(trailer-signature:).{4}/, '$10000');
      expect(statusAndCode(await exchange(text + inHttpChunk(changed), 'PUT'))).toEqual(MISMATCH);
      expect(await keys()).toEqual([]);
      expect((await exchange(text + inHttpChunk(good), 'PUT')).status).toBe(200);
      expect(await contentOf('k')).toBe('hello');
    });
  });

  /**
   * Returns a signed chunked upload with HTTP chunked transfer coding and without a Content-Length.
   */
  function chunkedPut(decodedBytes: number, edit = (wire: string) => wire, chunks = ['hello']) {
    const headers = [
      ['x-*-decoded-content-length', String(decodedBytes)],
      ['transfer-encoding', 'chunked'],
    ] as const;
    const { text, seed } = sign(put('k', { headers, payloadHash: streaming, body: '' }));
    return text + inHttpChunk(edit(freeChunks(seed, chunks)));
  }

  test.each([4, 6, 0, 999_999])(
    'trap 15: a body of five bytes that claims a decoded length of %i bytes is rejected',
    async (decodedBytes) => {
      const answer = await exchange(chunkedPut(decodedBytes), 'PUT');
      expect(statusAndCode(answer)).toEqual(refused(400, 'IncompleteBody'));
      expect(await keys()).toEqual([]);
    },
  );

  test.each([
    ['the last chunk', (wire: string) => wire.replace(/\r\n0;.*$/s, '\r\n')],
    ['half of the last chunk', (wire: string) => wire.replace(/\r\n0;.*$/s, '\r\n0;chunk-sig')],
    ['the end of a chunk', (wire: string) => wire.replace(/llo\r\n.*$/s, '')],
  ])('trap 16: a chunked body without %s is rejected', async (_, edit) => {
    const answer = await exchange(chunkedPut(5, edit), 'PUT');
    expect(statusAndCode(answer)).toEqual(refused(400, 'IncompleteBody'));
    expect(await keys()).toEqual([]);
  });

  test.each([
    ['negative', '-5'],
    ['written with the prefix 0x', '0x5'],
    ['empty', ''],
    ['beyond 2^31', '80000001'],
    ['beyond 2^53', 'fffffffffffffff5'],
    ['65,536 digits long', '5'.repeat(65_536)],
    ['followed by an endless extension', `5;${'x'.repeat(65_536)}`],
    ['a character other than a hexadecimal digit', '\u00b5'],
  ])('trap 17: a chunk is rejected if its size is %s', async (_, size) => {
    const edit = (wire: string) => wire.replace(/^5/, size);
    const answer = await exchange(chunkedPut(5, edit), 'PUT');
    expect(statusAndCode(answer)).toEqual(refused(400, 'InvalidRequest'));
    expect(await keys()).toEqual([]);
  });

  test.each([5, 200_000])(
    'trap 18: a PUT of %i bytes that do not match the signed SHA-256 stores nothing',
    async (sizeBytes) => {
      const body = 'b'.repeat(sizeBytes);
      const before = blobFiles(bench.dir).length;
      const answer = await send(put('k', { body, payloadHash: sha256('a'.repeat(sizeBytes)) }));
      expect(statusAndCode(answer)).toEqual(refused(400, 'XAmzContentSHA256Mismatch'));
      expect(await keys()).toEqual([]);
      expect([blobFiles(bench.dir).length, temporaryFiles(bench.dir)]).toEqual([before, []]);
    },
  );

  test('trap 19: a signature is accepted only as exactly 64 hexadecimal characters', async () => {
    const changes: ((signature: string) => string)[] = [
      (signature) => signature.toUpperCase().replace(/^[0-9]/, 'A'),
      (signature) => signature.slice(0, -1),
      (signature) => `${signature}0`,
      (signature) => `${signature}\u00e9`,
      (signature) => signature.replace(/./, (first) => (first === '0' ? '1' : '0')),
      () => '0',
    ];
    for (const change of changes) {
      const answer = await send({ url: `/${box}` }, (text) =>
        text.replace(
          /(Signature=)([0-9a-f]{64})/,
          (_, name: string, it: string) => name + change(it),
        ),
      );
      expect(statusAndCode(answer)).toEqual(MISMATCH);
    }
  });

  describe('trap 20: errors for an unknown key and for a wrong secret', () => {
    const unknown = { ...WRONG, accessKeyId: 'no:body@here' };

    // test/unit/signing/verify-request.test.ts tests that an unknown key and a wrong secret take the same
    // amount of work.
    test('trap 20: an unknown key and a wrong secret return the same status, and no error contains a secret', async () => {
      const wrong = await send({ url: `/${box}`, credentials: WRONG });
      const unknownKey = await send({ url: `/${box}`, credentials: unknown });
      expect(statusAndCode(wrong)).toEqual(MISMATCH);
      expect(statusAndCode(unknownKey)).toEqual(refused(403, 'InvalidAccessKeyId'));
      for (const answer of [wrong, unknownKey]) {
        expect(answer.text()).not.toContain(accessKey.secretAccessKey);
        expect(answer.text()).not.toContain(WRONG.secretAccessKey);
      }
    });

    test('trap 20: the error for a wrong signature does not reveal whether the bucket exists', async () => {
      for (const credentials of [WRONG, unknown]) {
        const there = await send({ url: `/${box}`, credentials });
        const missing = await send({ url: '/no-such-bucket', credentials });
        expect(statusAndCode(missing)).toEqual(statusAndCode(there));
      }
    });
  });

  describe('trap 21: expiration of presigned URLs', () => {
    test.each(['604801', '0', '-1', '1e3', '99999999999999999999', ' 1', '+60', '60.0', ''])(
      'trap 21: a presigned URL with Expires %j is rejected',
      async (Expires) => {
        const answer = await send({ url: `/${box}`, presigned: { Expires } });
        expect(statusAndCode(answer)).toEqual(refused(400, 'AuthorizationQueryParametersError'));
      },
    );

    test('trap 21: a presigned URL is valid until its last second, and for at most seven days', async () => {
      const signedAt = bench.clock.now() - 7 * DAY_MS;
      const presigned = { Expires: '604800' };
      expect((await send({ url: `/${box}`, presigned, signedAt })).status).toBe(200);
      const late = await send({ url: `/${box}`, presigned, signedAt: signedAt - 1_000 });
      expect(statusAndCode(late)).toEqual(DENIED);
      expect(late.text()).toContain('Request has expired');
    });

    test('trap 21: a presigned URL that is dated more than 15 minutes in the future is rejected', async () => {
      const early = { url: `/${box}`, presigned: {} };
      expect((await send({ ...early, signedAt: bench.clock.now() + 899_000 })).status).toBe(200);
      expect(
        statusAndCode(await send({ ...early, signedAt: bench.clock.now() + 901_000 })),
      ).toEqual(DENIED);
    });
  });

  test('trap 22: a wrong request time returns the same error with a right and with a wrong signature', async () => {
    const signedAt = bench.clock.now() + 901_000;
    const answers = await Promise.all(
      [accessKey, WRONG, { ...WRONG, accessKeyId: 'no:body@here' }].map((credentials) =>
        send({ url: `/${box}`, signedAt, credentials }),
      ),
    );
    const texts = answers.map((answer) => answer.text().replace(/<RequestId>.*?</, ''));
    expect(statusAndCode(answers[0] as RawAnswer)).toEqual(refused(403, 'RequestTimeTooSkewed'));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toMatch(/StringToSign|CanonicalRequest/);
  });

  test('trap 23: a presigned URL is valid only for its own method, except that a GET URL also permits HEAD', async () => {
    await bench.store.putObject({ bucket: box, key: 'k', body: bytesBody('hello') });
    const presigned = {};
    const get = sign({ url: `/${box}/k`, presigned });
    const as = (method: string, body = '') =>
      exchange(
        `${get.text.replace(/^GET/, method).replace(/\r\n\r\n$/, '')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        method,
      );
    expect((await as('GET')).text()).toBe('hello');
    expect((await as('HEAD')).status).toBe(200);
    for (const method of ['PUT', 'DELETE'])
      expect(statusAndCode(await as(method))).toEqual(MISMATCH);
    const put1 = sign(put('k', { presigned, body: '' }));
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect((await exchange(put1.text.replace(/^PUT/, method), method)).status).toBe(403);
    }
    expect(await contentOf('k')).toBe('hello');
  });

  test.each([
    ['response-content-type', 'text/plain%0d%0aset-cookie:%20a=b'],
    ['response-content-disposition', 'attachment;%20filename=%22a%0d%0a%0d%0aowned%22'],
    ['response-cache-control', 'a%0ab'],
    ['response-content-language', 'a%0db'],
    ['response-content-encoding', 'a%01b'],
    ['response-expires', 'a%0d%0ab'],
  ])('trap 24: a line break in %s does not add a header to the response', async (name, value) => {
    await bench.store.putObject({ bucket: box, key: 'k', body: bytesBody('hello') });
    const answer = await send({ url: `/${box}/k?${name}=${value}` });
    if (answer.status === 200) expect(answer.text()).toBe('hello');
    else expect(answer.status).toBe(400);
    const names = answer.headers.map(([each]) => each);
    expect(names).not.toContain('set-cookie');
    expect(names.every((each) => /^[a-z-]+[a-z0-9-]*$/.test(each))).toBe(true);
  });

  test('[sign-12] [sign-4] trap 25: an access key id can contain the characters / : @ +', async () => {
    const user = `DOM/ada+${dialect.name}:x@y`;
    const { accessKeyId } = newUser(identity, { user, project: 'p/q@r+s' });
    expect(accessKeyId).toBe(`p/q@r+s:${user}@local`);
    const credentials = identity.keys.findKey(accessKeyId) ?? WRONG;
    const bucket = `${box}-of-slashes`;
    const made = await send({ method: 'PUT', url: `/${bucket}`, credentials });
    expect(made.status).toBe(200);
    const presigned = await send({ url: `/${bucket}`, credentials, presigned: {} });
    expect(presigned.status).toBe(200);
    expect(presigned.text()).toContain(`<Name>${bucket}</Name>`);
  });

  test('trap 26: the signature covers the non-ASCII bytes of a header unchanged', async () => {
    const utf8 = Buffer.from('grüße 日本', 'utf8').toString('latin1');
    const name = `${prefix}meta-a`;
    expect((await send(put('k', { headers: [[name, utf8]] }))).status).toBe(200);
    const { info } = await bench.store.headObject({ bucket: box, key: 'k' });
    expect(info.metadata).toEqual({ a: 'grüße 日本' });
    const otherByte = (text: string) => text.replace('\u00c3\u00bc', '\u00c3\u00b6');
    expect(statusAndCode(await send(put('k', { headers: [[name, utf8]] }), otherByte))).toEqual(
      MISMATCH,
    );
    // The byte A0 is a no-break space in Latin-1. It does not count as white space, so the verifier
    // must not trim it.
    expect((await send(put('l', { headers: [[name, '\u00a0x\u00a0']] }))).status).toBe(200);
  });

  test('trap 27: only a request with a valid signature gets 100 Continue', async () => {
    const expecting = put('k', {
      headers: [
        ['expect', '100-continue'],
        ['content-length', '5'],
      ],
    });
    const headOf = (wish: FreeRequest) => sign(wish).text.slice(0, -'hello'.length);
    const socket = bench.connect();
    socket.write(headOf(expecting));
    expect((await socket.answer()).status).toBe(100);
    socket.write('hello');
    expect((await socket.answer('PUT')).status).toBe(200);

    const strangers: FreeRequest[] = [
      { ...expecting, credentials: WRONG },
      { ...expecting, credentials: { ...WRONG, accessKeyId: 'no:body@here' } },
      { ...expecting, signedAt: bench.clock.now() - 901_000 },
    ];
    for (const wish of strangers) {
      const answer = await exchange(headOf({ ...wish, url: `/${box}/l` }), 'PUT');
      expect([answer.status, answer.header('connection')]).toEqual([403, 'close']);
    }
    expect(await keys()).toEqual(['k']);
  });

  describe('trap 28: bodies of requests that should have none', () => {
    const calls = [
      ['GET', ''],
      ['DELETE', '/k'],
      ['HEAD', '/k'],
    ] as const;

    test.each(calls)(
      'trap 28: the gateway verifies a body of %s %s against its signed digest',
      async (method, path) => {
        await bench.store.putObject({ bucket: box, key: 'k', body: bytesBody('hello') });
        const smuggled = { method, url: `/${box}${path}`, payloadHash: sha256('') };
        const answer = await send({ ...smuggled, body: 'smuggled' });
        expect(answer.status).toBe(400);
        expect(await keys()).toEqual(['k']);
      },
    );

    test.each(calls)(
      'trap 28: the gateway never parses a body of %s %s as the next request',
      async (method, path) => {
        await bench.store.putObject({ bucket: box, key: 'k', body: bytesBody('hello') });
        const socket = bench.connect();
        const inside = sign({ method: 'DELETE', url: `/${box}/k` }).text;
        const wish = { method, url: `/${box}${path}`, body: inside };
        const first = await exchange(sign(wish).text, method, socket);
        expect(statusAndCode(first).status).toBe(400);
        const next = await exchange(sign({ url: `/${box}?list-type=2` }).text, 'GET', socket);
        expect(next.text()).toContain('<Key>k</Key>');
      },
    );
  });

  describe('trap 29: rotated access keys', () => {
    const grace = { user: `grace-${dialect.name}`, project: 'traps' };
    const status = async (credentials: typeof WRONG) =>
      statusAndCode(await send({ url: '/', credentials })).status;
    const secretOf = (id: string) => identity.keys.findKey(id) ?? WRONG;

    test('trap 29: a rotated access key is rejected after its grace period, even if its signing key is cached', async () => {
      const old = secretOf(newUser(identity, grace).accessKeyId);
      expect(await status(old)).toBe(200);
      const rotated = identity.keys.rotateKey({ accessKeyId: old.accessKeyId, graceMs: 60_000 });
      const fresh = secretOf(rotated.key.accessKeyId);
      expect([await status(old), await status(fresh)]).toEqual([200, 200]);
      bench.clock.advance(60_000);
      expect([await status(old), await status(fresh)]).toEqual([403, 200]);
      identity.keys.removeKey(fresh.accessKeyId);
      expect(await status(fresh)).toBe(403);
    });
  });

  describe('trap 30: bodies without a valid signature', () => {
    test.each([
      ['of a wrong secret', { credentials: WRONG }],
      ['of an unknown key', { credentials: { ...WRONG, accessKeyId: 'no:body@here' } }],
      ['of yesterday', { signedAt: Date.UTC(2026, 10, 20, 12) }],
      ['of another region', { scope: { region: 'elsewhere' } }],
      [
        'of an expired presigned URL',
        { presigned: { Expires: '1' }, signedAt: Date.UTC(2026, 10, 20, 12) },
      ],
    ] satisfies [string, Partial<FreeRequest>][])(
      'trap 30: a request with the signature %s is rejected while the client sends the body, and nothing reaches the disk',
      async (_, wrong) => {
        const before = blobFiles(bench.dir);
        const askedBefore = asked;
        const headers = [['content-length', String(64 * 1024 * 1024)]] as const;
        const { text } = sign(put('k', { headers, body: '', ...wrong }));
        const socket: HttpSocket = bench.connect();
        socket.write(text);
        socket.write('x'.repeat(512 * 1024));
        const answer = await socket.answer('PUT');
        expect(statusAndCode(answer).status).toBeGreaterThanOrEqual(400);
        expect(asked).toBe(askedBefore);
        expect(temporaryFiles(bench.dir)).toEqual([]);
        expect(blobFiles(bench.dir)).toEqual(before);
        expect(await keys()).toEqual([]);
      },
    );
  });
});

/** Returns the bytes as one HTTP chunk and the final empty chunk. */
function inHttpChunk(wire: string): string {
  return `${wire.length.toString(16)}\r\n${wire}\r\n0\r\n\r\n`;
}

test('trap 19: no source file compares a signature or a secret with an operator such as ===', () => {
  const operators =
    /\b(?:signature|secret\w*|hmac|token)\b\s*[!=]==?|[!=]==?\s*\b(?:signature|secret\w*|hmac)\b(?!\s*\?)/i;
  const offending = sourceFiles('src/protocol/signing', 'src/gateway', 'src/identity')
    .flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => operators.test(line) && !/undefined/.test(line));
  // This comparison is safe. The cache compares the stored secret with the secret that a signing key was derived
  // from.
  expect(offending).toEqual([
    'src/protocol/signing/signing-key.ts: if (found?.secretAccessKey === secretAccessKey) return found.signingKey;',
  ]);
});
