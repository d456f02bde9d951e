/** Tests of errors that all requests to the cluster service have in common. */

import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { CLUSTER_BODY_MEMORY } from '../../../src/cluster/gateway/read-body.ts';
import { DOCUMENT_WAIT_MS, MAX_DOCUMENT_MEMORY_BYTES } from '../../../src/http/listener-limits.ts';
import { expectRefusal, openClusterWire, WIRE_DIALECTS } from '../../helpers/cluster-wire.ts';
import { HttpSocket } from '../../helpers/http-socket.ts';

describe.each(['svc', 'amz'] as const)('requests to the cluster service, %s', (dialect) => {
  test('a request to the cluster service with an unknown path or method returns 404 UnknownOperationException', async () => {
    const { send } = await openClusterWire(dialect);
    for (const [verb, target] of [
      ['GET', '/'],
      ['GET', '/cluster'],
      ['PUT', '/clusters/prod'],
      ['GET', '/clusters/prod/node-groups/a/b/c'],
    ] as const)
      expectRefusal(await send(verb, target), {
        status: 404,
        code: 'UnknownOperationException',
      });
  });

  test('a cluster name in a path with NUL, a slash or bytes that are not UTF-8 returns 400', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    for (const name of ['%FF', '%00', '..%2Fprod'])
      expect((await send('GET', `/clusters/${name}/node-groups`)).status).toBe(400);
  });

  test('the cluster service ignores an unknown Expect header', async () => {
    const { bench } = await openClusterWire(dialect);
    const { port } = new URL(bench.url);
    const socket = new HttpSocket(Number(port));
    socket.write('GET /clusters HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\n\r\n');
    expect((await socket.answer()).status).toBe(403);
    socket.destroy();
  });

  test('a response of the cluster service has the request id in the header that its protocol defines', async () => {
    const { send } = await openClusterWire(dialect);
    const { headers } = await send('GET', '/clusters');
    const name = dialect === 'amz' ? 'x-amzn-requestid' : 'x-svc-request-id';
    expect(headers.get(name)).toMatch(/^tx/);
  });

  test('the cluster service rejects a request without a signature, or with a wrong one, with 403', async () => {
    const { send, bench } = await openClusterWire(dialect);
    expect((await send('GET', '/clusters')).status).toBe(200);
    const unsigned = await fetch(`${bench.url}/clusters`);
    expect(unsigned.status).toBe(403);
    expect(await unsigned.json()).toMatchObject({
      __type: 'MissingAuthenticationTokenException',
    });
    const forged = await fetch(`${bench.url}/clusters`, {
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=holdfast:ann@local/20261121/us-east-1/eks/aws4_request, SignedHeaders=host;x-amz-date, Signature=00',
        'x-amz-date': '20261121T120000Z',
      },
    });
    expect(forged.status).toBe(403);
    expect(await forged.json()).toMatchObject({ __type: 'InvalidSignatureException' });
  });

  test('the cluster service rejects an unsigned request without waiting for its body', async () => {
    const { send, bench } = await openClusterWire(dialect);
    const { port } = new URL(bench.url);
    for (const expecting of ['', 'expect: 100-continue\r\n']) {
      const socket = new HttpSocket(Number(port));
      const head = `POST /clusters HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n`;
      socket.write(`${head}${expecting}\r\n`);
      const answer = await socket.answer('POST');
      expect([answer.status, answer.header('connection')]).toEqual([403, 'close']);
      expect(answer.text()).toContain('MissingAuthenticationTokenException');
      expect(await socket.rest()).toBe('');
    }
    expect((await send('GET', '/clusters')).status).toBe(200);
  });

  test.each([
    ['an unknown key', { credential: 'holdfast:nobody@local' }, 'UnrecognizedClientException'],
    ['another region', { region: 'eu-west-9' }, 'InvalidSignatureException'],
    ['another service', { service: 's3' }, 'InvalidSignatureException'],
    ['a time 24 hours ago', { day: -1 }, 'InvalidSignatureException'],
  ])(
    'the cluster service rejects a signature with %s before it reads the body',
    async (_, claimed, code) => {
      const { bench, clock } = await openClusterWire(dialect);
      const {
        credential = bench.credentials.accessKeyId,
        region = 'us-east-1',
        service = 'eks',
        day = 0,
      } = claimed as { credential?: string; region?: string; service?: string; day?: number };
      const { algorithm, headerPrefix, terminator } = WIRE_DIALECTS[dialect];
      const time = new Date(clock.now() + day * 86_400_000)
        .toISOString()
        .replace(/[-:]|\.\d+/g, '');
      const scope = `${credential}/${time.slice(0, 8)}/${region}/${service}/${terminator}`;
      for (const expecting of ['', 'expect: 100-continue\r\n']) {
        const socket = new HttpSocket(Number(new URL(bench.url).port));
        socket.write(
          `POST /clusters HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n${headerPrefix}date: ${time}\r\n` +
            `authorization: ${algorithm} Credential=${scope}, SignedHeaders=host;${headerPrefix}date, ` +
            `Signature=${'0'.repeat(64)}\r\n${expecting}\r\n`,
        );
        const answer = await socket.answer('POST');
        expect([answer.status, answer.header('connection')]).toEqual([403, 'close']);
        expect(answer.text()).toContain(code);
        expect(await socket.rest()).toBe('');
      }
    },
  );

  test('the cluster service rejects a request with a chunked body before it reads the body', async () => {
    const { bench, clock } = await openClusterWire(dialect);
    const { algorithm, headerPrefix, terminator } = WIRE_DIALECTS[dialect];
    const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${bench.credentials.accessKeyId}/${time.slice(0, 8)}/us-east-1/eks/${terminator}`;
    const socket = new HttpSocket(Number(new URL(bench.url).port));
    socket.write(
      `POST /clusters HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n${headerPrefix}date: ${time}\r\n` +
        `authorization: ${algorithm} Credential=${scope}, SignedHeaders=host;${headerPrefix}date, ` +
        `Signature=${'0'.repeat(64)}\r\n\r\n1\r\n{\r\n`,
    );
    const answer = await socket.answer('POST');
    expect([answer.status, answer.header('connection')]).toEqual([400, 'close']);
    expect(answer.text()).toContain('Content-Length is missing');
  });

  test('a cluster request with a large body waits for free memory, and returns 429 after the maximum wait', async () => {
    const { send, clock } = await openClusterWire(dialect);
    const giveBack = await CLUSTER_BODY_MEMORY.take(MAX_DOCUMENT_MEMORY_BYTES);
    const text = JSON.stringify({ name: 'prod', padding: 'x'.repeat(100_000) });
    const waiting = send('POST', '/clusters', { text });
    await expect.poll(() => CLUSTER_BODY_MEMORY.shares.size).toBe(1);
    clock.advance(DOCUMENT_WAIT_MS);
    expectRefusal(await waiting, { status: 429, code: 'ThrottlingException' });
    giveBack();
    expect((await send('POST', '/clusters', { text })).status).not.toBe(429);
    expect([CLUSTER_BODY_MEMORY.takenBytes, CLUSTER_BODY_MEMORY.shares.size]).toEqual([0, 0]);
  });

  test.each([
    [
      'more than 16 nested levels',
      `{"a":${'['.repeat(130_000)}${']'.repeat(130_000)}}`,
      'more than 16 nested levels',
    ],
    ['a duplicate field name', '{"name":"a","name":"b"}', 'has the name "name" twice'],
  ])('the cluster service rejects JSON with %s with 400', async (_, text, reason) => {
    const { send } = await openClusterWire(dialect);
    const answer = await send('POST', '/clusters', { text });
    expectRefusal(answer, { status: 400, code: 'InvalidParameterException' });
    expect(answer.text).toContain(reason.replaceAll('"', '\\"'));
  });

  test('the cluster service accepts a target in absolute form only if its host equals the Host header', async () => {
    const { bench } = await openClusterWire(dialect);
    const ask = async (host: string) => {
      const socket = new HttpSocket(Number(new URL(bench.url).port));
      socket.write(`GET http://${host}/clusters HTTP/1.1\r\nhost: here\r\n\r\n`);
      const answer = await socket.answer();
      socket.destroy();
      return `${answer.status} ${/"__type":"(\w+)"/.exec(answer.text())?.[1]}`;
    };
    expect(await ask('here')).toBe('403 MissingAuthenticationTokenException');
    expect(await ask('elsewhere')).toBe('400 InvalidRequestException');
  });

  test('the cluster service answers bytes that are not HTTP with 400, and still serves other requests', async () => {
    const { send, bench } = await openClusterWire(dialect);
    const { hostname, port } = new URL(bench.url);
    const socket = connect(Number(port), hostname);
    socket.end('nonsense\r\n\r\n');
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect((await send('GET', '/clusters')).status).toBe(200);
  });
});
