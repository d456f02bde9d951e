/** Tests of signature version 2 in the Authorization header, which the configuration can allow. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureV2Of, stringToSignV2 } from '../../src/protocol/signing/signature-v2.ts';
import { accessKey, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench({ signatureV2: 'headers' });
const strict = new WireBench();

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A wrong signature that replaces the right one. */
  readonly signature?: string;
}

async function send(sent: Sent) {
  const answer = await ask(bench, sent);
  return [answer.status, /<Code>(\w+)</.exec(answer.text())?.[1] ?? answer.text()];
}

async function ask(to: WireBench, { method, path, headers = {}, body = '', signature }: Sent) {
  const date = new Date(to.clock.now()).toUTCString();
  const given = { ...headers, date };
  const text = stringToSignV2({ method, path, query: [], headers: Object.entries(given) }, date);
  const signed = signature ?? signatureV2Of(accessKey.secretAccessKey, text);
  const all = {
    ...given,
    host: '127.0.0.1',
    authorization: `AWS ${accessKey.accessKeyId}:${signed}`,
    'content-length': String(body.length),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = to.connect();
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket.answer(method);
}

test('a PUT and a GET with signature version 2 store and return an object with its user metadata', async () => {
  const path = `/${await bench.bucket()}/k`;
  const headers = { 'content-type': 'text/plain', 'x-amz-meta-a': 'b' };
  expect(await send({ method: 'PUT', path, headers, body: 'two' })).toEqual([200, '']);
  expect(await send({ method: 'GET', path })).toEqual([200, 'two']);
  expect(await send({ method: 'DELETE', path })).toEqual([204, '']);
});

const md5 = (text: string) => createHash('md5').update(text).digest('base64');

test.each([
  ['Content-MD5', { 'content-md5': md5('one') }, 'BadDigest'],
  ['SHA-256', { 'x-amz-content-sha256': 'a'.repeat(64) }, 'XAmzContentSHA256Mismatch'],
  [
    'payload mode',
    { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' },
    'InvalidRequest',
  ],
])(
  'a PUT with signature version 2 whose body does not match its %s is rejected',
  async (_, headers, code) => {
    const path = `/${await bench.bucket()}/k`;
    const sent = { method: 'PUT', path, headers: headers as Record<string, string>, body: 'two' };
    expect(await send(sent)).toEqual([400, code]);
    expect(await send({ method: 'GET', path })).toEqual([404, 'NoSuchKey']);
  },
);

test('a request with a wrong version 2 signature is rejected', async () => {
  const path = `/${await bench.bucket()}/k`;
  expect(await send({ method: 'PUT', path, body: 'x', signature: 'c2lnbmF0dXJl' })).toEqual([
    403,
    'SignatureDoesNotMatch',
  ]);
});

test('if signature version 2 is disabled, the error has the message at which S3 clients switch to version 4', async () => {
  const answer = await ask(strict, { method: 'GET', path: '/' });
  expect(answer.status).toBe(400);
  expect(answer.text()).toContain(
    '<Code>InvalidRequest</Code><Message>The authorization mechanism you have provided is not supported. ' +
      'Please use AWS4-HMAC-SHA256.</Message>' +
      '<AuthorizationMechanism>version 2 in headers</AuthorizationMechanism>' +
      '<Setting>storage.signatureV2: headers</Setting><SettingFile>config.yaml</SettingFile>',
  );
});

test('the error for a wrong version 2 signature contains neither the customer key nor its digest', async () => {
  const key = 'a2V5IG9mIHRoZSBjdXN0b21lcg==';
  const name = 'x-amz-server-side-encryption-customer-key';
  const answer = await ask(bench, {
    method: 'GET',
    path: `/${await bench.bucket()}/k`,
    headers: { [name]: key, [`${name}-md5`]: md5(key) },
    signature: 'wrong',
  });
  expect(answer.text()).toContain('SignatureDoesNotMatch');
  expect(answer.text()).not.toContain(key);
  expect(answer.text()).not.toContain(md5(key));
});
