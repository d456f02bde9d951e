/** What a request asks for and cannot have is refused: a guard or a lock that was ignored would cost data. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench();
const dialect = amzDialect;

async function content(bucket: string, key: string): Promise<string> {
  const { body } = await bench.store.getObject({ bucket, key });
  return (await collect(body, 1024)).toString();
}

async function boxWith(key: string): Promise<string> {
  const bucket = await bench.bucket();
  await bench.store.putObject({ bucket, key, body: bytesBody('kept') });
  return bucket;
}

describe('a parameter of another operation does not fall through to a write', () => {
  test.each(['?partNumber=1', '?versionId=null', '?prefix=a', '?part-number-marker=1'])(
    'a put of an object with %s leaves it as it was',
    async (query) => {
      const bucket = await boxWith('k');
      const request = { method: 'PUT', url: `/${bucket}/k${query}`, body: 'a part' };
      const answer = await bench.send(dialect, request);
      expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
      expect(await content(bucket, 'k')).toBe('kept');
    },
  );

  test('a delete of an object with a part number leaves it as it was', async () => {
    const bucket = await boxWith('k');
    const answer = await bench.send(dialect, {
      method: 'DELETE',
      url: `/${bucket}/k?partNumber=1`,
    });
    expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
    expect(await content(bucket, 'k')).toBe('kept');
  });
});

describe('an empty header is not an absent one', () => {
  test.each(['if-match', 'if-none-match', 'x-*-object-lock-legal-hold', 'x-*-object-lock-mode'])(
    'a put with an empty %s stores nothing',
    async (name) => {
      const bucket = await bench.bucket({ objectLockEnabled: true });
      const headers = { [name]: '' };
      const request = { method: 'PUT', url: `/${bucket}/k`, body: 'x', headers };
      const answer = await bench.send(dialect, request);
      expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
      expect((await bench.store.listObjects({ bucket })).objects).toEqual([]);
    },
  );

  test('a delete with an empty if-match deletes nothing', async () => {
    const bucket = await boxWith('k');
    const headers = { 'if-match': '' };
    const answer = await bench.send(dialect, { method: 'DELETE', url: `/${bucket}/k`, headers });
    expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
    expect(await content(bucket, 'k')).toBe('kept');
  });

  test('a bucket with an empty object lock flag is not made without lock', async () => {
    const headers = { 'x-*-bucket-object-lock-enabled': '' };
    const answer = await bench.send(dialect, { method: 'PUT', url: '/no-lock', headers });
    expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
    await expect(bench.store.headBucket({ bucket: 'no-lock' })).rejects.toMatchObject({
      code: 'NoSuchBucket',
    });
  });
});

test("a quoted star is an ETag that no object has, and no wildcard for a put's guard", async () => {
  const bucket = await boxWith('k');
  const headers = { 'if-match': '"*"' };
  const request = { method: 'PUT', url: `/${bucket}/k`, body: 'x', headers };
  const answer = await bench.send(dialect, request);
  expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
  expect(await content(bucket, 'k')).toBe('kept');
});

describe('an element that DeleteObjects does not know', () => {
  test.each([
    ['LastModifiedTime', '2020-01-01T00:00:00.000Z', 'NotImplemented'],
    ['Size', '1', 'NotImplemented'],
    ['VersionID', 'x', 'MalformedXML'],
  ])('%s deletes nothing', async (name, value, code) => {
    const bucket = await boxWith('k');
    const body = `<Delete><Object><Key>k</Key><${name}>${value}</${name}></Object></Delete>`;
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
    const request = { method: 'POST', url: `/${bucket}/?delete`, body, headers };
    const answer = await bench.send(dialect, request);
    expect(answer.text()).toContain(`<Code>${code}</Code>`);
    expect(await content(bucket, 'k')).toBe('kept');
  });
});
