import { expect, it } from 'vitest';

import { describeBucket, describeObject } from '../../../daemon/handlers/buckets/describe.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { answers, faultyStore } from '../../helpers/faulty-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const ref = { bucket: 'photos', key: 'k' };

async function described() {
  const { store } = await openTestEngine();
  await store.createBucket({ bucket: ref.bucket });
  await store.putObject({ ...ref, body: bytesBody('hello') });
  return faultyStore(store);
}

it('the daemon lists in a bucket description the settings that the service did not return', async () => {
  const faulty = await described();
  void faulty.inject({ on: 'getBucketAcl', fault: answers('AccessDenied') });
  void faulty.inject({ on: 'getWebsite', fault: answers('NotImplemented') });
  await expect(describeBucket(faulty.store, ref.bucket, {})).resolves.toMatchObject({
    grants: [],
    configured: [],
    unreported: ['grants', 'website'],
  });
});

it('the daemon lists in an object description the fields that the service did not return', async () => {
  const faulty = await described();
  void faulty.inject({ on: 'getObjectTags', fault: answers('AccessDenied') });
  void faulty.inject({ on: 'getObjectAttributes', fault: answers('NotImplemented') });
  await expect(describeObject(faulty.store, ref, {})).resolves.toMatchObject({
    sizeBytes: 5,
    tags: [],
    versions: { count: 1 },
    unreported: ['tags', 'parts'],
  });
});

it('the daemon fails the description of a bucket if the service returns InternalError', async () => {
  const faulty = await described();
  void faulty.inject({ on: 'getBucketAcl', fault: answers('InternalError') });
  await expect(describeBucket(faulty.store, ref.bucket, {})).rejects.toMatchObject({
    code: 'InternalError',
  });
});
