/**
 * A service that keeps nothing but names, MD5s and what is tiny (claims): what a mirror costs by itself. It speaks just enough of
 * the protocol for mirrors (ours, rclone's) to run against it, and checks no signature.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerBench } from './answering.ts';

interface Stored {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly metadata: readonly (readonly [string, string])[];
  readonly bytes?: Buffer;
}

const objects = new Map<string, Stored>();
const MODIFIED = 'Sat, 21 Nov 2026 12:00:00 GMT';
const PAGE = 1000;
const KEPT_BYTES = 512;

function xml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function list(response: ServerResponse, bucket: string, query: URLSearchParams): void {
  const after =
    query.get('continuation-token') ?? query.get('start-after') ?? query.get('marker') ?? '';
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && key.slice(bucket.length + 1) > after)
    .sort();
  const page = keys.slice(0, PAGE);
  const more = keys.length > PAGE;
  const rows = page.map((key) => {
    const { etag, sizeBytes } = objects.get(key) ?? { etag: '', sizeBytes: 0 };
    const name = escape(key.slice(bucket.length + 1));
    return `<Contents><Key>${name}</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${sizeBytes}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  });
  const next = escape((page.at(-1) ?? '').slice(bucket.length + 1));
  const token = more
    ? `<NextContinuationToken>${next}</NextContinuationToken><NextMarker>${next}</NextMarker>`
    : '';
  xml(
    response,
    200,
    `<ListBucketResult><Name>${bucket}</Name><Prefix></Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${PAGE}</MaxKeys><IsTruncated>${more}</IsTruncated>${token}${rows.join('')}</ListBucketResult>`,
  );
}

function refuse(response: ServerResponse, status: number, code: string): void {
  xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Each object has one, and nothing below it. Only what is below a prefix is asked for, which is less than a page. */
function listVersions(response: ServerResponse, bucket: string, query: URLSearchParams): void {
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
  const versions = (query.has('version-id-marker') ? [] : [...objects])
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { etag, sizeBytes }]) => {
      const name = escape(key.slice(bucket.length + 1));
      return `<Version><Key>${name}</Key><VersionId>v1</VersionId><IsLatest>true</IsLatest><LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${sizeBytes}</Size><StorageClass>STANDARD</StorageClass></Version>`;
    });
  xml(
    response,
    200,
    `<ListVersionsResult><Name>${bucket}</Name><Prefix></Prefix><KeyMarker></KeyMarker><VersionIdMarker></VersionIdMarker><MaxKeys>${PAGE}</MaxKeys><IsTruncated>false</IsTruncated>${versions.join('')}</ListVersionsResult>`,
  );
}

function bucketRequest(
  request: IncomingMessage,
  response: ServerResponse,
  bucket: string,
  query: URLSearchParams,
): void {
  if (query.has('versioning')) {
    return xml(
      response,
      200,
      '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
    );
  }
  if (query.has('object-lock')) {
    return xml(
      response,
      404,
      '<Error><Code>ObjectLockConfigurationNotFoundError</Code><Message>none</Message></Error>',
    );
  }
  if (query.has('lifecycle')) return refuse(response, 404, 'NoSuchLifecycleConfiguration');
  if (query.has('versions')) return listVersions(response, bucket, query);
  if (request.method === 'GET') return list(response, bucket, query);
  response.end();
}

/** Whether `If-Match` asks for another object than is there. */
function isOther({ headers }: IncomingMessage, name: string): boolean {
  const expected = headers['if-match'];
  return expected !== undefined && expected.replaceAll('"', '') !== objects.get(name)?.etag;
}

async function put(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
): Promise<void> {
  const isUnmet =
    (request.headers['if-none-match'] === '*' && objects.has(name)) || isOther(request, name);
  const isCopy = Object.keys(request.headers).some((header) => header.endsWith('-copy-source'));
  if (isUnmet || isCopy) {
    request.resume();
    return isUnmet
      ? refuse(response, 412, 'PreconditionFailed')
      : refuse(response, 501, 'NotImplemented');
  }
  const hash = createHash('md5');
  let sizeBytes = 0;
  const kept: Buffer[] = [];
  for await (const chunk of request) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes <= KEPT_BYTES) kept.push(chunk as Buffer);
  }
  const metadata = Object.entries(request.headers).filter(([header]) => header.includes('-meta-'));
  const etag = hash.digest('hex');
  objects.set(name, {
    etag,
    sizeBytes,
    ...(sizeBytes <= KEPT_BYTES && { bytes: Buffer.concat(kept) }),
    metadata: metadata.map(([header, value]) => [header, String(value)] as const),
  });
  response.writeHead(200, {
    etag: `"${etag}"`,
    'x-amz-version-id': 'v1',
    'x-svc-version-id': 'v1',
  });
  response.end();
}

function read(method: string | undefined, response: ServerResponse, name: string): void {
  const stored = objects.get(name);
  response.statusCode = stored ? 200 : 404;
  if (stored) {
    response.setHeader('etag', `"${stored.etag}"`);
    response.setHeader('content-length', stored.sizeBytes);
    response.setHeader('last-modified', MODIFIED);
    for (const [header, value] of stored.metadata) response.setHeader(header, value);
  }
  response.end(method === 'GET' ? stored?.bytes : undefined);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sink');
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const key = rest.join('/');
  if (bucket === '') {
    return xml(
      response,
      200,
      '<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>',
    );
  }
  if (key === '') {
    request.resume();
    bucketRequest(request, response, bucket, url.searchParams);
  } else if (request.method === 'PUT') await put(request, response, `${bucket}/${key}`);
  else if (request.method === 'DELETE') {
    const name = `${bucket}/${key}`;
    if (isOther(request, name)) return refuse(response, 412, 'PreconditionFailed');
    objects.delete(name);
    response.writeHead(204).end();
  } else if (request.method === 'POST') {
    request.resume();
    refuse(response, 501, 'NotImplemented');
  } else read(request.method, response, `${bucket}/${key}`);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => answerBench((server.address() as AddressInfo).port));
