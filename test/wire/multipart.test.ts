/** Multipart uploads as bytes on the wire, in both dialects. */

import { describe, expect, test } from 'vitest';
import { dialects, WireBench, type RawRequest } from '../helpers/wire-bench.ts';

describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
  const bench = new WireBench();
  const send = (request: RawRequest) => bench.send(dialect, request);
  const code = (text: string) => /<Code>(\w+)/.exec(text)?.[1];

  async function upload() {
    const box = await bench.bucket({ objectLockEnabled: true });
    const key = `/${box}/k%20%C3%BC`;
    const headers = {
      'content-type': 'text/plain',
      'x-*-meta-a': '1',
      'x-*-object-lock-legal-hold': 'ON',
    };
    const created = (await send({ method: 'POST', url: `${key}?uploads=`, headers })).text();
    const uploadId = /<UploadId>([^<]+)</.exec(created)?.[1] ?? '';
    return { box, key, uploadId, created };
  }

  const completion = (...etags: string[]) =>
    `<CompleteMultipartUpload>${etags
      .map(
        (etag, index) =>
          `<Part><ETag>${etag}</ETag><PartNumber>${index + 1}</PartNumber><ChecksumCRC32>x</ChecksumCRC32></Part>`,
      )
      .join('')}</CompleteMultipartUpload>`;

  test('an upload of one part is completed with what it was created with', async () => {
    const { box, key, uploadId, created } = await upload();
    expect(created).toContain(
      `<Bucket>${box}</Bucket><Key>k ü</Key><UploadId>${uploadId}</UploadId>`,
    );
    const part = await send({
      method: 'PUT',
      url: `${key}?partNumber=1&uploadId=${uploadId}`,
      body: 'hello',
    });
    expect([part.status, part.header('etag')]).toEqual([200, '"5d41402abc4b2a76b9719d911017c592"']);
    const parts = await send({ method: 'GET', url: `${key}?uploadId=${uploadId}` });
    expect(parts.text()).toContain(
      '<Part><PartNumber>1</PartNumber><LastModified>2026-11-21T12:00:00.000Z</LastModified>' +
        '<ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;</ETag><Size>5</Size></Part>',
    );
    const body = completion('5d41402abc4b2a76b9719d911017c592');
    const done = await send({ method: 'POST', url: `${key}?uploadId=${uploadId}`, body });
    expect(done.status).toBe(200);
    expect(done.text()).toContain(`<Location>${bench.gateway.url}/${box}/k%20%C3%BC</Location>`);
    expect(done.text()).toMatch(/<ETag>&quot;[0-9a-f]{32}-1&quot;<\/ETag>/);
    expect(done.header(`${dialect.headerPrefix}version-id`)).toBeDefined();
    const head = await send({ method: 'HEAD', url: key });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-type': 'text/plain',
      [`${dialect.headerPrefix}meta-a`]: '1',
      [`${dialect.headerPrefix}object-lock-legal-hold`]: 'ON',
    });
  });

  test('uploads are listed until they are aborted', async () => {
    const { box, key, uploadId } = await upload();
    const list = async () =>
      (await send({ method: 'GET', url: `/${box}?uploads&encoding-type=url` })).text();
    expect(await list()).toContain(`<Upload><Key>k%20%C3%BC</Key><UploadId>${uploadId}</UploadId>`);
    expect((await send({ method: 'DELETE', url: `${key}?uploadId=${uploadId}` })).status).toBe(204);
    expect(await list()).not.toContain('<Upload>');
    const again = await send({ method: 'DELETE', url: `${key}?uploadId=${uploadId}` });
    expect([again.status, code(again.text())]).toEqual([404, 'NoSuchUpload']);
  });

  test.each(['0', '10001', '-1', '1.5', 'x', ''])(
    'the part number %j is refused',
    async (number) => {
      const { key, uploadId } = await upload();
      const url = `${key}?partNumber=${number}&uploadId=${uploadId}`;
      const answer = await send({ method: 'PUT', url, body: 'x' });
      expect([answer.status, code(answer.text())]).toEqual([400, 'InvalidArgument']);
    },
  );

  test.each([
    ['no parts', '<CompleteMultipartUpload/>', 'MalformedXML'],
    ['no body', '', 'MalformedXML'],
    [
      'a part without a number',
      '<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>',
      'MalformedXML',
    ],
    ['an unknown part', completion('"0000"'), 'InvalidPart'],
  ])('a completion with %s is refused', async (_, body, refusal) => {
    const { key, uploadId } = await upload();
    const answer = await send({ method: 'POST', url: `${key}?uploadId=${uploadId}`, body });
    expect([answer.status, code(answer.text())]).toEqual([400, refusal]);
  });

  test('a part is copied from a range of another object', async () => {
    const { box, key, uploadId } = await upload();
    await send({ method: 'PUT', url: `/${box}/from`, body: 'hello' });
    const url = `${key}?partNumber=1&uploadId=${uploadId}`;
    const copy = (range: string) =>
      send({
        method: 'PUT',
        url,
        headers: { 'x-*-copy-source': `/${box}/from`, 'x-*-copy-source-range': range },
      });
    const answer = await copy('bytes=1-3');
    expect(answer.text()).toContain(
      `<CopyPartResult xmlns="${dialect.xmlNamespace}"><LastModified>2026-11-21T12:00:00.000Z</LastModified>`,
    );
    const etag = /<ETag>&quot;([0-9a-f]+)/.exec(answer.text())?.[1] ?? '';
    await send({ method: 'POST', url: `${key}?uploadId=${uploadId}`, body: completion(etag) });
    expect((await send({ method: 'GET', url: key })).text()).toBe('ell');
  });

  test.each([
    ['bytes=3-9', 416, 'InvalidRange'],
    ['bytes=9-10', 416, 'InvalidRange'],
    ['bytes=-2', 400, 'InvalidArgument'],
    ['bytes=2-', 400, 'InvalidArgument'],
    ['hello', 400, 'InvalidArgument'],
  ])('a part is not copied from the range %s', async (range, status, refusal) => {
    const { box, key, uploadId } = await upload();
    await send({ method: 'PUT', url: `/${box}/from`, body: 'hello' });
    const headers = { 'x-*-copy-source': `/${box}/from`, 'x-*-copy-source-range': range };
    const url = `${key}?partNumber=1&uploadId=${uploadId}`;
    const answer = await send({ method: 'PUT', url, headers });
    expect([answer.status, code(answer.text())]).toEqual([status, refusal]);
  });

  test('a part is not copied from a source that is not modified: 412, as for a copy', async () => {
    const { box, key, uploadId } = await upload();
    await send({ method: 'PUT', url: `/${box}/from`, body: 'hello' });
    const headers = {
      'x-*-copy-source': `/${box}/from`,
      'x-*-copy-source-if-none-match': '*',
    };
    const url = `${key}?partNumber=1&uploadId=${uploadId}`;
    const answer = await send({ method: 'PUT', url, headers });
    expect([answer.status, code(answer.text())]).toEqual([412, 'PreconditionFailed']);
  });
});
