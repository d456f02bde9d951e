/** Tests of CreateBucket over HTTP. */

import { describe, expect, test } from 'vitest';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import { badAclHeaders } from '../../helpers/acl-questions.ts';
import { refusesImpostors } from '../../helpers/strangers.ts';
import { REGION, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const CREATED = (name: string) => ({
  status: 200,
  headers: { location: `/${name}`, 'content-length': '0' },
  body: '',
});
const LOCKED = { headers: { 'x-*-bucket-object-lock-enabled': 'true' } };

const configuration = (inside: string) => ({
  body: `<CreateBucketConfiguration xmlns="urn:x">${inside}</CreateBucketConfiguration>`,
});
const located = (region: string) =>
  configuration(`<LocationConstraint>${region}</LocationConstraint>`);

inBothDialects(new WireBench(), (wire) => {
  const name = (suffix: string) => `${wire.dialect.name}-${suffix}`;
  const exists = async (bucket: string) =>
    (await wire.store.listBuckets()).some((each) => each.name === bucket);

  test('[bucket-2] CreateBucket returns the location of the bucket, and succeeds again for the owner', async () => {
    const bucket = name('fresh');
    expect(await wire.ask(`PUT /${bucket}`)).toEqual(CREATED(bucket));
    expect(await wire.ask(`PUT /${bucket}/`)).toEqual(CREATED(bucket));
    expect(await wire.store.getVersioning({ bucket })).toBeUndefined();
  });

  test.each(['abc', 'a'.repeat(63), '0-9', 'a.b-c.d', '192.168.1', '1.2.3.4.5'])(
    'CreateBucket accepts the name %s',
    async (bucket) => {
      const unique = bucket.length > 60 ? bucket : name(bucket);
      const answer = await wire.ask(`PUT /${unique}`);
      expect(answer).toEqual(CREATED(unique));
      await wire.store.deleteBucket({ bucket: unique });
    },
  );

  test('[bucket-4] CreateBucket with Object Lock enables versioning, and can be repeated only with Object Lock', async () => {
    const bucket = name('locked');
    expect(await wire.ask(`PUT /${bucket}`, LOCKED)).toEqual(CREATED(bucket));
    expect(await wire.store.getVersioning({ bucket })).toBe('Enabled');
    expect(await wire.ask(`PUT /${bucket}`, LOCKED)).toEqual(CREATED(bucket));
    expect(await wire.refusal(`PUT /${bucket}`)).toEqual({
      status: 409,
      Code: 'BucketAlreadyOwnedByYou',
    });
  });

  test('[acl-14] CreateBucket sets the ACL, and can be repeated without an ACL but not with another grant', async () => {
    const bucket = name('listed');
    const publicRead = { headers: { 'x-*-acl': 'public-read' } };
    expect(await wire.ask(`PUT /${bucket}`, publicRead)).toEqual(CREATED(bucket));
    expect((await wire.store.getBucketAcl({ bucket })).grants).toEqual([
      { grantee: 'AllUsers', permission: 'READ' },
      { grantee: 'p1:ada@c1', permission: 'FULL_CONTROL' },
    ]);
    expect(await wire.ask(`PUT /${bucket}`, publicRead)).toEqual(CREATED(bucket));
    expect(await wire.ask(`PUT /${bucket}`)).toEqual(CREATED(bucket));
    const other = { headers: { 'x-*-grant-read': 'id="p2@c1"' } };
    expect(await wire.refusal(`PUT /${bucket}`, other)).toEqual({
      status: 409,
      Code: 'BucketAlreadyOwnedByYou',
    });
  });

  test('CreateBucket with a false Object Lock header creates a bucket without Object Lock', async () => {
    const bucket = name('unlocked');
    const headers = { 'x-*-bucket-object-lock-enabled': 'FALSE' };
    expect(await wire.ask(`PUT /${bucket}`, { headers })).toEqual(CREATED(bucket));
    expect(await wire.store.getVersioning({ bucket })).toBeUndefined();
  });

  test.each([
    ['the region of the store', located(REGION)],
    ['an empty region', located('')],
    ['no region', configuration('')],
    ['an empty body', { body: '' }],
    ['the canned ACL private', { headers: { 'x-*-acl': 'private' } }],
  ])('CreateBucket accepts %s', async (_, given) => {
    const bucket = name('asked');
    expect(await wire.ask(`PUT /${bucket}`, given)).toEqual(CREATED(bucket));
  });

  refusesImpostors(wire, 'PUT /{box}-not-yet');

  test('[svc-7] CreateBucket rejects the name of a bucket that another project owns', async () => {
    expect(await wire.refusal('PUT /{box}', { as: stranger })).toEqual({
      status: 409,
      Code: 'BucketAlreadyExists',
    });
  });

  wire.refuses(
    [
      'ab',
      'a'.repeat(64),
      'UPPER',
      'a_b',
      'a..b',
      'a.-b',
      'a-.b',
      '-ab',
      'ab-',
      '.ab',
      'ab.',
      '127.0.0.1',
      '/a',
      'a%2Fb',
      'a%20b',
      '%C3%BCmlaut',
    ].map((bucket) => [
      `the name ${bucket}`,
      `PUT /${bucket}`,
      {},
      { status: 400, Code: 'InvalidBucketName' },
    ]),
  );

  const malformed = { status: 400, Code: 'MalformedXML' };
  const asked = `PUT /${name('refused')}`;
  wire.refuses([
    ...badAclHeaders(asked),
    [
      'another region',
      asked,
      located('mars'),
      { status: 400, Code: 'InvalidLocationConstraint', LocationConstraint: 'mars' },
    ],
    ['an XML document with another root element', asked, { body: '<Other/>' }, malformed],
    ['a body that is not XML', asked, { body: 'hello' }, malformed],
    [
      'an XML document with a DTD',
      asked,
      { body: '<!DOCTYPE a [<!ENTITY b "c">]><CreateBucketConfiguration/>' },
      malformed,
    ],
    ...['', 'yes', '1'].map(
      (flag) =>
        [
          `the Object Lock flag ${JSON.stringify(flag)}`,
          asked,
          { headers: { 'x-*-bucket-object-lock-enabled': flag } },
          {
            status: 400,
            Code: 'InvalidArgument',
            ArgumentName: 'bucket-object-lock-enabled',
            ArgumentValue: flag,
          },
        ] as const,
    ),
    ...Object.entries({
      'x-*-object-ownership': 'BucketOwnerEnforced',
    }).map(
      ([header, value]) =>
        [
          `the header ${header}`,
          asked,
          { headers: { [header]: value } },
          { status: 501, Code: 'NotImplemented', Header: wire.spelt(header) },
        ] as const,
    ),
    [
      'a parameter of another operation',
      `${asked}?prefix=a`,
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: 'prefix', ArgumentValue: 'a' },
    ],
  ]);

  test('a rejected CreateBucket creates no bucket', async () => {
    expect(await exists(name('refused'))).toBe(false);
  });
});

describe('bucket quota of a project', () => {
  const bench = new WireBench({ quotas: { bucketsPerProject: 1 } });

  test('CreateBucket fails in a project that has the maximum number of buckets', async () => {
    await bench.bucket();
    const answer = await bench.send(amzDialect, { method: 'PUT', url: '/one-more' });
    expect([answer.status, answer.text()]).toEqual([
      400,
      expect.stringContaining('<Code>TooManyBuckets</Code>'),
    ]);
  });
});
