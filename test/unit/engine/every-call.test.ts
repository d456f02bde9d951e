/**
 * Tests of the permissions that each store call requires. Other users are refused. A policy with
 * exactly these permissions allows the call. A policy that denies one of them refuses even the
 * bucket owner.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserPrincipal } from '../../../src/base/principal.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { type Engine, openEngine } from '../../../src/engine/engine.ts';
import type { Action } from '../../../src/object-store/action.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectToPut } from '../../../src/object-store/bulk-write.ts';
import { type Caller, internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const OWNER: UserPrincipal = {
  kind: 'user',
  project: 'p1',
  user: 'ada',
  customer: 'c1',
  fullAccess: true,
};
const STRANGER: UserPrincipal = { ...OWNER, project: 'p2', user: 'eve' };
const DAY_MS = 24 * 3600 * 1000;

const clock = new FakeClock();
const dir = mkdtempSync(join(tmpdir(), 'every-call-'));
let engine: Engine;

beforeAll(async () => {
  engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { bucketsPerProject: 1000 },
  });
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true });
});

const as = (principal: Caller['principal']) => engine.as(internalCaller(principal, clock.now()));

interface Scene {
  readonly bucket: string;
  readonly key: string;
  /** Id of the object's current version. */
  readonly versionId: string;
  readonly uploadId: string;
}

type Attempt = (store: ObjectStore, scene: Scene) => Promise<unknown>;

interface Case {
  readonly needs: readonly Action[];
  readonly attempt: Attempt;
  /** Set if only the bucket owner may make the call and no policy can allow it to others. */
  readonly owners?: true;
  /** Set if no policy can deny the call to the bucket owner. */
  readonly kept?: true;
}

function needing(needs: Action | readonly Action[], attempt: Attempt): Case {
  return { needs: typeof needs === 'string' ? [needs] : needs, attempt };
}

const body = bytesBody('new');
const tags = [{ key: 'colour', value: 'red' }];
const acl = { canned: 'public-read' } as const;
const retention = () => ({ mode: 'GOVERNANCE', retainUntil: clock.now() + DAY_MS }) as const;
const policy = (bucket: string) => policyOf(bucket, 'Deny', ['s3:PutBucketWebsite']);

async function deletion(outcome: ReturnType<ObjectStore['deleteObjects']>): Promise<unknown> {
  const { failed, deleted } = await outcome;
  const [first] = failed;
  if (first) throw Object.assign(new Error(first.message), { code: first.code });
  return deleted;
}

/** Puts an object in a bulk write. */
async function inBulk(
  store: ObjectStore,
  bucket: string,
  object: Omit<ObjectToPut, 'bytes'>,
): Promise<unknown> {
  const bytes = Buffer.from('new');
  const outcomes = await store.bulkWriter?.putObjects({ bucket, objects: [{ ...object, bytes }] });
  const [outcome] = outcomes ?? [];
  if (isStorageError(outcome)) throw outcome;
  return outcome;
}

/**
 * The calls to test. The type contains all calls, so that a missing call is a compile error. The
 * value is `undefined` for calls that do not access a bucket.
 */
const CALLS: Readonly<Record<keyof ObjectStore, readonly Case[] | undefined>> = {
  createBucket: undefined,
  listBuckets: undefined,
  serviceTime: undefined,
  headBucket: [needing('ListBucket', (store, { bucket }) => store.headBucket({ bucket }))],
  deleteBucket: [
    {
      ...needing('DeleteBucket', (store, { bucket }) => store.deleteBucket({ bucket })),
      owners: true,
    },
  ],
  getBucketLocation: [
    needing('GetBucketLocation', (store, { bucket }) => store.getBucketLocation({ bucket })),
  ],
  getVersioning: [
    needing('GetBucketVersioning', (store, { bucket }) => store.getVersioning({ bucket })),
  ],
  putVersioning: [
    needing('PutBucketVersioning', (store, { bucket }) =>
      store.putVersioning({ bucket, versioning: 'Enabled' }),
    ),
  ],
  getBucketAcl: [needing('GetBucketAcl', (store, { bucket }) => store.getBucketAcl({ bucket }))],
  putBucketAcl: [
    needing('PutBucketAcl', (store, { bucket }) => store.putBucketAcl({ bucket, acl })),
  ],
  getObjectAcl: [
    needing('GetObjectAcl', (store, { bucket, key }) => store.getObjectAcl({ bucket, key })),
    needing('GetObjectVersionAcl', (store, { bucket, key, versionId }) =>
      store.getObjectAcl({ bucket, key, versionId }),
    ),
  ],
  putObjectAcl: [
    needing('PutObjectAcl', (store, { bucket, key }) => store.putObjectAcl({ bucket, key, acl })),
    needing('PutObjectVersionAcl', (store, { bucket, key, versionId }) =>
      store.putObjectAcl({ bucket, key, versionId, acl }),
    ),
  ],
  getBucketPolicy: [
    {
      ...needing('GetBucketPolicy', (store, { bucket }) => store.getBucketPolicy({ bucket })),
      kept: true,
    },
  ],
  putBucketPolicy: [
    {
      ...needing('PutBucketPolicy', (store, { bucket }) =>
        store.putBucketPolicy({ bucket, policy: policy(bucket) }),
      ),
      kept: true,
    },
  ],
  deleteBucketPolicy: [
    {
      ...needing('DeleteBucketPolicy', (store, { bucket }) => store.deleteBucketPolicy({ bucket })),
      kept: true,
    },
  ],
  isBucketPublic: [
    needing('GetBucketPolicyStatus', (store, { bucket }) => store.isBucketPublic({ bucket })),
  ],
  getPublicAccessBlock: [
    needing('GetBucketPublicAccessBlock', (store, { bucket }) =>
      store.getPublicAccessBlock({ bucket }),
    ),
  ],
  putPublicAccessBlock: [
    needing('PutBucketPublicAccessBlock', (store, { bucket }) =>
      store.putPublicAccessBlock({ bucket, block: NOTHING_BLOCKED }),
    ),
  ],
  deletePublicAccessBlock: [
    needing('PutBucketPublicAccessBlock', (store, { bucket }) =>
      store.deletePublicAccessBlock({ bucket }),
    ),
  ],
  getLifecycle: [
    needing('GetLifecycleConfiguration', (store, { bucket }) => store.getLifecycle({ bucket })),
  ],
  putLifecycle: [
    needing('PutLifecycleConfiguration', (store, { bucket }) =>
      store.putLifecycle({ bucket, rules: RULES }),
    ),
  ],
  deleteLifecycle: [
    needing('PutLifecycleConfiguration', (store, { bucket }) => store.deleteLifecycle({ bucket })),
  ],
  getCors: [needing('GetBucketCORS', (store, { bucket }) => store.getCors({ bucket }))],
  putCors: [
    needing('PutBucketCORS', (store, { bucket }) => store.putCors({ bucket, rules: CORS })),
  ],
  deleteCors: [needing('PutBucketCORS', (store, { bucket }) => store.deleteCors({ bucket }))],
  getWebsite: [needing('GetBucketWebsite', (store, { bucket }) => store.getWebsite({ bucket }))],
  putWebsite: [
    needing('PutBucketWebsite', (store, { bucket }) =>
      store.putWebsite({ bucket, website: { indexSuffix: 'other' } }),
    ),
  ],
  deleteWebsite: [
    needing('DeleteBucketWebsite', (store, { bucket }) => store.deleteWebsite({ bucket })),
  ],
  getBucketTags: [
    needing('GetBucketTagging', (store, { bucket }) => store.getBucketTags({ bucket })),
  ],
  putBucketTags: [
    needing('PutBucketTagging', (store, { bucket }) => store.putBucketTags({ bucket, tags: [] })),
  ],
  deleteBucketTags: [
    needing('PutBucketTagging', (store, { bucket }) => store.deleteBucketTags({ bucket })),
  ],
  getObjectLockConfiguration: [
    needing('GetBucketObjectLockConfiguration', (store, { bucket }) =>
      store.getObjectLockConfiguration({ bucket }),
    ),
  ],
  putObjectLockConfiguration: [
    needing('PutBucketObjectLockConfiguration', (store, { bucket }) =>
      store.putObjectLockConfiguration({ bucket }),
    ),
  ],
  getRetention: [
    needing('GetObjectRetention', (store, { bucket, key }) => store.getRetention({ bucket, key })),
  ],
  putRetention: [
    {
      ...needing('PutObjectRetention', (store, { bucket, key }) =>
        store.putRetention({ bucket, key, retention: retention() }),
      ),
      // The call requires full access in the project of the bucket.
      owners: true,
    },
  ],
  getLegalHold: [
    needing('GetObjectLegalHold', (store, { bucket, key }) => store.getLegalHold({ bucket, key })),
  ],
  putLegalHold: [
    {
      ...needing('PutObjectLegalHold', (store, { bucket, key }) =>
        store.putLegalHold({ bucket, key, legalHold: true }),
      ),
      owners: true,
    },
  ],
  headObject: [
    needing('GetObject', (store, { bucket, key }) => store.headObject({ bucket, key })),
    needing('GetObjectVersion', (store, { bucket, key, versionId }) =>
      store.headObject({ bucket, key, versionId }),
    ),
  ],
  getObject: [
    needing('GetObject', (store, { bucket, key }) => store.getObject({ bucket, key })),
    needing('GetObject', (store, { bucket, key }) =>
      store.getObject({ bucket, key, range: { first: 0, last: 0 } }),
    ),
    needing('GetObject', (store, { bucket, key }) =>
      store.getObject({ bucket, key, partNumber: 1 }),
    ),
    needing('GetObjectVersion', (store, { bucket, key, versionId }) =>
      store.getObject({ bucket, key, versionId }),
    ),
  ],
  getObjectAttributes: [
    needing(['GetObject', 'GetObjectAttributes'], (store, { bucket, key }) =>
      store.getObjectAttributes({ bucket, key, wanted: ['ETag'] }),
    ),
    needing(
      ['GetObjectVersion', 'GetObjectVersionAttributes'],
      (store, { bucket, key, versionId }) =>
        store.getObjectAttributes({ bucket, key, versionId, wanted: ['ETag'] }),
    ),
  ],
  getObjectTags: [
    needing('GetObjectTagging', (store, { bucket, key }) => store.getObjectTags({ bucket, key })),
    needing('GetObjectVersionTagging', (store, { bucket, key, versionId }) =>
      store.getObjectTags({ bucket, key, versionId }),
    ),
  ],
  putObjectTags: [
    needing('PutObjectTagging', (store, { bucket, key }) =>
      store.putObjectTags({ bucket, key, tags: [] }),
    ),
    needing('PutObjectVersionTagging', (store, { bucket, key, versionId }) =>
      store.putObjectTags({ bucket, key, versionId, tags: [] }),
    ),
  ],
  deleteObjectTags: [
    needing('DeleteObjectTagging', (store, { bucket, key }) =>
      store.deleteObjectTags({ bucket, key }),
    ),
    needing('DeleteObjectVersionTagging', (store, { bucket, key, versionId }) =>
      store.deleteObjectTags({ bucket, key, versionId }),
    ),
  ],
  listObjects: [needing('ListBucket', (store, { bucket }) => store.listObjects({ bucket }))],
  listVersions: [
    needing('ListBucketVersions', (store, { bucket }) => store.listVersions({ bucket })),
  ],
  putObject: [
    needing('PutObject', (store, { bucket, key }) => store.putObject({ bucket, key, body })),
    needing('PutObject', (store, { bucket }) => store.putObject({ bucket, key: 'new', body })),
    needing('PutObject', (store, { bucket, key }) =>
      store.putObject({ bucket, key, body, customerKey: customerKey('a') }),
    ),
    needing(['PutObject', 'PutObjectAcl'], (store, { bucket, key }) =>
      store.putObject({ bucket, key, body, acl }),
    ),
    needing(['PutObject', 'PutObjectTagging'], (store, { bucket, key }) =>
      store.putObject({ bucket, key, body, tags }),
    ),
    needing(['PutObject', 'PutObjectRetention'], (store, { bucket, key }) =>
      store.putObject({ bucket, key, body, lock: { retention: retention() } }),
    ),
    {
      ...needing(['PutObject', 'PutObjectLegalHold'], (store, { bucket, key }) =>
        store.putObject({ bucket, key, body, lock: { legalHold: true } }),
      ),
      owners: true,
    },
  ],
  bulkWriter: [
    needing('PutObject', (store, { bucket, key }) => inBulk(store, bucket, { key })),
    needing('PutObject', (store, { bucket, key }) =>
      inBulk(store, bucket, { key, customerKey: customerKey('a') }),
    ),
    needing(['PutObject', 'PutObjectAcl'], (store, { bucket, key }) =>
      inBulk(store, bucket, { key, acl }),
    ),
    needing(['PutObject', 'PutObjectTagging'], (store, { bucket, key }) =>
      inBulk(store, bucket, { key, tags }),
    ),
    needing(['PutObject', 'PutObjectRetention'], (store, { bucket, key }) =>
      inBulk(store, bucket, { key, lock: { retention: retention() } }),
    ),
  ],
  copyObject: [
    needing(
      ['GetObject', 'GetObjectTagging', 'PutObject', 'PutObjectTagging'],
      (store, { bucket, key }) => store.copyObject({ source: { bucket, key }, bucket, key: 'to' }),
    ),
    needing(
      ['GetObjectVersion', 'GetObjectVersionTagging', 'PutObject', 'PutObjectTagging'],
      (store, { bucket, key, versionId }) =>
        store.copyObject({ source: { bucket, key, versionId }, bucket, key: 'to' }),
    ),
    needing(['GetObject', 'PutObject', 'PutObjectTagging'], (store, { bucket, key }) =>
      store.copyObject({
        source: { bucket, key },
        bucket,
        key: 'to',
        tags: [],
        customerKey: customerKey('a'),
      }),
    ),
    needing(
      ['GetObject', 'PutObject', 'PutObjectAcl', 'PutObjectTagging'],
      (store, { bucket, key }) =>
        store.copyObject({
          source: { bucket, key },
          bucket,
          key: 'to',
          tags: [],
          acl,
          checksumAlgorithm: 'SHA1',
        }),
    ),
  ],
  deleteObject: [
    needing('DeleteObject', (store, { bucket, key }) => store.deleteObject({ bucket, key })),
    needing('DeleteObject', (store, { bucket }) => store.deleteObject({ bucket, key: 'missing' })),
    {
      ...needing('DeleteObjectVersion', (store, { bucket, key, versionId }) =>
        store.deleteObject({ bucket, key, versionId }),
      ),
      owners: true,
    },
  ],
  deleteObjects: [
    needing('DeleteObject', (store, { bucket, key }) =>
      deletion(store.deleteObjects({ bucket, objects: [{ key }] })),
    ),
    {
      ...needing('DeleteObjectVersion', (store, { bucket, key, versionId }) =>
        deletion(store.deleteObjects({ bucket, objects: [{ key, versionId }] })),
      ),
      owners: true,
    },
  ],
  createUpload: [
    needing('PutObject', (store, { bucket, key }) => store.createUpload({ bucket, key })),
    needing(['PutObject', 'PutObjectAcl'], (store, { bucket, key }) =>
      store.createUpload({ bucket, key, acl }),
    ),
    needing(['PutObject', 'PutObjectTagging'], (store, { bucket, key }) =>
      store.createUpload({ bucket, key, tags }),
    ),
    needing(['PutObject', 'PutObjectRetention'], (store, { bucket, key }) =>
      store.createUpload({ bucket, key, lock: { retention: retention() } }),
    ),
  ],
  uploadPart: [
    needing('PutObject', (store, { bucket, key, uploadId }) =>
      store.uploadPart({ bucket, key, uploadId, partNumber: 2, body }),
    ),
  ],
  copyPart: [
    needing(['GetObject', 'PutObject'], (store, { bucket, key, uploadId }) =>
      store.copyPart({ bucket, key, uploadId, partNumber: 2, source: { bucket, key } }),
    ),
    needing(['GetObjectVersion', 'PutObject'], (store, { bucket, key, uploadId, versionId }) =>
      store.copyPart({ bucket, key, uploadId, partNumber: 2, source: { bucket, key, versionId } }),
    ),
  ],
  completeUpload: [
    needing('PutObject', (store, { bucket, key, uploadId }) =>
      store.completeUpload({ bucket, key, uploadId, parts: [{ partNumber: 1, etag: PART_ETAG }] }),
    ),
  ],
  abortUpload: [
    needing('AbortMultipartUpload', (store, { bucket, key, uploadId }) =>
      store.abortUpload({ bucket, key, uploadId }),
    ),
  ],
  listParts: [
    needing('ListMultipartUploadParts', (store, { bucket, key, uploadId }) =>
      store.listParts({ bucket, key, uploadId }),
    ),
  ],
  listUploads: [
    needing('ListBucketMultipartUploads', (store, { bucket }) => store.listUploads({ bucket })),
  ],
};

const NOTHING_BLOCKED = {
  blockPublicAcls: false,
  ignorePublicAcls: false,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
};
const RULES = [{ id: 'r', enabled: true, filter: {}, expiration: { days: 1 } }];
const CORS = [{ allowedOrigins: ['*'], allowedMethods: ['GET'] as const }];
const PART_ETAG = 'f4c9385f1902f7334b00b9b4ecd164de';

let scenes = 0;

/**
 * Creates a bucket of the owner with an object, an open upload, tags and every kind of
 * configuration.
 */
async function newScene(): Promise<Scene> {
  const [store, bucket, key] = [as(OWNER), `box-${++scenes}`, 'k'];
  await store.createBucket({ bucket, objectLockEnabled: true });
  await store.putPublicAccessBlock({ bucket, block: NOTHING_BLOCKED });
  await store.putLifecycle({ bucket, rules: RULES });
  await store.putCors({ bucket, rules: CORS });
  await store.putWebsite({ bucket, website: { indexSuffix: 'index' } });
  await store.putBucketTags({ bucket, tags });
  const lock = { retention: retention(), legalHold: false };
  const content = { body: bytesBody('content'), tags, lock };
  const { versionId = '' } = await store.putObject({ bucket, key, ...content });
  const { uploadId } = await store.createUpload({ bucket, key });
  await store.uploadPart({ bucket, key, uploadId, partNumber: 1, body: bytesBody('part') });
  return { bucket, key, versionId, uploadId };
}

function policyOf(bucket: string, effect: 'Allow' | 'Deny', actions: readonly string[]): string {
  const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const statement = { Effect: effect, Principal: '*', Action: actions, Resource };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}

/** Returns everything in the bucket that any of the calls can change. */
async function everything({ bucket, key, uploadId }: Scene): Promise<unknown> {
  const store = as(OWNER);
  return [
    await store.listVersions({ bucket }),
    await store.listUploads({ bucket }),
    await store.listParts({ bucket, key, uploadId }),
    await store.getBucketAcl({ bucket }),
    await store.getObjectAcl({ bucket, key }),
    await store.getObjectTags({ bucket, key }),
    await store.getLifecycle({ bucket }),
    await store.getCors({ bucket }),
    await store.getWebsite({ bucket }),
    await store.getBucketTags({ bucket }),
    await store.getVersioning({ bucket }),
    await store.getObjectLockConfiguration({ bucket }),
    await store.getPublicAccessBlock({ bucket }),
    await store.getLegalHold({ bucket, key }),
  ];
}

/** Returns `allowed` or the error code of a refused call. */
async function outcome(attempt: Attempt, store: ObjectStore, scene: Scene): Promise<string> {
  try {
    await attempt(store, scene);
    return 'allowed';
  } catch (error) {
    if (isStorageError(error)) return error.code;
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

const cases = Object.entries(CALLS).flatMap(([name, all = []]) =>
  all.map((each) => [name, each.needs.join(' '), each] as const),
);

describe('[auth-16] calls of callers without permission', () => {
  let scene: Scene;
  let before: unknown;
  beforeAll(async () => {
    scene = await newScene();
    before = await everything(scene);
  });

  const OTHERS: readonly (readonly [string, Caller['principal']])[] = [
    ['a user of another project', STRANGER],
    ['an anonymous caller', { kind: 'anonymous' }],
    ['a user with the same names who belongs to another customer', { ...OWNER, customer: 'c2' }],
    [
      'a client with a presigned GET URL for another object',
      { kind: 'link', does: 'get', bucket: 'box-1', key: 'other' },
    ],
    [
      'a client with a presigned PUT URL for another object',
      { kind: 'link', does: 'put', bucket: 'box-1', key: 'other' },
    ],
  ];

  test.each(OTHERS)(
    'the store refuses every call by %s with AccessDenied and changes nothing',
    async (_, principal) => {
      const allowed: string[] = [];
      for (const [name, needs, { attempt }] of cases) {
        const said = await outcome(attempt, as(principal), scene);
        if (said !== 'AccessDenied') allowed.push(`${name} (${needs}): ${said}`);
      }
      expect(allowed).toEqual([]);
      expect(await everything(scene)).toEqual(before);
    },
  );
});

test.each(cases.filter(([, , { owners }]) => owners === undefined))(
  '[auth-17] %s requires exactly the permissions %s',
  async (_, __, { needs, attempt }) => {
    const scene = await newScene();
    const { bucket } = scene;
    for (const missing of needs) {
      const others = needs.filter((each) => each !== missing);
      // Grants all other actions to everyone, and one action that the call does not need.
      const given = ['ListAllMyBuckets', ...others].map((each) => `s3:${each}`);
      await as(OWNER).putBucketPolicy({ bucket, policy: policyOf(bucket, 'Allow', given) });
      expect([missing, await outcome(attempt, as(STRANGER), scene)]).toEqual([
        missing,
        'AccessDenied',
      ]);
    }
    const all = needs.map((each) => `s3:${each}`);
    await as(OWNER).putBucketPolicy({ bucket, policy: policyOf(bucket, 'Allow', all) });
    expect(await outcome(attempt, as(STRANGER), scene)).toBe('allowed');
  },
);

describe('[auth-18] actions that a bucket policy denies', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await newScene();
  });

  test.each(cases.filter(([, , { kept }]) => kept === undefined))(
    'a policy that denies a permission required by %s also refuses the call of the bucket owner: %s',
    async (_, __, { needs, attempt }) => {
      const { bucket } = scene;
      for (const each of needs) {
        const denial = policyOf(bucket, 'Deny', [`s3:${each}`]);
        await as(OWNER).putBucketPolicy({ bucket, policy: denial });
        expect([each, await outcome(attempt, as(OWNER), scene)]).toEqual([each, 'AccessDenied']);
      }
    },
  );
});

describe('[policy-33] a bucket policy that denies one version id', () => {
  const READS: readonly (readonly [string, Attempt])[] = [
    [
      'be read by GetObject',
      (store, { bucket, key, versionId }) => store.getObject({ bucket, key, versionId }),
    ],
    [
      'be read by GetObjectAttributes',
      (store, { bucket, key, versionId }) =>
        store.getObjectAttributes({ bucket, key, versionId, wanted: ['ETag'] }),
    ],
    [
      'copied',
      (store, { bucket, key, versionId }) =>
        store.copyObject({ source: { bucket, key, versionId }, bucket, key: 'to' }),
    ],
    [
      'be copied with a customer key',
      (store, { bucket, key, versionId }) =>
        store.copyObject({
          source: { bucket, key, versionId },
          bucket,
          key: 'to',
          customerKey: customerKey('a'),
        }),
    ],
    [
      'be copied as a part of a multipart upload',
      (store, { bucket, key, uploadId, versionId }) =>
        store.copyPart({
          bucket,
          key,
          uploadId,
          partNumber: 2,
          source: { bucket, key, versionId },
        }),
    ],
  ];

  test.each(READS)('a version whose id a bucket policy denies cannot %s', async (_, attempt) => {
    const scene = await newScene();
    const { bucket, versionId } = scene;
    for (const named of [versionId, 'another']) {
      const statement = {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:GetObjectVersion',
        Resource: `arn:aws:s3:::${bucket}/*`,
        Condition: { StringEquals: { 's3:VersionId': named } },
      };
      const document = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
      await as(OWNER).putBucketPolicy({ bucket, policy: document });
      const said = await outcome(attempt, as(OWNER), scene);
      expect(said).toBe(named === versionId ? 'AccessDenied' : 'allowed');
    }
  });
});
