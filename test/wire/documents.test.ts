/** Tests of which callers may send an XML or JSON request body, and how much memory such bodies use. */

import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { DOCUMENT_MEMORY } from '../../src/http/document-memory.ts';
import { DOCUMENT_DEADLINE_MS, PROGRESS_WINDOW_MS } from '../../src/gateway/limits.ts';
import { DOCUMENT_WAIT_MS, MAX_DOCUMENT_MEMORY_BYTES } from '../../src/http/listener-limits.ts';
import { sendUnsigned } from '../helpers/strangers.ts';
import { prepareDocuments, validDocuments } from '../helpers/valid-documents.ts';
import { colleague, GRANTEES, stranger, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const NO_DOCUMENT = '<<<';
const NO_DIGEST = 'UNSIGNED-PAYLOAD';
const md5 = createHash('md5').update(NO_DOCUMENT).digest('base64');
const deletion = (...keys: readonly string[]) =>
  `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('')}</Delete>`;
/** A request body of 100 KB. The gateway reserves memory before it reads a body of this size. */
const LARGE = deletion(...Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(1000, 'k')));

inBothDialects(new WireBench(), (wire) => {
  const codeOf = (answer: { status: number; text(): string }) =>
    `${answer.status} ${/<Code>(\w+)</.exec(answer.text())?.[1]}`;

  describe.each(validDocuments())('request bodies of %s', (name, { line }) => {
    test('a caller without permission is rejected before the gateway reads the request body, except for DeleteObjects', async () => {
      await prepareDocuments(wire);
      const given = { body: NO_DOCUMENT, headers: { 'content-md5': md5 } };
      expect(codeOf(await sendUnsigned(wire, line, given))).toBe('403 AccessDenied');
      if (name === 'CreateBucket') return;
      const returned = codeOf(await wire.send(line, { ...given, as: stranger }));
      // The gateway reads the body of DeleteObjects first, because the caller may have permissions for the listed
      // objects.
      expect(returned).toBe(name === 'DeleteObjects' ? '400 MalformedXML' : '403 AccessDenied');
    });

    test('a rejected request gets its response before its body arrives, and no 100 Continue', async () => {
      await prepareDocuments(wire);
      const request = wire.request(line);
      const head = `${request.method} ${request.url} HTTP/1.1\r\nhost: x\r\ncontent-length: 900000\r\n`;
      for (const expecting of ['', 'expect: 100-continue\r\n']) {
        const socket = wire.bench.connect();
        socket.write(`${head}${expecting}\r\n`);
        const answer = await socket.answer(request.method);
        expect([codeOf(answer), answer.header('connection')]).toEqual([
          '403 AccessDenied',
          'close',
        ]);
      }
    });
  });

  test('the body of an anonymous DeleteObjects is read if a policy allows everyone to delete some objects', async () => {
    await wire.put('open/a', 'x');
    await wire.put('b', 'x');
    const bucket = wire.get('box');
    const policy = JSON.stringify({
      Statement: {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:DeleteObject',
        Resource: `arn:aws:s3:::${bucket}/open/*`,
      },
    });
    await wire.store.putBucketPolicy({ bucket, policy });
    const body = deletion('open/a', 'b');
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
    const answer = await sendUnsigned(wire, 'POST /{box}?delete', { body, headers });
    expect(answer.status).toBe(200);
    expect(answer.text()).toContain('<Deleted><Key>open/a</Key></Deleted>');
    expect(answer.text()).toContain('<Error><Key>b</Key><Code>AccessDenied</Code>');
  });

  describe('request bodies that a policy condition depends on', () => {
    const mayIf = async (action: string, condition: Readonly<Record<string, string>>) => {
      const bucket = wire.get('box');
      const policy = JSON.stringify({
        Statement: {
          Effect: 'Allow',
          Principal: { AWS: [`arn:aws:iam:::user/${stranger.accessKeyId}`] },
          Action: action,
          Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/a`],
          Condition: { StringEquals: condition },
        },
      });
      await wire.store.putBucketPolicy({ bucket, policy });
    };
    const status = async (line: string, body: string) =>
      (await wire.send(line, { body, as: stranger })).status;

    test('the gateway reads the tags in a request body before it evaluates a policy condition on the tags', async () => {
      await wire.put('a', 'x');
      await mayIf('s3:PutObjectTagging', { 's3:RequestObjectTag/team': 'red' });
      const tagged = (team: string) =>
        `<Tagging><TagSet><Tag><Key>team</Key><Value>${team}</Value></Tag></TagSet></Tagging>`;
      expect(await status('PUT /{box}/a?tagging', tagged('red'))).toBe(200);
      expect(await status('PUT /{box}/a?tagging', tagged('blue'))).toBe(403);
    });

    test('the gateway reads the ACL in a request body before it evaluates a policy condition on the grants', async () => {
      await mayIf('s3:PutBucketAcl', { 's3:x-amz-grant-read': `id=${GRANTEES.project}` });
      const list = (right: string) =>
        `<AccessControlPolicy><AccessControlList><Grant><Grantee><ID>${GRANTEES.project}</ID></Grantee>` +
        `<Permission>${right}</Permission></Grant></AccessControlList></AccessControlPolicy>`;
      expect(await status('PUT /{box}?acl', list('READ'))).toBe(200);
      expect(await status('PUT /{box}?acl', list('WRITE'))).toBe(403);
    });
  });

  describe('memory for request bodies', () => {
    const taken = async (bytes: number) => {
      await expect.poll(() => DOCUMENT_MEMORY.takenBytes).toBe(bytes);
    };
    afterEach(() => taken(0));
    const line = 'POST /{box}?delete';
    /** Waits until the gateway has received everything that the test sent before. */
    const settled = async () => {
      for (let round = 0; round < 5; round++) await wire.send('GET /{box}?versioning');
    };

    test('large XML bodies wait for memory in the order of their arrival, while a small one does not wait', async () => {
      const giveBack = await DOCUMENT_MEMORY.take(MAX_DOCUMENT_MEMORY_BYTES);
      const answered: string[] = [];
      const large = (who: string) =>
        wire.send(line, { body: LARGE }).then(({ status }) => answered.push(`${who} ${status}`));
      const first = large('first');
      await settled();
      const second = large('second');
      await settled();
      expect((await wire.send(line, { body: deletion('a') })).status).toBe(200);
      expect(answered).toEqual([]);
      giveBack();
      await Promise.all([first, second]);
      expect(answered).toEqual(['first 200', 'second 200']);
    });

    test('a request that waits too long for memory for its XML body returns 503 before the client sends the body', async () => {
      const giveBack = await DOCUMENT_MEMORY.take(MAX_DOCUMENT_MEMORY_BYTES);
      const socket = wire.bench.connect();
      const headers = { 'content-length': '900000', expect: '100-continue', 'content-md5': md5 };
      const request = wire.request(line, { headers, contentSha256: NO_DIGEST });
      socket.write(wire.bench.head(wire.dialect, request));
      await settled();
      wire.bench.clock.advance(DOCUMENT_WAIT_MS);
      expect(codeOf(await socket.answer('POST'))).toBe('503 SlowDown');
      giveBack();
    });

    test('a client that disconnects leaves the queue of requests that wait for memory', async () => {
      const giveBack = await DOCUMENT_MEMORY.take(MAX_DOCUMENT_MEMORY_BYTES);
      const socket = wire.bench.connect();
      socket.write(wire.bench.head(wire.dialect, wire.request(line, { body: LARGE })));
      await settled();
      socket.reset();
      await settled();
      const answer = wire.send(line, { body: LARGE });
      giveBack();
      expect((await answer).status).toBe(200);
    });

    test("the XML bodies of one user use at most that user's share of the memory for request bodies", async () => {
      const sockets = Array.from({ length: 12 }, () => wire.bench.connect());
      const given = { headers: { 'content-length': '2000000' }, contentSha256: NO_DIGEST };
      for (const socket of sockets) {
        const headers = { ...given.headers, 'content-md5': md5 };
        const request = wire.request(line, { ...given, headers });
        socket.write(wire.bench.head(wire.dialect, request));
      }
      await settled();
      await taken(4_000_000);
      const others = { body: LARGE, as: colleague };
      expect((await wire.send(line, others)).status).toBe(200);
      for (const socket of sockets) socket.reset();
      expect((await wire.send(line, { body: LARGE })).status).toBe(200);
    });

    test('an XML body that arrives steadily but too slowly is rejected, and its memory is freed', async () => {
      const socket = wire.bench.connect();
      socket.write(wire.bench.head(wire.dialect, wire.request(line, { body: LARGE })));
      await settled();
      await taken(LARGE.length);
      const answer = socket.answer('POST');
      for (let ms = 0; ms < DOCUMENT_DEADLINE_MS; ms += PROGRESS_WINDOW_MS / 2) {
        socket.write('<a>'.padEnd(2048));
        await settled();
        wire.bench.clock.advance(PROGRESS_WINDOW_MS / 2);
      }
      expect(codeOf(await answer)).toBe('400 RequestTimeout');
    });

    test('a request whose Content-Length exceeds the limit for XML bodies is rejected without waiting for the body', async () => {
      const headers = { 'content-length': String(1024 * 1024 + 1) };
      const request = wire.request('PUT /{box}?tagging', { headers, contentSha256: NO_DIGEST });
      const socket = wire.bench.connect();
      socket.write(wire.bench.head(wire.dialect, request));
      expect(codeOf(await socket.answer('PUT'))).toBe('400 MaxMessageLengthExceeded');
    });
  });
});
