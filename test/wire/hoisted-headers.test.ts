/** Tests of headers that the AWS SDK for JavaScript moves into the query of a presigned URL. */

import { expect, test } from 'vitest';

import { FreeSigner, type FreeRequest } from '../helpers/free-signer.ts';
import { accessKey, REGION, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const send = (wish: FreeRequest) => {
    const signer = new FreeSigner({
      dialect: wire.dialect,
      host: `127.0.0.1:${wire.bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => wire.bench.clock.now(),
    });
    const socket = wire.bench.connect();
    socket.write(signer.sign(wish).text);
    return socket.answer(wish.method ?? 'GET');
  };
  /** Puts `hello` by a presigned URL with these query parameters. `x-*-` becomes `x-amz-` or `x-svc-`. */
  const put = (parameters: Readonly<Record<string, string>>, more: Partial<FreeRequest> = {}) => {
    const query = Object.entries(parameters).map(
      ([name, value]) => `${wire.spelt(name)}=${encodeURIComponent(value)}`,
    );
    return send({
      method: 'PUT',
      url: `${wire.fill('/{box}/k')}?${query.join('&')}`,
      body: 'hello',
      presigned: {},
      ...more,
    });
  };
  const infoOf = async () => {
    const ref = { bucket: wire.get('box'), key: 'k', withChecksum: true };
    return (await wire.store.headObject(ref)).info;
  };

  test.each([
    ['x-*-checksum-crc32', 'NhCmhg=='],
    ['x-*-checksum-crc32c', 'mnG7TA=='],
    ['x-*-checksum-sha256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
  ])(
    'the checksum %s in the query of a presigned URL is verified and stored',
    async (name, value) => {
      expect((await put({ [name]: value, 'x-id': 'PutObject' })).status).toBe(200);
      expect((await infoOf()).checksum).toMatchObject({ value });
    },
  );

  test('a PUT by a presigned URL with a wrong checksum in its query is rejected', async () => {
    const answer = await put({ 'x-*-checksum-crc32': 'NhCmhw==' });
    expect([answer.status, answer.text()]).toEqual([400, expect.stringContaining('BadDigest')]);
    await expect(infoOf()).rejects.toMatchObject({ code: 'NoSuchKey' });
  });

  // Since 2025 the SDK signs the checksum of an empty body if it does not have the body yet.
  test('the checksum of an empty body in the query of a presigned URL is ignored if the body is not empty', async () => {
    const signed = { 'x-*-checksum-crc32': 'AAAAAA==', 'x-*-sdk-checksum-algorithm': 'CRC32' };
    expect((await put(signed)).status).toBe(200);
    expect((await infoOf()).checksum).toMatchObject({ value: 'NhCmhg==' });
    expect((await put(signed, { body: '' })).status).toBe(200);
    expect((await infoOf()).checksum).toMatchObject({ value: 'AAAAAA==' });
  });

  test('the checksum of an empty body in a request header is verified like any other checksum', async () => {
    const answer = await put({}, { headers: [['x-*-checksum-crc32', 'AAAAAA==']] });
    expect(answer.text()).toContain('BadDigest');
  });

  test('attributes in the query of a presigned URL are stored, even with upper-case names or non-ASCII values', async () => {
    const inCapitals = `${wire.dialect.queryPrefix}Meta-Shape`;
    const answer = await put({ 'x-*-meta-colour': 'grün', [inCapitals]: 'round' });
    expect(answer.status).toBe(200);
    expect((await infoOf()).metadata).toEqual({ colour: 'grün', shape: 'round' });
  });

  test.each([
    ['x-*-acl', 'private', 200],
    ['x-*-acl', 'public-read', 200],
    ['x-*-acl', 'log-delivery-write', 400],
    ['x-*-tagging', 'a=b', 200],
    ['x-*-tagging', 'a=b&a=c', 400],
    ['x-*-storage-class', 'STANDARD', 200],
    ['x-*-storage-class', 'GLACIER', 400],
  ])(
    'the query parameter %s=%s of a presigned URL returns %i, like a header with this value',
    async (name, value, status) => {
      expect((await put({ [name]: value })).status).toBe(status);
    },
  );

  test('a parameter in the query of a presigned URL is rejected if the request also has it as a header', async () => {
    const headers = [['x-*-meta-a', '1']] as const;
    const answer = await put({ 'x-*-meta-a': '2' }, { headers });
    expect([answer.status, answer.text()]).toEqual([
      400,
      expect.stringContaining('<Code>InvalidRequest</Code>'),
    ]);
  });

  test('header names in the query are not treated as headers if the signature is in the Authorization header', async () => {
    const url = wire.fill(`/{box}/k?${wire.spelt('x-*-checksum-crc32')}=NhCmhg%3D%3D`);
    const answer = await send({ method: 'PUT', url, body: 'hello' });
    expect(answer.text()).toContain('NotImplemented');
  });
});
