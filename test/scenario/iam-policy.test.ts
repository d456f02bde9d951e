/**
 * Tests that the IAM policy of `holdfast target add` allows exactly the requests of a job with locks. The tests
 * evaluate each request of a real job by the rules for bucket policies.
 */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { iamPolicy } from '../../src/cli/commands/target/iam-policy.ts';
import type { Action } from '../../src/object-store/action.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { LockRequest, ObjectInfo, ObjectStore } from '../../src/object-store/object-store.ts';
import { decideAccess } from '../../src/object-store/rules/access/decide.ts';
import { parsePolicy } from '../../src/object-store/rules/access/parse-policy.ts';
import { isStorageError, StorageError } from '../../src/object-store/storage-error.ts';
import { answers, faultyStore } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const PREFIX = 'laptop/docs/';
/** File content that is large enough for a multipart upload. */
const LARGE = Buffer.alloc(17 * 1024 * 1024, 'x');
const LOCK = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 } as const;
const { signal } = new AbortController();

/** A permission that AWS requires for a request. */
interface Needed {
  readonly action: Action;
  readonly key?: string;
  readonly prefix?: string;
}

type Call = Exclude<keyof MirrorStore, 'bulkWriter'>;
type Request<K extends Call> = Parameters<MirrorStore[K]>[0];

interface Written {
  readonly key: string;
  readonly lock?: LockRequest | undefined;
  readonly tags?: unknown;
  readonly acl?: unknown;
}

function writes({ key, lock, tags, acl }: Written): readonly Needed[] {
  return [
    { action: 'PutObject', key },
    ...(lock?.retention ? [{ action: 'PutObjectRetention', key } as const] : []),
    ...(lock?.legalHold === undefined ? [] : [{ action: 'PutObjectLegalHold', key } as const]),
    ...(tags === undefined ? [] : [{ action: 'PutObjectTagging', key } as const]),
    ...(acl === undefined ? [] : [{ action: 'PutObjectAcl', key } as const]),
  ];
}

const ofVersion =
  (current: Action, version: Action) =>
  ({ key, versionId }: { readonly key: string; readonly versionId?: string }) => [
    { action: versionId === undefined ? current : version, key },
  ];
const reads = ofVersion('GetObject', 'GetObjectVersion');
const deletes = ofVersion('DeleteObject', 'DeleteObjectVersion');

const NEEDED: { readonly [K in Call]: (request: Request<K>) => readonly Needed[] } = {
  headObject: reads,
  getObject: reads,
  listObjects: ({ prefix = '' }) => [{ action: 'ListBucket', prefix }],
  putObject: writes,
  copyObject: ({ source, ...request }) => [...reads(source), ...writes(request)],
  deleteObject: deletes,
  listVersions: ({ prefix = '' }) => [{ action: 'ListBucketVersions', prefix }],
  deleteObjects: ({ objects }) => objects.flatMap(deletes),
  createUpload: writes,
  uploadPart: ({ key }) => [{ action: 'PutObject', key }],
  completeUpload: ({ key }) => [{ action: 'PutObject', key }],
  abortUpload: ({ key }) => [{ action: 'AbortMultipartUpload', key }],
  copyPart: ({ source, key }) => [...reads(source), { action: 'PutObject', key }],
  listParts: ({ key }) => [{ action: 'ListMultipartUploadParts', key }],
  listUploads: ({ prefix = '' }) => [{ action: 'ListBucketMultipartUploads', prefix }],
  getObjectLockConfiguration: () => [{ action: 'GetBucketObjectLockConfiguration' }],
  putObjectLockConfiguration: () => [{ action: 'PutBucketObjectLockConfiguration' }],
  getRetention: ({ key }) => [{ action: 'GetObjectRetention', key }],
  putRetention: ({ key }) => [{ action: 'PutObjectRetention', key }],
  getLegalHold: ({ key }) => [{ action: 'GetObjectLegalHold', key }],
  putLegalHold: ({ key }) => [{ action: 'PutObjectLegalHold', key }],
  // A rejected request also returns the time of the service.
  serviceTime: () => [],
  createBucket: () => [{ action: 'CreateBucket' }],
  headBucket: () => [{ action: 'ListBucket' }],
  getVersioning: () => [{ action: 'GetBucketVersioning' }],
  putVersioning: () => [{ action: 'PutBucketVersioning' }],
  getLifecycle: () => [{ action: 'GetLifecycleConfiguration' }],
  getObjectAcl: ofVersion('GetObjectAcl', 'GetObjectVersionAcl'),
  getObjectTags: ofVersion('GetObjectTagging', 'GetObjectVersionTagging'),
  putObjectTags: ofVersion('PutObjectTagging', 'PutObjectVersionTagging'),
};

/** AWS omits these fields of a response if the access key has no permission for them. */
function shownIn(
  { key, versionId }: { readonly key: string; readonly versionId?: string },
  { retention, legalHold, tagCount }: ObjectInfo,
): readonly Needed[] {
  const tagging = versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging';
  return [
    ...(retention ? [{ action: 'GetObjectRetention', key } as const] : []),
    ...(legalHold === undefined ? [] : [{ action: 'GetObjectLegalHold', key } as const]),
    ...(tagCount === undefined ? [] : [{ action: tagging, key } as const]),
  ];
}

/**
 * Wraps a store. Before each call, `check` gets each permission that the call needs, and throws to
 * deny the call.
 */
function policed(store: ObjectStore, check: (needed: Needed) => void): ObjectStore {
  return new Proxy(store, {
    get(real, name: keyof ObjectStore) {
      if (name === 'bulkWriter') return undefined;
      const method = Reflect.get(real, name) as unknown;
      if (typeof method !== 'function' || !Object.hasOwn(NEEDED, name)) return method;
      const neededFor = NEEDED[name as Call] as (request: unknown) => readonly Needed[];
      return async (request: { key: string }, options: unknown): Promise<unknown> => {
        for (const needed of neededFor(request)) check(needed);
        try {
          const result = (await method.call(real, request, options)) as { info?: ObjectInfo };
          if (result?.info) for (const needed of shownIn(request, result.info)) check(needed);
          return result;
        } catch (error) {
          // Without this permission, AWS returns 403 instead of 404 for a missing object.
          if (isStorageError(error, 'NoSuchKey')) check({ action: 'ListBucket' });
          throw error;
        }
      };
    },
  });
}

/** Returns a function that evaluates whether the policy allows a request. */
function evaluatorOf(bucket: string, prefix: string) {
  const policy = iamPolicy({ bucket, prefix, region: 'us-east-1' });
  const statements = policy.Statement.map((each) => ({ ...each, Principal: '*' }));
  const parsed = parsePolicy(JSON.stringify({ ...policy, Statement: statements }), bucket);
  const owner = { project: 'owner', user: 'owner', customer: 'local' };
  const principal = {
    kind: 'user',
    project: 'p',
    user: 'u',
    customer: 'c',
    fullAccess: false,
  } as const;
  return ({ action, key, prefix: listed }: Needed) =>
    decideAccess({
      principal,
      action,
      bucket: { name: bucket, owner, policy: parsed },
      ...(key !== undefined && { object: { key } }),
      conditions: new Map(listed === undefined ? [] : [['s3:prefix', [listed]]]),
    }).allowed;
}

it('the IAM policy allows all requests of a job with locks, and the job needs each of its actions', async () => {
  const bench = await openMirrorBench();
  const { bucket, root } = bench;
  const isAllowed = evaluatorOf(bucket, PREFIX);
  const used = new Set<string>();
  const denied: Needed[] = [];
  const store = policed(bench.store, (needed) => {
    used.add(`s3:${needed.action}`);
    if (isAllowed(needed)) return;
    denied.push(needed);
    throw new StorageError('AccessDenied', 'Access Denied');
  });
  const faulty = faultyStore(store);
  const put = (path: string, content: string | Buffer) => writeFileSync(join(root, path), content);
  const job = { store: faulty.store, isRemote: true, prefix: PREFIX, keep: { all: 1 } };
  const patterns = [{ match: '*.tmp', days: 0 }];
  for (const path of ['changed', 'deleted', 'moved', 'scratch.tmp']) put(path, `first ${path}`);
  const mirror = await bench.open({ ...job, lock: { ...LOCK, patterns } });
  await mirror.settled();

  void faulty.inject({ on: 'uploadPart', fault: answers('SlowDown') });
  put('large', LARGE);
  await mirror.settled();

  // Another client sets tags on an object, and the next version preserves them.
  const tagged = { bucket, key: `${PREFIX}changed` };
  await bench.store.putObjectTags({ ...tagged, tags: [{ key: 'team', value: 'red' }] });
  for (const path of ['changed', 'scratch.tmp']) put(path, `second ${path}`);
  rmSync(join(root, 'deleted'));
  renameSync(join(root, 'moved'), join(root, 'renamed'));
  await mirror.settled();
  await mirror.runNow();
  await mirror.pruning.run({ dryRun: false, signal });
  for await (const row of mirror.verification.verify({ readBackBytes: 1e9, signal }))
    expect(row).not.toMatchObject({ kind: 'damaged' });
  await mirror.locks.why('changed', signal);

  const longer = await bench.open({ ...job, lock: { ...LOCK, days: 60, patterns } });
  await longer.settled();
  const { problems, state } = longer.status();
  await longer.close(signal);
  expect({ denied, problems, state }).toMatchObject({ denied: [], problems: [] });
  const { Statement } = iamPolicy({ bucket, prefix: PREFIX, region: 'us-east-1' });
  const allowed = new Set(Statement.flatMap(({ Action: actions }) => actions));
  expect([...allowed].toSorted()).toEqual([...used].toSorted());
});

describe('the resources of the IAM policy', () => {
  it.each<[string, string, Needed, boolean]>([
    ['an object below the prefix', 'a/b/', { action: 'PutObject', key: 'a/b/c' }, true],
    ['an object outside the prefix', 'a/b/', { action: 'PutObject', key: 'a/bc' }, false],
    [
      'the ownership marker of a parent prefix',
      'a/b/',
      { action: 'GetObject', key: 'a/.holdfast/claim' },
      true,
    ],
    [
      'writing the ownership marker of a parent prefix',
      'a/b/',
      { action: 'PutObject', key: 'a/.holdfast/claim' },
      false,
    ],
    [
      'the ownership marker of the bucket',
      'a/',
      { action: 'GetObject', key: '.holdfast/claim' },
      true,
    ],
    ['versions below the prefix', 'a/', { action: 'ListBucketVersions', prefix: 'a/x' }, true],
    ['versions of the whole bucket', 'a/', { action: 'ListBucketVersions', prefix: '' }, false],
    [
      'versions of the whole bucket without a prefix',
      '',
      { action: 'ListBucketVersions', prefix: '' },
      true,
    ],
    ['a prefix with a wildcard', 'a*/', { action: 'PutObject', key: 'a*/x' }, true],
    [
      'a key that the wildcard of the prefix would match',
      'a*/',
      { action: 'PutObject', key: 'ab/x' },
      false,
    ],
    ['deleting the bucket', '', { action: 'DeleteBucket' }, false],
    ['removing governance locks', '', { action: 'BypassGovernanceRetention', key: 'x' }, false],
  ])('the IAM policy decides about %s, prefix "%s"', (_what, prefix, needed, allowed) => {
    expect(evaluatorOf('backup', prefix)(needed)).toBe(allowed);
  });

  it('the resources of the IAM policy name the AWS partition of the region', () => {
    const resourceIn = (region: string) =>
      iamPolicy({ bucket: 'b', prefix: '', region }).Statement[0]?.Resource;
    expect(resourceIn('eu-central-1')).toBe('arn:aws:s3:::b');
    expect(resourceIn('cn-north-1')).toBe('arn:aws-cn:s3:::b');
    expect(resourceIn('us-gov-west-1')).toBe('arn:aws-us-gov:s3:::b');
  });
});
