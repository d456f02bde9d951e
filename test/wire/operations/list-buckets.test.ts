/** Tests of ListBuckets over HTTP. */

import { expect, test } from 'vitest';
import { refusesImpostors } from '../../helpers/strangers.ts';
import { accessKey, colleague, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const names = async (given = {}) =>
    (await wire.send('GET /', given)).text().match(/(?<=<Name>)[^<]+/g) ?? [];

  test('[svc-8] ListBuckets returns the buckets of the caller with their owner, and no buckets of other users', async () => {
    const id = stranger.accessKeyId;
    expect(await wire.ask('GET /', { as: stranger })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body:
        `<ListAllMyBucketsResult xmlns="${wire.dialect.xmlNamespace}">` +
        `<Owner><ID>${id}</ID><DisplayName>${id}</DisplayName></Owner><Buckets/>` +
        '</ListAllMyBucketsResult>',
    });
  });

  test('[bucket-7] ListBuckets returns names and creation dates, sorted by name', async () => {
    wire.name('last', `z${wire.get('box')}`);
    await wire.store.createBucket({ bucket: wire.get('last') });
    const { body } = await wire.ask('GET /');
    expect(body).toContain(`<Owner><ID>${accessKey.accessKeyId}</ID>`);
    const made = '<CreationDate>2026-11-21T12:00:00.000Z</CreationDate>';
    expect(body).toContain(`<Bucket><Name>{box}</Name>${made}</Bucket>`);
    expect(body).toContain(`<Bucket><Name>{last}</Name>${made}</Bucket>`);
    expect(body).toContain(`${made}</Bucket></Buckets></ListAllMyBucketsResult>`);
    const listed = await names();
    expect(listed).toEqual([...listed].sort());
  });

  test('ListBuckets does not return buckets of other users of the same project', async () => {
    const bucket = `bobs-${wire.get('box')}`;
    await wire.ask(`PUT /${bucket}`, { as: colleague });
    const { body } = await wire.ask('GET /?x-id=ListBuckets', { as: colleague });
    expect(body).toContain(`<Name>bobs-{box}</Name>`);
    expect(await names()).not.toContain(bucket);
  });

  test('[list-10] ListBuckets returns the buckets with the given prefix in pages', async () => {
    const prefix = `page-${wire.get('box')}-`;
    for (const name of ['c', 'a', 'b']) await wire.store.createBucket({ bucket: prefix + name });
    const page = async (query: string) => {
      const { body } = await wire.ask(`GET /?prefix=${prefix}&${query}`);
      expect(body).toContain('<Prefix>page-{box}-</Prefix>');
      return {
        names: body.match(/(?<=<Name>)[^<]+/g) ?? [],
        token: /<ContinuationToken>(.+)<\/ContinuationToken>/.exec(body)?.[1] ?? '',
      };
    };
    const first = await page('max-buckets=2');
    const second = await page(`max-buckets=2&continuation-token=${first.token}`);
    const shown = 'page-{box}-';
    expect(first.names).toEqual([`${shown}a`, `${shown}b`]);
    expect(second).toEqual({ names: [`${shown}c`], token: '' });
    expect((await page('bucket-region=elsewhere')).names).toEqual([]);
    expect((await page('max-buckets=10000')).names).toHaveLength(3);
  });

  test('[list-12] ListBuckets with an empty continuation token starts at the first bucket', async () => {
    expect((await wire.ask('GET /?continuation-token=')).body).toBe((await wire.ask('GET /')).body);
  });

  refusesImpostors(wire, 'GET /');

  wire.refuses([
    [
      'an unexpected request body',
      'GET /',
      { body: 'x' },
      { status: 400, Code: 'UnexpectedContent' },
    ],
    ...['0', '-1', '10001', 'x', ''].map(
      (value) =>
        [
          `the parameter max-buckets=${value}`,
          `GET /?max-buckets=${value}`,
          {},
          {
            status: 400,
            Code: 'InvalidArgument',
            ArgumentName: 'max-buckets',
            ArgumentValue: value,
          },
        ] as const,
    ),
    [
      'a forged continuation token',
      'GET /?continuation-token=bogus',
      {},
      {
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: 'continuation-token',
        ArgumentValue: 'bogus',
      },
    ],
    ...['PUT', 'POST', 'DELETE', 'HEAD', 'PATCH'].map(
      (method) =>
        [
          `the method ${method}`,
          `${method} /`,
          {},
          method === 'HEAD'
            ? { status: 405 }
            : { status: 405, Code: 'MethodNotAllowed', Method: method, ResourceType: 'SERVICE' },
        ] as const,
    ),
  ]);
});
