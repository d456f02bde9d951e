/** Tests of the bucket that a request addresses through its Host header or its path. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addressOf } from '../../../src/gateway/addressing.ts';
import { checkBucketName } from '../../../src/object-store/rules/naming.ts';

const BASES = ['localhost', 's3.example.com', 'example.com'];
const target = (host: string, path = '/k') => addressOf({ host, path }, BASES).target;

describe('virtual-hosted-style requests', () => {
  test.each([
    ['box.localhost', 'box'],
    ['box.localhost:9010', 'box'],
    ['BOX.LocalHost:80', 'box'],
    ['box.localhost.', 'box'],
    ['my.dotted.box.localhost', 'my.dotted.box'],
    ['box.s3.example.com', 'box'],
    ['box.example.com', 'box'],
    ['example.com.localhost', 'example.com'],
  ])('the gateway reads the bucket name from the host %s', (host, bucket) => {
    expect(target(host)).toEqual({ bucket, key: 'k' });
  });

  test.each([
    ['/', { bucket: 'box' }],
    ['/k', { bucket: 'box', key: 'k' }],
    ['//k', { bucket: 'box', key: '/k' }],
    ['/a/../b', { bucket: 'box', key: 'a/../b' }],
    ['/%2e%2e%2fother/k', { bucket: 'box', key: '../other/k' }],
  ])(
    'the gateway uses the whole path %s as the key if the host names the bucket',
    (path, expected) => {
      expect(target('box.localhost', path)).toEqual(expected);
    },
  );
});

describe('path-style requests', () => {
  test.each([
    'localhost',
    'localhost:9010',
    's3.example.com',
    '127.0.0.1:9010',
    '[::1]:9010',
    'box.127.0.0.1',
    'elsewhere.net',
    'notlocalhost',
    'my_container:9000',
    '',
  ])('the gateway reads the bucket name from the path if the host is %j', (host) => {
    expect(target(host, '/box/k')).toEqual({ bucket: 'box', key: 'k' });
  });
});

test('property: any Host header yields a valid bucket name, the bucket in the path or an error', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '..', ':', '@', '/', '%2e', 'localhost', 'box', '127.0.0.1', '[::1]', ' '),
    fc.string({ maxLength: 4 }),
  );
  const host = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        host,
        host.map((each) => `${each}.localhost`),
      ),
      (each) => {
        let addressed;
        try {
          addressed = addressOf({ host: each, path: '/of-path/k' }, BASES);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^Invalid/) as string });
          return;
        }
        const { bucketOfHost, target: found } = addressed;
        if (bucketOfHost === undefined) expect(found).toEqual({ bucket: 'of-path', key: 'k' });
        else expect(() => checkBucketName(bucketOfHost)).not.toThrow();
      },
    ),
    { numRuns: 500 },
  );
});

describe('refused hosts and paths', () => {
  test.each([
    '.localhost',
    '..localhost',
    'a..b.localhost',
    'ab.localhost',
    'box-.localhost',
    '1.2.3.4.localhost',
    'my_box.localhost',
    `${'a'.repeat(64)}.localhost`,
  ])('the gateway refuses the invalid bucket name in the host %s', (host) => {
    expect(() => target(host)).toThrow(expect.objectContaining({ code: 'InvalidBucketName' }));
  });

  test.each([
    'box.localhost:80@evil.net',
    'evil.net/box.localhost',
    'box.localhost:99999999',
    'box.localhost:port',
    'box.localhost:80:80',
    'box%2elocalhost',
    'box.localhost, other.localhost',
    'a b.localhost',
    '../box.localhost',
    '[::1',
    'böx.localhost',
  ])('the gateway refuses the malformed host %s', (host) => {
    expect(() => target(host)).toThrow(expect.objectContaining({ code: 'InvalidRequest' }));
  });

  test.each(['*', 'http://box.localhost/k', ''])('the gateway refuses the path %j', (path) => {
    expect(() => target('box.localhost', path)).toThrow(
      expect.objectContaining({ code: 'InvalidURI' }),
    );
  });
});
