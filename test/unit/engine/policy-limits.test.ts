/**
 * Tests of the limits on policy evaluation in both threads of a store, the main thread and the
 * writer thread.
 */

import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const bucket = 'box';

async function storeWith(...statements: readonly object[]) {
  const { engine, store, clock } = await openTestEngine();
  await store.createBucket({ bucket });
  const written = statements.map((each) => Object.assign({ Principal: '*', Action: 's3:*' }, each));
  await store.putBucketPolicy({
    bucket,
    policy: JSON.stringify({ Version: '2012-10-17', Statement: written }),
  });
  const from = internalCaller({ kind: 'anonymous' }, clock.now());
  const anonymous = engine.as({ ...from, authType: 'anonymous', userAgent: 'a'.repeat(1024) });
  return { store, anonymous };
}

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index));
const ALLOW = { Effect: 'Allow', Resource: 'arn:aws:s3:::box/*' };

test('[policy-36] the store refuses a put whose If-Match value exceeds the limit of policy comparisons and states the length of the value', async () => {
  const { anonymous } = await storeWith({
    ...ALLOW,
    Condition: { StringLike: { 's3:if-match': times(150, (index) => `*${index}z*`) } },
  });
  const conditions = { ifMatch: 'a'.repeat(15_000) };
  const put = anonymous.putObject({ bucket, key: 'k', body: bytesBody('x'), conditions });
  await expect(put).rejects.toMatchObject({
    code: 'AccessDenied',
    message: expect.stringContaining('s3:if-match has 15000 characters') as string,
  });
});

test('[policy-37] the store evaluates an expensive policy condition only once for a bulk delete of 300 keys', async () => {
  const { anonymous } = await storeWith(ALLOW, {
    Effect: 'Deny',
    Resource: 'arn:aws:s3:::box/*',
    Condition: { StringLike: { 'aws:UserAgent': times(100, (index) => `*a?${index}*`) } },
  });
  const objects = times(300, (index) => `k${index}`).map((key) => ({ key }));
  const { deleted, failed } = await anonymous.deleteObjects({ bucket, objects });
  expect(failed).toEqual([]);
  expect(deleted).toHaveLength(300);
});

test('[policy-37] the store refuses the remaining keys of a bulk delete that exceeds its policy step limit', async () => {
  const { store, anonymous } = await storeWith(ALLOW, {
    Effect: 'Deny',
    Resource: times(100, (index) => `arn:aws:s3:::box/*a?z${index}*`),
  });
  const keys = times(20, (index) => `${'a'.repeat(1000)}b${index}`);
  for (const key of keys) await store.putObject({ bucket, key, body: bytesBody('x') });
  const objects = keys.map((key) => ({ key }));
  const { deleted, failed } = await anonymous.deleteObjects({ bucket, objects });
  expect(deleted.length).toBeGreaterThan(2);
  expect(failed.length).toBeGreaterThan(2);
  for (const { code, message } of failed) {
    expect(code).toBe('SlowDown');
    expect(message).toContain('delete fewer keys in one request');
  }
  const left = await store.listObjects({ bucket });
  expect(left.objects.map(({ key }) => key).toSorted()).toEqual(
    failed.map(({ key }) => key).toSorted(),
  );
});

test('[policy-38] the store refuses a policy with 201 patterns and keeps the previous policy in effect', async () => {
  const { store } = await storeWith(ALLOW);
  const before = await store.getBucketPolicy({ bucket });
  const Resource = times(200, (index) => `arn:aws:s3:::box/${index}*`);
  const policy = JSON.stringify({
    Statement: { Principal: '*', Action: 's3:*', Effect: 'Allow', Resource },
  });
  await expect(store.putBucketPolicy({ bucket, policy })).rejects.toMatchObject({
    code: 'MalformedPolicy',
    message: expect.stringContaining('201 patterns') as string,
  });
  expect(await store.getBucketPolicy({ bucket })).toBe(before);
});
