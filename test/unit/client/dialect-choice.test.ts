/**
 * Tests that a client detects at the first request whether a service uses the S3 or the svc
 * protocol (its dialect).
 */

import type { IncomingMessage, RequestListener } from 'node:http';

import { expect, test } from 'vitest';

import { DialectChoice } from '../../../src/client/dialect-choice.ts';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { answer, connect, errorAnswer, failure, hangUp, serve } from './scripted-server.ts';

const BUCKETS = answer(
  200,
  {},
  '<?xml version="1.0"?><ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>',
);
const UNSUPPORTED = answer(
  400,
  { 'content-type': 'application/xml' },
  '<Error><Code>InvalidArgument</Code><Message>Unsupported Authorization Type</Message>' +
    '<ArgumentName>Authorization</ArgumentName></Error>',
);

const choice = () => new DialectChoice([amzDialect, svcDialect()]);
const authorization = ({ headers }: IncomingMessage) => headers.authorization?.split(' ')[0];

/** Starts a service that responds to S3 signatures with `amz` and to svc signatures with `svc`. */
async function serviceOf(amz: RequestListener, svc: RequestListener) {
  const { url, requests } = await serve((request, response) =>
    (authorization(request) === amzDialect.algorithm ? amz : svc)(request, response),
  );
  return { url, asked: () => requests.map(authorization) };
}

const AMZ = 'AWS4-HMAC-SHA256';
const SVC = 'SVC4-HMAC-SHA256';

test.for<[string, RequestListener, RequestListener, string[]]>([
  ['a service that supports only the S3 dialect', BUCKETS, UNSUPPORTED, [AMZ, AMZ, AMZ]],
  ['a service that supports both dialects', BUCKETS, BUCKETS, [AMZ, AMZ, AMZ]],
  ['a service that refuses S3 signatures', UNSUPPORTED, BUCKETS, [AMZ, SVC, SVC, SVC]],
  [
    'a service that returns an HTML page for S3 signatures',
    answer(404, { 'content-type': 'text/html' }, '<html>no such page</html>'),
    BUCKETS,
    [AMZ, SVC, SVC, SVC],
  ],
  [
    'a service that returns AccessDenied for S3 signatures',
    errorAnswer(403, 'AccessDenied'),
    BUCKETS,
    [AMZ, SVC, SVC, SVC],
  ],
])(
  '%s is probed once in each necessary dialect and then called in the supported dialect',
  async (row) => {
    const [, amz, svc, asked] = row;
    const service = await serviceOf(amz, svc);
    const client = connect(service.url, { dialect: choice() });
    await expect(client.listBuckets()).resolves.toEqual([]);
    await expect(client.listBuckets()).resolves.toEqual([]);
    expect(service.asked()).toEqual(asked);
  },
);

test.for(['SignatureDoesNotMatch', 'InvalidAccessKeyId', 'ExpiredToken'] as const)(
  'the client takes the error %s as proof that the service supports the S3 signature and probes no other dialect',
  async (code) => {
    const service = await serviceOf(errorAnswer(403, code), UNSUPPORTED);
    const client = connect(service.url, { dialect: choice() });
    expect(await failure(client.listBuckets())).toMatchObject({ name: 'StorageError', code });
    expect(service.asked()).toEqual([AMZ, AMZ]);
  },
);

test("the client takes an error with the service's region as proof of the S3 dialect and probes no other dialect", async () => {
  const region = errorAnswer(400, 'AuthorizationHeaderMalformed', '<Region>eu-1</Region>');
  const service = await serviceOf(region, UNSUPPORTED);
  const error = await failure(connect(service.url, { dialect: choice() }).listBuckets());
  expect(error.message).toContain('set the region to eu-1');
  expect(service.asked()).toEqual([AMZ, AMZ]);
});

test('the client detects the S3 dialect of a service even with a key that may not list buckets', async () => {
  const service = await serviceOf(errorAnswer(403, 'AccessDenied'), UNSUPPORTED);
  const client = connect(service.url, { dialect: choice() });
  expect(await failure(client.listBuckets())).toMatchObject({ code: 'AccessDenied' });
  expect(service.asked()).toEqual([AMZ, SVC, AMZ]);
});

test('the client names both dialects in the error if the service accepts neither signature', async () => {
  const service = await serviceOf(UNSUPPORTED, UNSUPPORTED);
  const error = await failure(connect(service.url, { dialect: choice() }).listBuckets());
  expect(error).toMatchObject({ name: 'TransportError', code: 'BadResponse' });
  expect(error.message).toContain(
    `cannot use ${service.url}: it supports no protocol of Holdfast (neither ${AMZ} nor ${SVC} signatures)`,
  );
  expect(service.asked()).toEqual([AMZ, SVC]);
});

test.for([
  ['AWS', UNSUPPORTED],
  [
    'MinIO',
    answer(
      400,
      {},
      '<Error><Code>InvalidRequest</Code><Message>The authorization mechanism you have provided is not supported.</Message></Error>',
    ),
  ],
  ['a service that cannot read it', errorAnswer(400, 'AuthorizationHeaderMalformed')],
] as const)(
  'the client suggests removing the configured protocol if %s refuses it',
  async (row) => {
    const { url } = await serve(row[1]);
    const error = await failure(connect(url, { dialect: svcDialect() }).listBuckets());
    expect(error.message).toContain(
      'remove --protocol (`protocol` in config.yaml): Holdfast then detects what the service accepts',
    );
  },
);

test('the client does not decide on a dialect while the service is unavailable', async () => {
  const answers = [hangUp, hangUp, hangUp, hangUp, errorAnswer(503, 'ServiceUnavailable')];
  const { url, requests } = await serve(
    ...answers,
    ...answers.slice(4),
    ...answers.slice(4),
    ...answers.slice(4),
    BUCKETS,
  );
  const dialect = choice();
  const client = connect(url, { dialect });
  expect(await failure(client.listBuckets())).toMatchObject({ name: 'TransportError' });
  expect(await failure(client.listBuckets())).toMatchObject({ code: 'ServiceUnavailable' });
  expect(dialect.found).toBeUndefined();
  await expect(client.listBuckets()).resolves.toEqual([]);
  expect(dialect.found).toBe(amzDialect);
  expect(new Set(requests.map(authorization))).toEqual(new Set([AMZ]));
});

test('the client sends one dialect probe for concurrent calls of all clients of a service', async () => {
  const service = await serviceOf(BUCKETS, UNSUPPORTED);
  const dialect = choice();
  const clients = [connect(service.url, { dialect }), connect(service.url, { dialect })];
  await Promise.all(clients.map((client) => client.listBuckets()));
  expect(service.asked()).toEqual([AMZ, AMZ, AMZ]);
});

test('the client does not wait for the dialect probe in an aborted call', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url } = await serve(() => arrived.resolve());
  const aborting = new AbortController();
  const client = connect(url, { dialect: choice() });
  const listed = failure(client.listBuckets({ signal: aborting.signal }));
  await arrived.promise;
  aborting.abort(new Error('enough'));
  expect((await listed).message).toBe('enough');
});
