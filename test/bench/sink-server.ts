/**
 * Runs an S3 server that stores only names, MD5s and objects of up to 512 bytes, so that the benchmark measures only
 * the cost of the backup program. It implements just enough of the protocol for Holdfast, rclone and the AWS CLI, and
 * does not check signatures.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerBench } from './answering.ts';
import { beginUpload, endUpload, putPart, uploadOf } from './sink-uploads.ts';

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
  const names = sortedNames();
  const found: string[] = [];
  for (let index = firstAfter(names, `${bucket}/${after}`); index < names.length; index += 1) {
    const name = names[index] ?? '';
    if (name >= prefix && !name.startsWith(prefix)) break;
    if (name.startsWith(prefix) && found.push(name) > PAGE) break;
  }
  const page = found.slice(0, PAGE);
  const more = found.length > PAGE;
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

let sorted: readonly string[] = [];

/** Returns the sorted names of all objects. Sorts them again only if objects were added. */
function sortedNames(): readonly string[] {
  if (sorted.length !== objects.size) sorted = [...objects.keys()].sort();
  return sorted;
}

/** Returns the index of the first name that sorts after `name`, by binary search. */
function firstAfter(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') <= name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Lists the versions below a prefix. Each object has one version, and the result always fits on one page. */
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
  if (query.has('uploads')) {
    const end = `<MaxUploads>${PAGE}</MaxUploads><IsTruncated>false</IsTruncated>`;
    const body = `<Bucket>${bucket}</Bucket><KeyMarker></KeyMarker><UploadIdMarker></UploadIdMarker>${end}`;
    return xml(response, 200, `<ListMultipartUploadsResult>${body}</ListMultipartUploadsResult>`);
  }
  if (request.method === 'GET') return list(response, bucket, query);
  response.end();
}

/** Returns whether the `If-Match` header requires an ETag that the stored object does not have. */
function isOther({ headers }: IncomingMessage, name: string): boolean {
  const expected = headers['if-match'];
  return expected !== undefined && expected.replaceAll('"', '') !== objects.get(name)?.etag;
}

function isUnmet(request: IncomingMessage, name: string): boolean {
  const isThere = request.headers['if-none-match'] === '*' && objects.has(name);
  return isThere || isOther(request, name);
}

async function put(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
): Promise<void> {
  const source = Object.entries(request.headers).find(([each]) => each.endsWith('-copy-source'));
  if (isUnmet(request, name) || source) {
    request.resume();
    if (!source || isUnmet(request, name)) return refuse(response, 412, 'PreconditionFailed');
    return copy(response, String(source[1]), { name, metadata: metadataOf(request) });
  }
  const { md5, sizeBytes, bytes } = await bodyOf(request);
  const etag = md5.toString('hex');
  const metadata = metadataOf(request);
  objects.set(name, { etag, sizeBytes, metadata, ...(sizeBytes <= KEPT_BYTES && { bytes }) });
  response.writeHead(200, { etag: `"${etag}"`, ...VERSION }).end();
}

const VERSION = { 'x-amz-version-id': 'v1', 'x-svc-version-id': 'v1' };

function metadataOf({ headers }: IncomingMessage): Stored['metadata'] {
  const metadata = Object.entries(headers).filter(([header]) => header.includes('-meta-'));
  return metadata.map(([header, value]) => [header, String(value)] as const);
}

/** Reads a request body. Returns its MD5 and its size, and also its content if it has at most 512 bytes. */
async function bodyOf(request: IncomingMessage) {
  const hash = createHash('md5');
  let sizeBytes = 0;
  const kept: Buffer[] = [];
  for await (const chunk of request) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes <= KEPT_BYTES) kept.push(chunk as Buffer);
  }
  return { md5: hash.digest(), sizeBytes, bytes: Buffer.concat(kept) };
}

function copy(
  response: ServerResponse,
  source: string,
  to: { readonly name: string; readonly metadata: Stored['metadata'] },
): void {
  const from = decodeURIComponent(source.replace(/^\//, '').replace(/\?.*$/, ''));
  const stored = objects.get(from);
  if (!stored) return refuse(response, 404, 'NoSuchKey');
  objects.set(to.name, { ...stored, ...(to.metadata.length > 0 && { metadata: to.metadata }) });
  const time = '<LastModified>2026-11-21T12:00:00.000Z</LastModified>';
  for (const [header, value] of Object.entries(VERSION)) response.setHeader(header, value);
  const etag = `<ETag>&quot;${stored.etag}&quot;</ETag>`;
  xml(response, 200, `<CopyObjectResult>${time}${etag}</CopyObjectResult>`);
}

/** Responds to a multipart upload request. Returns false if the request does not belong to a multipart upload. */
async function uploadRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { name, query }: { readonly name: string; readonly query: URLSearchParams },
): Promise<boolean> {
  const id = query.get('uploadId');
  if (request.method === 'POST' && query.has('uploads')) {
    request.resume();
    const upload = `<UploadId>${beginUpload(name, metadataOf(request))}</UploadId>`;
    const place = `<Bucket></Bucket><Key>${escape(name)}</Key>`;
    xml(
      response,
      200,
      `<InitiateMultipartUploadResult>${place}${upload}</InitiateMultipartUploadResult>`,
    );
  } else if (id === null) {
    return false;
  } else if (request.method === 'PUT') {
    const { md5, sizeBytes } = await bodyOf(request);
    if (!putPart(id, Number(query.get('partNumber')), { md5, sizeBytes })) {
      refuse(response, 404, 'NoSuchUpload');
    } else response.writeHead(200, { etag: `"${md5.toString('hex')}"` }).end();
  } else if (request.method === 'POST') {
    request.resume();
    complete(request, response, { name, id });
  } else {
    endUpload(id);
    response.writeHead(204).end();
  }
  return true;
}

function complete(
  request: IncomingMessage,
  response: ServerResponse,
  { name, id }: { readonly name: string; readonly id: string },
): void {
  const made = uploadOf(id);
  if (!made) return refuse(response, 404, 'NoSuchUpload');
  if (isUnmet(request, name)) return refuse(response, 412, 'PreconditionFailed');
  objects.set(name, made);
  endUpload(id);
  for (const [header, value] of Object.entries(VERSION)) response.setHeader(header, value);
  const etag = `<ETag>&quot;${made.etag}&quot;</ETag>`;
  const result = `<Bucket></Bucket><Key>${escape(name)}</Key>${etag}`;
  xml(response, 200, `<CompleteMultipartUploadResult>${result}</CompleteMultipartUploadResult>`);
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
  } else if (
    await uploadRequest(request, response, { name: `${bucket}/${key}`, query: url.searchParams })
  ) {
    return;
  } else if (request.method === 'PUT') await put(request, response, `${bucket}/${key}`);
  else if (request.method === 'DELETE') {
    const name = `${bucket}/${key}`;
    if (isOther(request, name)) return refuse(response, 412, 'PreconditionFailed');
    objects.delete(name);
    sorted = [];
    response.writeHead(204).end();
  } else if (request.method === 'POST') {
    request.resume();
    refuse(response, 501, 'NotImplemented');
  } else read(request.method, response, `${bucket}/${key}`);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => answerBench([(server.address() as AddressInfo).port]));
