/** Bucket operations as bytes on the wire, in both dialects. */

import { describe, expect, test } from 'vitest';
import { accessKey, dialects, REGION, WireBench, type RawRequest } from '../helpers/wire-bench.ts';

describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
  const bench = new WireBench();
  const send = (request: RawRequest) => bench.send(dialect, request);
  const code = (text: string) => /<Code>(\w+)/.exec(text)?.[1];

  test('a bucket is created, again by its owner, found and deleted', async () => {
    const created = await send({ method: 'PUT', url: '/fresh' });
    expect([created.status, created.header('location')]).toEqual([200, '/fresh']);
    expect((await send({ method: 'PUT', url: '/fresh/' })).status).toBe(200);
    const head = await send({ method: 'HEAD', url: '/fresh' });
    expect([head.status, head.header(`${dialect.headerPrefix}bucket-region`)]).toEqual([
      200,
      REGION,
    ]);
    const deleted = await send({ method: 'DELETE', url: '/fresh' });
    expect([deleted.status, deleted.header('content-length')]).toEqual([204, undefined]);
    expect((await send({ method: 'HEAD', url: '/fresh' })).status).toBe(404);
  });

  test("the caller's buckets are listed by name", async () => {
    const [first, second] = [await bench.bucket(), await bench.bucket()];
    const text = (await send({ method: 'GET', url: '/' })).text();
    expect(text).toContain(`<Owner><ID>${accessKey.accessKeyId}</ID>`);
    expect(
      text.indexOf(`<Name>${first}</Name><CreationDate>2026-11-21T12:00:00.000Z</CreationDate>`),
    ).toBeGreaterThan(0);
    expect(text.indexOf(first)).toBeLessThan(text.indexOf(second));
  });

  test.each([
    [
      `<CreateBucketConfiguration><LocationConstraint>${REGION}</LocationConstraint></CreateBucketConfiguration>`,
      200,
    ],
    ['<CreateBucketConfiguration xmlns="urn:x"/>', 200],
    [
      '<CreateBucketConfiguration><LocationConstraint>mars</LocationConstraint></CreateBucketConfiguration>',
      400,
    ],
    ['<Other/>', 400],
  ])('a bucket created with %s answers %i', async (body, status) => {
    expect((await send({ method: 'PUT', url: '/located', body })).status).toBe(status);
  });

  test.each(['UPPER', 'ab', 'a..b', '127.0.0.1', 'a%2Fb'])(
    'the name %s is refused',
    async (name) => {
      const answer = await send({ method: 'PUT', url: `/${name}` });
      expect([answer.status, code(answer.text())]).toEqual([400, 'InvalidBucketName']);
    },
  );

  test('versioning is put and told, and empty until then', async () => {
    const box = await bench.bucket();
    const get = async () => (await send({ method: 'GET', url: `/${box}?versioning=` })).text();
    expect(await get()).toContain(`<VersioningConfiguration xmlns="${dialect.xmlNamespace}"/>`);
    const body = '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>';
    expect((await send({ method: 'PUT', url: `/${box}?versioning=null`, body })).status).toBe(200);
    expect(await get()).toContain('<Status>Suspended</Status>');
  });

  test('a bucket with object lock tells so, and cannot be suspended', async () => {
    const headers = { 'x-*-bucket-object-lock-enabled': 'true' };
    await send({ method: 'PUT', url: '/locked', headers });
    const lock = await send({ method: 'GET', url: '/locked?object-lock' });
    expect(lock.text()).toContain(
      '<ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
    );
    const body = '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>';
    const refused = await send({ method: 'PUT', url: '/locked?versioning', body });
    expect([refused.status, code(refused.text())]).toEqual([409, 'InvalidBucketState']);
  });

  test('a bucket without object lock has no such configuration', async () => {
    const box = await bench.bucket();
    const answer = await send({ method: 'GET', url: `/${box}?object-lock` });
    expect([answer.status, code(answer.text())]).toEqual([
      404,
      'ObjectLockConfigurationNotFoundError',
    ]);
  });

  test('the location is the region', async () => {
    const box = await bench.bucket();
    const text = (await send({ method: 'GET', url: `/${box}?location` })).text();
    expect(text).toContain(`>${REGION}</LocationConstraint>`);
  });

  test('a bucket that is not empty is kept', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/k`, body: 'x' });
    const answer = await send({ method: 'DELETE', url: `/${box}` });
    expect([answer.status, code(answer.text())]).toEqual([409, 'BucketNotEmpty']);
  });
});
