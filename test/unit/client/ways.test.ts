/** Tests of connections to a service: TLS with private certificates, proxies, and bucket names in the host. */

import { createServer as createHttpServer, type IncomingMessage, request as send } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as connectSocket, type Server, type Socket } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { transportFailure } from '../../../src/client/transport-failure.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { makeCertificate } from '../../helpers/certificate.ts';
import {
  connect,
  failure,
  HurriedClock,
  objectAnswer,
  putAnswer,
  serve,
} from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'a key' };
const OURS = makeCertificate();
const ONCE = { timeouts: { repeatMs: 0 } };

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serveTls(certificate = OURS): Promise<string> {
  return `https://127.0.0.1:${await listen(createTlsServer(certificate, objectAnswer))}`;
}

describe('TLS connections', () => {
  test('the client accepts a service certificate that the configured authority signed', async () => {
    const { info } = await connect(await serveTls(), { ca: OURS.cert }).headObject(REF);
    expect(info.sizeBytes).toBe(1);
  });

  test('the client refuses a self-signed certificate and names the next step in the error', async () => {
    const endpoint = await serveTls();
    for (const options of [{}, { ca: makeCertificate().cert }]) {
      const error = await failure(connect(endpoint, options).headObject(REF));
      expect(error).toMatchObject({ name: 'TransportError', code: 'TlsFailed', sent: false });
      expect(error.message).toContain(`${endpoint}: its certificate is self-signed`);
      expect(error.message).toContain("the target's caFile");
    }
  });

  test('the client verifies certificates even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const error = await failure(connect(await serveTls()).headObject(REF));
    expect(error).toMatchObject({ code: 'TlsFailed' });
  });

  test('the client refuses an expired certificate even if its authority is trusted', async () => {
    const expired = makeCertificate({ notAfter: Date.UTC(2021, 0, 1) });
    const client = connect(await serveTls(expired), { ca: expired.cert });
    const error = await failure(client.headObject(REF));
    expect(error).toMatchObject({ code: 'TlsFailed' });
    expect(error.message).toContain('has expired; renew it');
  });

  test('the client refuses a certificate that was issued for another host name', async () => {
    const other = makeCertificate({ names: ['other.example'] });
    const endpoint = (await serveTls(other)).replace('127.0.0.1', 'localhost');
    const error = await failure(connect(endpoint, { ca: other.cert }).headObject(REF));
    expect(error).toMatchObject({ code: 'TlsFailed' });
    expect(error.message).toContain('is for another name');
  });

  test.for([
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not signed by a trusted authority'],
    ['SELF_SIGNED_CERT_IN_CHAIN', "set the target's caFile to the certificate of that authority"],
    ['CERT_NOT_YET_VALID', "check this machine's clock"],
    ['CERT_REVOKED', 'was revoked'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'write http:// in place of https://'],
    ['ERR_SOMETHING_ELSE', 'the connection was lost'],
  ] as const)('the client explains a TLS failure with the code %s', ([code, words]) => {
    const cause = Object.assign(new Error('as OpenSSL says it'), { code });
    const error = transportFailure(cause, { sent: false, endpoint: 'https://one.example' });
    expect(error.message).toMatch(/https:\/\/one\.example: .* \(as OpenSSL says it\)$/);
    expect(error.message).toContain(words);
  });
});

interface ScriptedProxy {
  readonly url: string;
  /** URLs of the tunnels and of the forwarded requests. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
}

/** Starts a proxy that connects to `port` of this machine for any requested address. */
async function proxyTo(port: number, status = 200): Promise<ScriptedProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const note = ({ url, headers }: IncomingMessage) => {
    asked.push(url ?? '');
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createHttpServer((request, response) => {
    note(request);
    const { method, headers, url } = request;
    const path = (url ?? '').replace(/^http:\/\/[^/]*/, '');
    request.pipe(
      send({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    socket.write(`HTTP/1.1 ${status} scripted\r\n\r\n`);
    if (status === 200) socket.pipe(connectSocket(port, '127.0.0.1')).pipe(socket);
    else socket.end();
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked, authorizations };
}

describe('connections through a proxy', () => {
  test('the client tunnels a request to an HTTPS service through the proxy', async () => {
    const port = Number(new URL(await serveTls()).port);
    const proxy = await proxyTo(port);
    const endpoint = 'https://localhost:7443';
    const client = connect(endpoint, { ca: OURS.cert, proxy: proxy.url });
    for (let count = 0; count < 3; count += 1) await client.headObject(REF);
    const { body } = await client.getObject(REF);
    expect(await collect(body, 10)).toHaveLength(1);
    expect(new Set(proxy.asked)).toEqual(new Set(['localhost:7443']));
  });

  test('the client lets the proxy resolve the host name of an HTTP service and forward the request', async () => {
    const { url, requests } = await serve(putAnswer);
    const proxy = await proxyTo(Number(new URL(url).port));
    const client = connect('http://store.test:9010', { proxy: proxy.url });
    await client.putObject({ ...REF, body: bytesBody('a') });
    expect(proxy.asked).toEqual(['http://store.test:9010/bucket/a%20key']);
    expect(requests[0]?.url).toBe('/bucket/a%20key');
    expect(requests[0]?.headers.host).toBe('store.test:9010');
  });

  test.for(['http', 'https'] as const)(
    'the client sends the credentials of a proxy from the environment for an %s endpoint',
    async (scheme) => {
      const { url, requests } = await serve(putAnswer);
      const port = Number(new URL(scheme === 'http' ? url : await serveTls()).port);
      const proxy = await proxyTo(port);
      const client = connect(`${scheme}://store.localhost`, {
        ca: OURS.cert,
        environment: { ALL_PROXY: proxy.url.replace('//', '//ada:pass%40word@') },
      });
      await client.deleteObject(REF).catch(() => undefined);
      const basic = `Basic ${Buffer.from('ada:pass@word').toString('base64')}`;
      expect(proxy.authorizations).toEqual([basic]);
      expect(proxy.asked[0]).toBe(
        scheme === 'http' ? 'http://store.localhost/bucket/a%20key' : 'store.localhost:443',
      );
      // Over HTTP, this proxy forwards all headers, whereas a real proxy removes
      // Proxy-Authorization.
      if (scheme === 'https') expect(requests).toHaveLength(0);
    },
  );

  test.for([
    [407, 'requires a user and a password'],
    [403, 'it answered 403'],
  ] as const)(
    'the client names the proxy and the reason in the error for a proxy that returns %i',
    async ([status, words]) => {
      const proxy = await proxyTo(1, status);
      const client = connect('https://store.test', { proxy: proxy.url });
      const error = await failure(client.headObject(REF));
      expect(error).toMatchObject({ name: 'TransportError', code: 'BadResponse', sent: false });
      expect(error.message).toContain(
        `cannot connect to https://store.test (the proxy ${proxy.url} did not`,
      );
      expect(error.message).toContain(words);
      expect(proxy.asked).toHaveLength(1);
    },
  );

  test('the client fails a request with a timeout if the proxy does not respond', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = createHttpServer();
    silent.on('connect', () => asked.resolve());
    const clock = new HurriedClock();
    const proxy = `http://127.0.0.1:${await listen(silent)}`;
    const result = failure(
      connect('https://store.test', { ...ONCE, clock, proxy }).headObject(REF),
    );
    await asked.promise;
    clock.advance(10_000);
    const error = await result;
    expect(error).toMatchObject({ code: 'Timeout', sent: false });
    expect(error.message).toContain(`no tunnel through the proxy ${proxy} within 10 s`);
  });

  test('the client reports an unreachable proxy as a refused connection', async () => {
    const { url } = await serve(putAnswer);
    const away = await proxyTo(Number(new URL(url).port));
    const client = connect('https://store.test', { ...ONCE, proxy: 'http://127.0.0.1:1' });
    const error = await failure(client.headObject(REF));
    expect(error).toMatchObject({ code: 'ConnectionRefused', sent: false });
    expect(error.message).toContain('(through the proxy http://127.0.0.1:1: ');
    expect(away.asked).toEqual([]);
  });

  test('the client refuses a proxy with an untrusted certificate', async () => {
    const proxy = await serveTls();
    const client = connect('https://store.test', { proxy, ca: OURS.cert });
    const error = await failure(client.headObject(REF));
    expect(error).toMatchObject({ code: 'BadResponse', sent: false });
    expect(error.message).toContain(
      `cannot connect to https://store.test (through the proxy ${proxy}: `,
    );
  });
});

describe('bucket names in the host name', () => {
  test.for([
    ['http://store.test:9010', 'bucket', 'bucket.store.test:9010', '/a%20key'],
    ['http://store.test', 'dotted.bucket', 'dotted.bucket.store.test', '/a%20key'],
    ['http://store.test', 'Old_Bucket', 'store.test', '/Old_Bucket/a%20key'],
    ['http://10.0.0.1', 'bucket', '10.0.0.1', '/bucket/a%20key'],
  ] as const)(
    'with the endpoint %s, the client requests the bucket %s at the host %s with the path %s',
    async ([endpoint, bucket, host, path]) => {
      const { url, requests } = await serve(putAnswer);
      const proxy = await proxyTo(Number(new URL(url).port));
      const client = connect(endpoint, { addressing: 'virtual', proxy: proxy.url });
      await client.putObject({ bucket, key: 'a key', body: bytesBody('a') });
      expect(requests[0]?.headers.host).toBe(host);
      expect(requests[0]?.url).toBe(path);
    },
  );

  test('the client keeps a bucket name with dots in the path over TLS, because no certificate covers such a host name', async () => {
    const named = makeCertificate({ names: ['store.test', '*.store.test'] });
    const proxy = await proxyTo(Number(new URL(await serveTls(named)).port));
    const options = { addressing: 'virtual', ca: named.cert, proxy: proxy.url } as const;
    const client = connect('https://store.test', options);
    await client.headObject({ ...REF, bucket: 'dotted.bucket' });
    await client.headObject(REF);
    expect(proxy.asked).toEqual(['store.test:443', 'bucket.store.test:443']);
  });

  test('the client sends ListBuckets without a bucket name in the host name', async () => {
    const { url, requests } = await serve(putAnswer);
    const proxy = await proxyTo(Number(new URL(url).port));
    const client = connect('http://store.test', { addressing: 'virtual', proxy: proxy.url });
    await failure(client.listBuckets());
    await client.createBucket({ bucket: 'bucket' });
    expect(requests.map(({ headers, url: path }) => `${headers.host}${path}`)).toEqual([
      'store.test/',
      'bucket.store.test/',
    ]);
  });
});
