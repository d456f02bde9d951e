/**
 * Sends recorded requests of real clients (test/clients/record.ts) byte by byte to a gateway with the same key and
 * the clock of the recording. The tests check that each signature is valid and that the expected objects are
 * stored.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import type { UploadRef } from '../../src/object-store/multipart.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import { requestsIn, type RecordedRequest } from '../helpers/recorded-request.ts';
import { BEFORE, CONTENT, KEY, LARGE_CONTENT, RECORDED_FOLDER } from '../helpers/recordings.ts';
import { WireBench } from '../helpers/wire-bench.ts';

interface Expected {
  /** Expected response to each request: a status, or a status and a body. */
  readonly answers: readonly (number | readonly [status: number, body: string])[];
  readonly stored: Readonly<Record<string, string>>;
  /** Whether the client creates the bucket. */
  readonly makesBucket?: true;
  /** Expected error code of each recorded upload after one byte of its body was changed. */
  readonly tampered?: string;
}

const { 'hello.txt': hello = '', ...others } = BEFORE;
const uploaded = { ...BEFORE, [KEY]: CONTENT };
const put = (tampered: string): Expected => ({ answers: [200], stored: uploaded, tampered });
const multipart = (tampered: string): Expected => ({
  answers: [200, 200, 200, 200],
  stored: uploaded,
  tampered,
});
const readOnly = (...answers: Expected['answers']): Expected => ({ answers, stored: BEFORE });
const aws = (tampered: string): Readonly<Record<string, Expected>> => ({
  'copy-in-and-out': {
    answers: [200, 200, [200, CONTENT], 200, 200, 200, 204],
    stored: { ...others, 'moved.txt': hello, [KEY]: CONTENT },
    tampered,
  },
  put: put(tampered),
  multipart: multipart(tampered),
  'delete-many': { answers: [200], stored: {} },
  versioning: { answers: [200, 204, 200], stored: others },
  presign: readOnly([200, 'two']),
  'put-https': put('BadDigest'),
  'multipart-https': multipart('BadDigest'),
});

const EXPECTED: Readonly<Record<string, Expected>> = {
  ...prefixed('aws-1', aws('XAmzContentSHA256Mismatch')),
  // These requests also have a Content-MD5, and the service verifies it first.
  ...prefixed('aws-2', aws('BadDigest')),
  'aws-sdk-js-put': put('XAmzContentSHA256Mismatch'),
  'aws-sdk-js-put-stream': put('BadDigest'),
  'aws-sdk-js-put-chunks': {
    answers: [200],
    stored: { ...BEFORE, [KEY]: LARGE_CONTENT },
    tampered: 'BadDigest',
  },
  'aws-sdk-js-virtual-host': {
    answers: [200, [200, CONTENT], 200],
    stored: uploaded,
    tampered: 'XAmzContentSHA256Mismatch',
  },
  'aws-sdk-js-read-and-delete': { answers: [[206, 'wo'], 200, 200], stored: {} },
  'curl-put-and-get': {
    answers: [200, [206, CONTENT.slice(0, 8)]],
    stored: { ...BEFORE, 'new.txt': CONTENT },
  },
  'curl-without-digest': readOnly(400),
  'rclone-link': readOnly(200, 200, [200, 'two']),
  'rclone-put': { answers: [404, 200, 200, 200], stored: uploaded, tampered: 'BadDigest' },
  'rclone-read-move-delete': {
    answers: [200, 200, [200, 'two'], 200, 200, 404, 200, 200, 204, 200, 200, 204],
    stored: { 'folder/ü two+.txt': 'two', 'moved.txt': hello },
  },
  // Signature version 2 does not cover the body. Only an MD5 in the headers protects it.
  'rclone-signature-v2': {
    answers: [404, 200, 200, 200, 200, 200, [200, 'two']],
    stored: uploaded,
    tampered: 'BadDigest',
  },
  's3cmd-signature-v2': { answers: [200, 200, [200, CONTENT], 200], stored: uploaded },
  'restic-init': {
    answers: [404, 404, 404, 200, 404, 200, 200],
    stored: resticRepository(),
    makesBucket: true,
    tampered: 'SignatureDoesNotMatch',
  },
  's3cmd-put-get-delete': {
    // The client also requests the ACL of the object that it copies.
    answers: [200, 200, [200, CONTENT], 200, 200, 200, 200, 200, 200],
    stored: { 'hello.txt': hello, 'copy.txt': hello, [KEY]: CONTENT },
    tampered: 'XAmzContentSHA256Mismatch',
  },
  's3cmd-signurl': readOnly([200, 'two']),
  's3fs-write': {
    answers: [200, ...[1, 2, 3].flatMap(() => [404, 404, 404, 200]), 200, 200, 204],
    stored: { ...others, [KEY]: CONTENT },
    tampered: 'XAmzContentSHA256Mismatch',
  },
};

/**
 * The first bytes of restic's key file. All other files of a restic repository consist of random
 * bytes.
 */
const RESTIC_KEY_BEGINS = '{"created"';

/**
 * Returns the configuration and the key file of the recorded restic repository. The key file is named after its
 * SHA-256, and each file is one signed chunk.
 */
function resticRepository(): Record<string, string> {
  const recorded = readFileSync(join(RECORDED_FOLDER, 'restic-init.http'));
  const chunk = /chunk-signature=[0-9a-f]{64}\r\n([^]+)\r\n0;chunk-signature/;
  return Object.fromEntries(
    requestsIn(recorded).flatMap(({ url, bytes }) => {
      const content = chunk.exec(bytes.toString('latin1'))?.[1];
      return content === undefined ? [] : [[url.split('/').slice(2).join('/'), content]];
    }),
  );
}

function prefixed(client: string, each: Readonly<Record<string, Expected>>) {
  return Object.fromEntries(
    Object.entries(each).map(([what, expected]) => [`${client}-${what}`, expected]),
  );
}

interface Conversation {
  readonly name: string;
  readonly bucket: string;
  readonly requests: readonly RecordedRequest[];
}

/** The recordings in the order of their times, because the clock of a store must not go back. */
const conversations = readdirSync(RECORDED_FOLDER)
  .map((file): Conversation => {
    const requests = requestsIn(readFileSync(join(RECORDED_FOLDER, file)));
    const name = basename(file, '.http');
    return { name, bucket: `recorded-${name}`, requests };
  })
  .toSorted((a, b) => sentAt(a.requests[0]) - sentAt(b.requests[0]));

/** Returns the time at which a request was signed, in milliseconds since 1970. */
function sentAt(request: RecordedRequest | undefined): number {
  const query = new URLSearchParams(request?.url.split('?')[1]);
  const stamp =
    request?.headers.get('x-amz-date') ?? query.get('X-Amz-Date') ?? request?.headers.get('date');
  // A presigned URL of version 2 contains only its expiry, which is one hour after the recording.
  if (!stamp) return (Number(query.get('Expires')) - 3600) * 1000;
  return Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
}

/** Maps the recorded upload ids to the ids that the service creates during the replay. */
const uploadIds = new Map<string, string>();
let recordedUploadId = '';

function withRecordedUploadIds(store: ObjectStore): ObjectStore {
  const today = <R extends UploadRef>(request: R): R => ({
    ...request,
    uploadId: uploadIds.get(request.uploadId) ?? request.uploadId,
  });
  const replaced: Partial<ObjectStore> = {
    createUpload: async (request, options) => {
      const created = await store.createUpload(request, options);
      uploadIds.set(recordedUploadId, created.uploadId);
      return created;
    },
    uploadPart: (request, options) => store.uploadPart(today(request), options),
    listParts: (request, options) => store.listParts(today(request), options),
    completeUpload: (request, options) => store.completeUpload(today(request), options),
  };
  return overriding(store, replaced);
}

const bench = new WireBench({
  signatureV2: 'headers',
  wrap: withRecordedUploadIds,
  startsAt: sentAt(conversations[0]?.requests[0]),
});

function uploadIdIn({ url }: RecordedRequest): string {
  return new URLSearchParams(url.split('?')[1]).get('uploadId') ?? '';
}

async function fill(bucket: string): Promise<void> {
  await bench.store.createBucket({ bucket });
  for (const [key, content] of Object.entries(BEFORE)) {
    await bench.store.putObject({ bucket, key, body: bytesBody(content) });
  }
}

async function empty(bucket: string): Promise<void> {
  const { versions } = await bench.store.listVersions({ bucket });
  for (const { key, versionId } of versions) {
    await bench.store.deleteObject({ bucket, key, versionId });
  }
  await bench.store.deleteBucket({ bucket });
}

async function storedIn(bucket: string): Promise<Record<string, Uint8Array>> {
  const { objects } = await bench.store.listObjects({ bucket });
  const contents = objects.map(async ({ key }) => {
    const { body } = await bench.store.getObject({ bucket, key });
    return [key, await collect(body, 1024 * 1024)] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

async function send(request: RecordedRequest, bytes = request.bytes): Promise<RawAnswer> {
  bench.clock.advance(Math.max(0, sentAt(request) - bench.clock.now()));
  const socket = bench.connect();
  socket.write(bytes);
  for (;;) {
    const answer = await socket.answer(request.method);
    if (answer.status !== 100) return answer;
  }
}

async function replay({ requests }: Conversation): Promise<RawAnswer[]> {
  recordedUploadId = requests.map(uploadIdIn).find((id) => id !== '') ?? '';
  const answers: RawAnswer[] = [];
  for (const request of requests) answers.push(await send(request));
  return answers;
}

/**
 * Returns the request with one byte of its uploaded content changed, or undefined if it uploads no
 * content.
 */
function tamperedWith({ bytes }: RecordedRequest): Buffer | undefined {
  const at = [CONTENT, RESTIC_KEY_BEGINS].map((content) => bytes.indexOf(content));
  const first = Math.max(...at);
  if (first === -1) return undefined;
  const changed = Buffer.from(bytes);
  changed[first + 2] = 0x58;
  return changed;
}

const byName = new Map(conversations.map((each) => [each.name, each]));

test('the tests replay every recording in test/wire/recorded', () => {
  expect(conversations.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(EXPECTED).toSorted(),
  );
});

describe.each(conversations)('recorded requests: $name', (conversation) => {
  const { name, bucket, requests } = conversation;
  const { answers, stored, tampered, makesBucket = false } = EXPECTED[name] as Expected;

  test('requests of a real client get the expected responses, and store the expected objects', async () => {
    await (makesBucket ? undefined : fill(bucket));
    const got = await replay(conversation);
    const shown = got.map((answer, index) =>
      typeof answers[index] === 'object' ? [answer.status, answer.text()] : answer.status,
    );
    expect(shown).toEqual(answers);
    const contents = Object.entries(await storedIn(bucket));
    expect(
      Object.fromEntries(
        contents.map(([key, bytes]) => [key, Buffer.from(bytes).toString('latin1')]),
      ),
    ).toEqual(stored);
    await empty(bucket);
  });

  test('a recorded upload with one changed byte is rejected and stores nothing', async () => {
    await fill(bucket);
    const { uploadId } = await bench.store.createUpload({ bucket, key: KEY });
    const codes: unknown[] = [];
    for (const request of tampered === undefined ? [] : requests) {
      uploadIds.set(uploadIdIn(request), uploadId);
      const bytes = tamperedWith(request);
      if (bytes === undefined) continue;
      codes.push(/<Code>(\w+)/.exec((await send(request, bytes)).text())?.[1]);
    }
    expect(codes).toEqual(tampered === undefined ? [] : [tampered]);
    expect(Object.keys(await storedIn(bucket))).toEqual(Object.keys(BEFORE).toSorted());
    expect((await bench.store.listParts({ bucket, key: KEY, uploadId })).parts).toEqual([]);
    await empty(bucket);
  });

  test('a recorded request whose target was changed is rejected', async () => {
    const request = requests[0] as RecordedRequest;
    const elsewhere = request.bytes.toString('latin1').replace(/^(\w+ \/[^/? ]+)/, '$1x');
    const answer = await send(request, Buffer.from(elsewhere, 'latin1'));
    expect(answer.status).toBe(name === 'curl-without-digest' ? 400 : 403);
  });
});

/**
 * Returns the names of the digests and checksums of an upload, joined by commas. The recordings contain every
 * combination that clients use.
 */
function vouchersOf({ headers }: RecordedRequest): string {
  const digest = headers.get('x-amz-content-sha256') ?? 'nothing';
  return [
    /^[0-9a-f]{64}$/.test(digest) ? 'SHA-256' : digest,
    ...(headers.has('content-md5') ? ['MD5'] : []),
    ...(headers.has('x-amz-checksum-crc32') ? ['CRC32'] : []),
    ...(headers.has('x-amz-trailer') ? ['CRC32 at the end'] : []),
    ...(headers.has('content-length') ? [] : ['no length']),
  ].join(', ');
}

test.each([
  ['aws-1-put', 'SHA-256, CRC32'],
  ['aws-1-put-https', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER, CRC32 at the end, no length'],
  ['aws-1-multipart-https', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER, CRC32 at the end, no length'],
  ['aws-2-put', 'SHA-256, MD5'],
  ['aws-2-put-https', 'UNSIGNED-PAYLOAD, MD5'],
  ['aws-sdk-js-put', 'SHA-256, CRC32'],
  ['aws-sdk-js-put-stream', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER, CRC32 at the end, no length'],
  ['curl-put-and-get', 'UNSIGNED-PAYLOAD'],
  ['curl-without-digest', 'nothing'],
  ['rclone-put', 'UNSIGNED-PAYLOAD, MD5'],
  ['restic-init', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD, MD5'],
  ['s3cmd-put-get-delete', 'SHA-256'],
  ['s3fs-write', 'SHA-256'],
])('the recorded upload %s has these digests: %s', (name, vouchers) => {
  const uploading = byName
    .get(name)
    ?.requests.filter(({ method, url }) => method === 'PUT' && /\/(?:new|repository\/)/.test(url));
  expect(uploading?.map(vouchersOf)).toContain(vouchers);
});

test('the error for a curl request without a digest names the missing header', async () => {
  const request = byName.get('curl-without-digest')?.requests[0] as RecordedRequest;
  expect((await send(request)).text()).toMatch(/<Message>[^<]*x-amz-content-sha256/);
});

test('every recorded request is rejected eight days after its signature', async () => {
  bench.clock.advance(8 * 24 * 3600 * 1000);
  for (const { requests } of conversations) {
    for (const request of requests) {
      expect((await send(request)).status).toBeGreaterThanOrEqual(400);
    }
  }
});
