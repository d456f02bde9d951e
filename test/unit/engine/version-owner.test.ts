/** Tests which users of a project may delete a version permanently or set a legal hold. */

import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { openTestEngine, TEST_USER } from '../../helpers/test-engine.ts';

const bucket = 'bucket';
const key = 'k';

/** Creates a versioned bucket of TEST_USER with a version that the user `writer` put. */
async function versionOfWriter() {
  const { engine, store, clock } = await openTestEngine();
  const as = (user: string) => engine.as(internalCaller({ ...TEST_USER, user }, clock.now()));
  await store.createBucket({ bucket });
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  const { versionId = '' } = await as('writer').putObject({ bucket, key, body: bytesBody('x') });
  return { as, versionId };
}

test('the store lets a user who owns neither the bucket nor the version add delete markers, but not delete versions', async () => {
  const { as, versionId } = await versionOfWriter();
  const third = as('third');
  expect(await third.deleteObject({ bucket, key })).toMatchObject({ deleteMarker: true });
  await expect(third.deleteObject({ bucket, key, versionId })).rejects.toMatchObject({
    code: 'AccessDenied',
  });
  const { info } = await third.headObject({ bucket, key, versionId });
  expect(info.sizeBytes).toBe(1);
});

test.each(['writer', TEST_USER.user])(
  'the store lets the user %s, who owns the version or the bucket, delete the version',
  async (user) => {
    const { as, versionId } = await versionOfWriter();
    await as(user).deleteObject({ bucket, key, versionId });
    await expect(as(user).headObject({ bucket, key, versionId })).rejects.toMatchObject({
      code: 'NoSuchVersion',
    });
  },
);

test('[auth-4] while versioning is suspended, the store refuses a delete that would remove a null version that another project owns', async () => {
  const { engine, store, clock } = await openTestEngine();
  const stranger = engine.as(internalCaller({ ...TEST_USER, project: 'other' }, clock.now()));
  await store.createBucket({ bucket, acl: { canned: 'public-read-write' } });
  await stranger.putObject({ bucket, key, body: bytesBody('theirs') });
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  await store.putObject({ bucket, key, body: bytesBody('ours') });
  await store.putVersioning({ bucket, versioning: 'Suspended' });
  await expect(store.deleteObject({ bucket, key })).rejects.toMatchObject({ code: 'AccessDenied' });
  const { info } = await stranger.headObject({ bucket, key, versionId: 'null' });
  expect(info.sizeBytes).toBe(6);
});

test.each(['put', 'copy', 'upload'] as const)(
  'the store requires full access for a %s with a legal hold, but not without one',
  async (way) => {
    const { engine, store, clock } = await openTestEngine();
    await store.createBucket({ bucket, objectLockEnabled: true });
    await store.putObject({ bucket, key: 'source', body: bytesBody('x') });
    const plain = engine.as(internalCaller({ ...TEST_USER, fullAccess: false }, clock.now()));
    const write = (lock: { legalHold?: boolean }): Promise<unknown> => {
      if (way === 'put') return plain.putObject({ bucket, key, body: bytesBody('x'), lock });
      if (way === 'upload') return plain.createUpload({ bucket, key, lock });
      return plain.copyObject({ source: { bucket, key: 'source' }, bucket, key, lock });
    };
    await expect(write({ legalHold: true })).rejects.toMatchObject({ code: 'AccessDenied' });
    await write({});
  },
);
