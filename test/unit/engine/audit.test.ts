/** Tests of the audit lines that the log contains for changes of locks and permissions. */

import { expect, onTestFinished, test } from 'vitest';

import { type LogFields, silentLogger } from '../../../src/base/logger.ts';
import { openEngine } from '../../../src/engine/engine.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { TEST_USER } from '../../helpers/test-engine.ts';

const BY = { by: 'project:user@customer', sourceIp: '127.0.0.1', authType: 'internal' };
const DAY_MS = 24 * 3600 * 1000;

test('[audit-1] the store writes an audit line only for a governance bypass and for changes of a legal hold, lock configuration or permission', async () => {
  const lines: [message: string, fields: LogFields][] = [];
  const clock = new FakeClock();
  const engine = await openEngine({
    dir: temporaryFolder('audit'),
    clock,
    logger: { ...silentLogger, info: (fields, message) => lines.push([message, fields]) },
    region: 'us-east-1',
    passive: true,
  });
  onTestFinished(() => engine.close());
  const store = engine.as(internalCaller(TEST_USER, clock.now()));
  const ref = { bucket: 'box', key: 'k' };
  await store.createBucket({ bucket: 'box', objectLockEnabled: true });
  const retention = { mode: 'GOVERNANCE', retainUntil: clock.now() + 2 * DAY_MS } as const;
  const version = await store.putObject({ ...ref, body: bytesBody('x'), lock: { retention } });
  const { versionId = '' } = version;
  await store.putObjectTags({ ...ref, tags: [] });
  const removal = { ...ref, versionId };
  await refused(store.deleteObject(removal));
  await refused(store.deleteObjects({ bucket: 'box', objects: [removal] }));
  expect(lines).toEqual([]);

  const shorter = { ...retention, retainUntil: clock.now() + DAY_MS };
  await store.putLegalHold({ ...ref, legalHold: true });
  await refused(store.deleteObject({ ...removal, bypassGovernance: true }));
  await store.putLegalHold({ ...ref, legalHold: false });
  await store.putRetention({ ...ref, retention: shorter, bypassGovernance: true });
  await store.deleteObject({ ...removal, bypassGovernance: true });
  await store.putObjectLockConfiguration({ bucket: 'box' });
  await store.putBucketAcl({ bucket: 'box', acl: { canned: 'private' } });
  await store.putObject({ ...ref, body: bytesBody('x') });
  await store.putObjectAcl({ ...ref, acl: { canned: 'private' } });
  await store.deleteBucketPolicy({ bucket: 'box' });
  await store.deletePublicAccessBlock({ bucket: 'box' });
  expect(lines).toEqual([
    ['putLegalHold: done', { ...ref, ...BY, legalHold: true }],
    ['putLegalHold: done', { ...ref, ...BY, legalHold: false }],
    ['putRetention: done', { ...ref, ...BY, retention: shorter, bypassGovernance: true }],
    ['deleteObject: done', { ...removal, ...BY, bypassGovernance: true }],
    ['putLockConfiguration: done', { bucket: 'box', ...BY }],
    ['putBucketAcl: done', { bucket: 'box', ...BY }],
    ['putObjectAcl: done', { ...ref, ...BY }],
    ['putBucketPolicy: done', { bucket: 'box', ...BY, removed: true }],
    ['putPublicAccessBlock: done', { bucket: 'box', ...BY }],
  ]);
});

async function refused(
  removal: ReturnType<ObjectStore['deleteObject'] | ObjectStore['deleteObjects']>,
): Promise<void> {
  const outcome = await removal.catch((error: unknown) => ({ failed: [error] }));
  expect('failed' in outcome && outcome.failed).toHaveLength(1);
}
