/**
 * Starts a gateway and an engine with sample data for fuzz tests. It works without a test runner.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { silentLogger, type Logger } from '../../../src/base/logger.ts';
import { openEngine } from '../../../src/engine/engine.ts';
import { openGateway } from '../../../src/gateway/gateway.ts';
import type { AccessKey } from '../../../src/identity/identity.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { type Caller, internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { FakeClock } from '../fake-clock.ts';

export const FUZZ_REGION = 'us-east-1';
export const FUZZ_DIALECTS = { svc: svcDialect(), amz: amzDialect };
/** Bucket that the example requests of all operations use. */
const BUCKET = 'a-bucket';
/** Bucket that must not change, because no request contains its name. */
const GUARDED = 'guarded';

export const FUZZ_KEY: AccessKey = {
  accessKeyId: 'p1:ada@c1',
  secretAccessKey: 'the secret of the fuzzed one',
  principal: { kind: 'user', project: 'p1', user: 'ada', customer: 'c1', fullAccess: true },
};

export interface FuzzService {
  readonly port: number;
  readonly clock: FakeClock;
  /** Returns the object store with the permissions of `caller`. */
  readonly as: (caller: Caller) => ObjectStore;
  /** Errors that the gateway logged. A test fails if there are any. */
  readonly failures: readonly unknown[];
  /**
   * Restores the initial objects. Returns the ids of an existing multipart upload and an existing
   * version.
   */
  prepare(): Promise<{ readonly uploadId: string; readonly versionId: string }>;
  /** Lists all versions and multipart uploads of the bucket that the requests use. */
  picture(): Promise<string>;
  /** Lists all versions and multipart uploads of the bucket that must not change. */
  guarded(): Promise<string>;
  close(): Promise<void>;
}

export async function openFuzzService(): Promise<FuzzService> {
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields) => void failures.push(fields) };
  const region = FUZZ_REGION;
  const engine = await openEngine({
    dir,
    clock,
    logger,
    region,
    quotas: { bucketsPerProject: 10_000 },
  });
  const gateway = await openGateway({
    store: (caller) => engine.as(caller),
    accessOf: (caller) => engine.accessOf(caller),
    identity: { findKey: (id) => (id === FUZZ_KEY.accessKeyId ? FUZZ_KEY : undefined) },
    dialects: FUZZ_DIALECTS,
    host: '127.0.0.1',
    port: 0,
    region,
    clock,
    logger,
  });
  const store = engine.as(internalCaller(FUZZ_KEY.principal, clock.now()));
  await store.createBucket({ bucket: GUARDED, objectLockEnabled: true });
  for (const text of ['one', 'two']) {
    await store.putObject({ bucket: GUARDED, key: 'k', body: bytesBody(text) });
  }
  return {
    port: gateway.port,
    clock,
    as: (caller) => engine.as(caller),
    failures,
    prepare: () => prepare(store),
    picture: () => pictureOf(store, BUCKET),
    guarded: () => pictureOf(store, GUARDED),
    async close() {
      await gateway.close();
      await engine.close();
      rmSync(dir, { recursive: true });
    },
  };
}

async function prepare(store: ObjectStore) {
  const target = { bucket: BUCKET, key: 'k' };
  // An earlier request may have deleted the bucket. If it still exists, creating it again succeeds,
  // because the caller owns it.
  await store.createBucket({ bucket: BUCKET, objectLockEnabled: true });
  // An earlier request may have made the bucket public with a policy.
  await store.deleteBucketPolicy({ bucket: BUCKET });
  await store.putBucketAcl({ bucket: BUCKET, acl: { canned: 'private' } });
  const { versionId = 'null' } = await store.putObject({ ...target, body: bytesBody('hello') });
  const { uploads } = await store.listUploads({ bucket: BUCKET });
  const known = uploads.find(({ key }) => key === target.key);
  return { versionId, uploadId: (known ?? (await store.createUpload(target))).uploadId };
}

async function pictureOf(store: ObjectStore, bucket: string): Promise<string> {
  const { versions } = await store.listVersions({ bucket });
  const { uploads } = await store.listUploads({ bucket });
  return JSON.stringify([versions, uploads]);
}
