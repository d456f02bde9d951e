/** Tests that anonymous requests may do only what the ACL or policy of a bucket allows everyone. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AclRequest } from '../../src/object-store/access.ts';
import { sendUnsigned } from '../helpers/strangers.ts';
import { WireBench } from '../helpers/wire-bench.ts';
import { type Given, inBothDialects } from '../helpers/wire.ts';

const PUBLIC: AclRequest = { canned: 'public-read' };
const OPEN: AclRequest = { canned: 'public-read-write' };

inBothDialects(new WireBench(), (wire) => {
  const bucket = () => wire.get('box');
  const send = (line: string, given: Given = {}) => sendUnsigned(wire, line, given);
  const returned = async (line: string, given: Given = {}) => {
    const answer = await send(line, given);
    return `${answer.status} ${/<Code>(\w+)</.exec(answer.text())?.[1] ?? answer.text()}`;
  };
  const open = (acl: AclRequest) => wire.store.putBucketAcl({ bucket: bucket(), acl });

  test('[auth-9] an anonymous caller can read a public object whole, in ranges and by HEAD', async () => {
    await wire.put('a', 'hello', { acl: PUBLIC });
    expect(await returned('GET /{box}/a')).toBe('200 hello');
    expect(await returned('GET /{box}/a', { headers: { range: 'bytes=1-2' } })).toBe('206 el');
    expect((await send('HEAD /{box}/a')).status).toBe(200);
    expect(await returned('GET /{box}/a?acl')).toBe('403 AccessDenied');
    expect(await returned('GET /{box}/a?tagging')).toBe('403 AccessDenied');
    expect(await returned('PUT /{box}/a', { body: 'x' })).toBe('403 AccessDenied');
    expect(await returned('DELETE /{box}/a')).toBe('403 AccessDenied');
  });

  test('[auth-9] an anonymous caller without permission to list gets AccessDenied for private and missing objects', async () => {
    await wire.put('a', 'hello');
    expect(await returned('GET /{box}/a')).toBe('403 AccessDenied');
    expect(await returned('GET /{box}/missing')).toBe('403 AccessDenied');
    expect((await send('HEAD /{box}/missing')).status).toBe(403);
    await open(PUBLIC);
    expect(await returned('GET /{box}/a')).toBe('403 AccessDenied');
    expect(await returned('GET /{box}/missing')).toBe('404 NoSuchKey');
    expect((await send('HEAD /{box}/missing')).status).toBe(404);
  });

  test('[auth-10] an anonymous caller can list a bucket whose ACL grants READ to everyone', async () => {
    await wire.put('a', 'hello');
    for (const line of [
      'GET /{box}',
      'GET /{box}?list-type=2',
      'GET /{box}?versions',
      'GET /{box}?uploads',
      'GET /{box}?location',
      'HEAD /{box}',
    ]) {
      expect((await send(line)).status).toBe(403);
    }
    await open(PUBLIC);
    expect((await send('GET /{box}?list-type=2')).text()).toContain('<Key>a</Key>');
    for (const line of [
      'GET /{box}',
      'GET /{box}?versions',
      'GET /{box}?uploads',
      'GET /{box}?location',
      'HEAD /{box}',
    ]) {
      expect((await send(line)).status).toBe(200);
    }
    for (const line of [
      'GET /{box}?acl',
      'GET /{box}?policy',
      'GET /{box}?versioning',
      'GET /{box}?tagging',
      'GET /{box}?object-lock',
    ]) {
      expect(await returned(line)).toBe('403 AccessDenied');
    }
  });

  test('[policy-23] the action s3:ListBucket does not permit an anonymous ListObjectVersions, which RustFS once allowed', async () => {
    const policy = JSON.stringify({
      Statement: {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:ListBucket',
        Resource: `arn:aws:s3:::${bucket()}`,
      },
    });
    await wire.store.putBucketPolicy({ bucket: bucket(), policy });
    expect((await send('GET /{box}?list-type=2')).status).toBe(200);
    expect((await send('GET /{box}?location')).status).toBe(200);
    expect((await send('HEAD /{box}')).status).toBe(200);
    expect(await returned('GET /{box}?versions')).toBe('403 AccessDenied');
    expect(await returned('GET /{box}?uploads')).toBe('403 AccessDenied');
  });

  test('[auth-11] an object that an anonymous caller puts into a public-write bucket belongs to the bucket owner', async () => {
    await open(OPEN);
    expect((await send('PUT /{box}/a', { body: 'hello' })).status).toBe(200);
    const { owner, grants } = await wire.store.getObjectAcl({ bucket: bucket(), key: 'a' });
    expect([owner, grants]).toEqual([
      'p1:ada@c1',
      [{ grantee: 'p1:ada@c1', permission: 'FULL_CONTROL' }],
    ]);
    // The object is private, so only the owner of the bucket can read it.
    expect(await returned('GET /{box}/a')).toBe('403 AccessDenied');
    expect((await wire.send('GET /{box}/a')).text()).toBe('hello');
    expect(
      (await send('PUT /{box}/b', { body: 'x', headers: { 'x-*-acl': 'public-read' } })).status,
    ).toBe(200);
    expect(await returned('GET /{box}/b')).toBe('200 x');
    expect((await send('DELETE /{box}/a')).status).toBe(204);
  });

  test('[auth-11] an anonymous caller can complete a multipart upload in a public-write bucket', async () => {
    await open(OPEN);
    wire.nameElement('u', await send('POST /{box}/a?uploads'), 'UploadId');
    const etag = (await send('PUT /{box}/a?partNumber=1&uploadId={u}', { body: 'hello' })).header(
      'etag',
    );
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
    expect((await send('POST /{box}/a?uploadId={u}', { body })).status).toBe(200);
    expect((await wire.send('GET /{box}/a')).text()).toBe('hello');
  });

  test('[auth-11] an anonymous PUT into a private bucket is rejected before its body is stored', async () => {
    const files = await wire.content();
    expect(await returned('PUT /{box}/a', { body: 'x'.repeat(200_000) })).toBe('403 AccessDenied');
    expect(await wire.content()).toEqual(files);
  });

  test('[auth-12] an anonymous caller can neither create nor list buckets', async () => {
    expect(await returned('GET /')).toBe('403 AccessDenied');
    expect(await returned('PUT /anonymous-box')).toBe('403 AccessDenied');
    await open({ grants: [{ grantee: 'AllUsers', permission: 'FULL_CONTROL' }] });
    expect(await returned('DELETE /{box}')).toBe('403 AccessDenied');
  });

  test('[auth-13] response header overrides such as ?response-content-type apply to signed requests only', async () => {
    await wire.put('a', 'hello', { acl: PUBLIC });
    expect(await returned('GET /{box}/a?response-content-type=text/html')).toBe(
      '400 InvalidRequest',
    );
    expect((await wire.send('GET /{box}/a?response-content-type=text/html')).status).toBe(200);
  });

  describe('[auth-14] bodies of anonymous requests', () => {
    test('the service verifies the body of an anonymous PUT against the digests in its headers', async () => {
      await open(OPEN);
      const digest = (text: string) => createHash('sha256').update(text).digest('hex');
      const put = (said: string) =>
        returned('PUT /{box}/a', { body: 'hello', headers: { 'x-*-content-sha256': said } });
      expect(await put(digest('other'))).toBe('400 XAmzContentSHA256Mismatch');
      expect(await put(digest('hello'))).toBe('200 ');
      expect(await put('UNSIGNED-PAYLOAD')).toBe('200 ');
      const md5 = createHash('md5').update('other').digest('base64');
      expect(
        await returned('PUT /{box}/b', { body: 'hello', headers: { 'content-md5': md5 } }),
      ).toBe('400 BadDigest');
    });

    test.each(['PAYLOAD', 'PAYLOAD-TRAILER', ''])(
      'an anonymous PUT with a streaming payload is denied: %s',
      async (ending) => {
        await open(OPEN);
        const said =
          ending === ''
            ? 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
            : `STREAMING-${wire.dialect.algorithm}-${ending}`;
        const headers = { 'x-*-content-sha256': said, 'x-*-decoded-content-length': '5' };
        expect(await returned('PUT /{box}/a', { body: '5\r\nhello\r\n0\r\n\r\n', headers })).toBe(
          '403 AccessDenied',
        );
      },
    );
  });

  test('[auth-15] an invalid signature is not treated as an anonymous request', async () => {
    await wire.put('a', 'hello', { acl: PUBLIC });
    expect(await returned('GET /{box}/a', { headers: { authorization: 'x' } })).not.toMatch(/^200/);
    const expired = `/{box}/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0`;
    expect(await returned(`GET ${expired}`)).not.toMatch(/^200/);
  });
});
