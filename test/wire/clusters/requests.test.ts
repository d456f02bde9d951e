/** What is refused of every request, whatever it asks for. */

import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { HttpSocket } from '../../helpers/http-socket.ts';

describe.each(['svc', 'amz'] as const)('every request, %s', (dialect) => {
  test('of a path or a method that is none is told what there is', async () => {
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

  test('whose path is no UTF-8, or leaves its segment, names nothing', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    for (const name of ['%FF', '%00', '..%2Fprod'])
      expect((await send('GET', `/clusters/${name}/node-groups`)).status).toBe(400);
  });

  test('tells its id, by the header of its dialect', async () => {
    const { send } = await openClusterWire(dialect);
    const { headers } = await send('GET', '/clusters');
    const name = dialect === 'amz' ? 'x-amzn-requestid' : 'x-svc-request-id';
    expect(headers.get(name)).toMatch(/^tx/);
  });

  test('that is changed on its way is refused', async () => {
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

  test('whose body nobody signed for is answered without it', async () => {
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

  test('may have its host before its path, as proxies are asked, where that is the host of the header', async () => {
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

  test('that is no HTTP is refused, and the service goes on', async () => {
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
