/**
 * Describes each kind of `ObjectStore` call: how to perform it, and which actions the caller must
 * be allowed to perform (semantics B.6).
 */

import { bytesBody } from '../../src/object-store/body.ts';
import type { AclRequest } from '../../src/object-store/access.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { CannedAcl } from '../../src/object-store/rules/access/canned-acl.ts';
import { bulkStore } from './bulk-store.ts';
import type { EngineCall } from './engine-cases.ts';
import {
  allows,
  type Check,
  type KnownVersion,
  latest,
  projectOf,
  RETAINED_MS,
  type World,
} from './engine-world.ts';

export interface PlannedCall {
  /** Authorization checks of the call. The call is allowed if all of them pass. */
  readonly checks: readonly Check[];
  readonly run: (store: ObjectStore) => Promise<unknown>;
  /**
   * True if Object Lock or the public access block denies the call, whatever the policies and ACLs
   * allow.
   */
  readonly refusedAnyway?: boolean;
  /** True if the object or version of the call does not exist. */
  readonly missing?: boolean;
}

interface CallRule {
  /** Names of actions that random policy statements use for this kind of call. */
  readonly actions: readonly string[];
  readonly onBucket?: true;
  readonly plan: (world: World, call: EngineCall) => PlannedCall;
}

/** Grantees in ACLs that are lists of grants instead of canned ACLs. */
const GRANTEES: Readonly<Record<string, string>> = { everyone: 'AllUsers', project: 'p2@c1' };

function aclOf({ acl = 'private' }: EngineCall): AclRequest {
  const grantee = GRANTEES[acl];
  return grantee === undefined
    ? { canned: acl as CannedAcl }
    : { grants: [{ grantee, permission: 'READ' }] };
}

const isPublic = ({ acl = 'private' }: EngineCall) => acl !== 'private' && acl !== 'project';
const tagsOf = ({ team }: EngineCall) =>
  team === undefined ? undefined : [{ key: 'team', value: team }];

type Asked = NonNullable<Check['asked']>;

function askedOfAcl({ acl }: EngineCall): Asked {
  const grantee = GRANTEES[acl ?? ''];
  return grantee === undefined
    ? { 's3:x-amz-acl': acl }
    : { 's3:x-amz-grant-read': `id=${grantee}` };
}
const askedOfTeam = (team: string | undefined): Asked =>
  team === undefined
    ? {}
    : { 's3:requestobjecttag/team': team, 's3:requestobjecttagkeys': ['team'] };

function lockOf({ retention, legalHold }: EngineCall, { now }: World) {
  return {
    ...(retention && {
      retention: { mode: 'GOVERNANCE' as const, retainUntil: now + RETAINED_MS / 2 },
    }),
    ...(legalHold !== undefined && { legalHold }),
  };
}

const askedOfRetention = (days: number): Asked => ({
  's3:object-lock-mode': 'GOVERNANCE',
  's3:object-lock-remaining-retention-days': String(days),
});
const askedOfHold = (on: boolean | undefined): Asked => ({
  's3:object-lock-legal-hold': on === undefined ? undefined : on ? 'ON' : 'OFF',
});
const askedOfLock = ({ retention, legalHold }: EngineCall): Asked => ({
  ...(retention ? askedOfRetention(15) : {}),
  ...askedOfHold(legalHold),
});

/**
 * Returns true if the caller has full access and belongs to the bucket's project (Authentication
 * 7).
 */
const hasFullAccess = ({ owner }: World, { user, fullAccess }: EngineCall) =>
  fullAccess && user !== undefined && projectOf(user) === projectOf(owner);

interface Place {
  readonly key: string;
  readonly version: EngineCall['version'];
}

/** Returns the key and version id for a call, and the version that they refer to if it exists. */
function find(world: World, { key, version: place }: Place) {
  const { bucket, versions } = world;
  const known = versions.filter((each) => each.key === key);
  const other = versions.find((each) => each.key !== key && each.id !== 'null');
  const id = place === 'other' ? other?.id : place === undefined ? undefined : known[place]?.id;
  if (id === undefined)
    return { ref: { bucket, key }, suffix: '', version: latest(world, key), asked: {} };
  return {
    ref: { bucket, key, versionId: id },
    suffix: 'Version',
    version: known.find((each) => each.id === id),
    asked: { 's3:versionid': id },
  };
}

/** Creates the rule for calls that read or change one version of an object and need one action. */
function onVersion(
  name: (version: string) => string,
  act: (
    store: ObjectStore,
    ref: { bucket: string; key: string; versionId?: string },
    call: EngineCall,
    world: World,
  ) => Promise<unknown>,
  more: (
    call: EngineCall,
    world: World,
    version: KnownVersion | undefined,
  ) => { asked?: Asked; refusedAnyway?: boolean } = () => ({}),
): CallRule {
  return {
    actions: [name(''), name('Version')],
    plan: (world, call) => {
      const { ref, suffix, version, asked } = find(world, call);
      const { asked: others = {}, refusedAnyway = false } = more(call, world, version);
      const check: Check = {
        action: name(suffix),
        key: call.key,
        version,
        isRead: true,
        asked: { ...asked, ...others },
      };
      const missing = version === undefined || version.isMarker;
      return {
        checks: [check],
        refusedAnyway: refusedAnyway && !missing,
        missing,
        run: (store) => act(store, ref, call, world),
      };
    },
  };
}

function onBucket(
  action: string,
  act: (
    store: ObjectStore,
    bucket: { bucket: string },
    call: EngineCall,
    world: World,
  ) => Promise<unknown>,
  more: (
    call: EngineCall,
    world: World,
  ) => Partial<Check> & { refusedAnyway?: boolean } = () => ({}),
): CallRule {
  return {
    actions: [action],
    onBucket: true,
    plan: (world, call) => {
      const { refusedAnyway = false, ...about } = more(call, world);
      return {
        checks: [{ action, ...about }],
        refusedAnyway,
        run: (store) => act(store, { bucket: world.bucket }, call, world),
      };
    },
  };
}

const WRITES = [
  'PutObject',
  'PutObjectAcl',
  'PutObjectTagging',
  'PutObjectRetention',
  'PutObjectLegalHold',
];

/**
 * Returns the authorization checks for writing an object. `others` are condition values other than
 * the ACL, tags and lock.
 */
function checksOfWrite(world: World, call: EngineCall, others: Asked = {}): Check[] {
  const { key, acl, team, retention, legalHold } = call;
  const asked = { ...others, ...askedOfAcl(call), ...askedOfTeam(team), ...askedOfLock(call) };
  const brings = (given: boolean, action: string): Check[] =>
    given ? [{ action, key, asked }] : [];
  return [
    { action: 'PutObject', key, version: latest(world, key), asked },
    ...brings(acl !== undefined && acl !== 'private', 'PutObjectAcl'),
    ...brings(team !== undefined, 'PutObjectTagging'),
    ...brings(retention, 'PutObjectRetention'),
    ...brings(legalHold !== undefined, 'PutObjectLegalHold'),
  ];
}

/** Returns true if Object Lock or the public access block refuses a write with these headers. */
function refusesWrite(world: World, call: EngineCall): boolean {
  const holds = world.locked && call.legalHold === true && !hasFullAccess(world, call);
  // The engine refuses lock headers in a bucket without Object Lock before it checks the ACL.
  const isLocking = !world.locked && (call.retention || call.legalHold !== undefined);
  return holds || (!isLocking && isPublic(call) && world.block.blockPublicAcls);
}

function written(call: EngineCall, world: World) {
  const [tags, lock] = [tagsOf(call), lockOf(call, world)];
  return {
    bucket: world.bucket,
    key: call.key,
    ...(call.acl !== undefined && { acl: aclOf(call) }),
    ...(tags && { tags }),
    ...(Object.keys(lock).length > 0 && { lock }),
  };
}

function removal(
  world: World,
  call: EngineCall,
): Omit<PlannedCall, 'run'> & { ref: { bucket: string; key: string; versionId?: string } } {
  const { ref, suffix, version, asked } = find(world, call);
  const about = { key: call.key, version, asked };
  const bypasses =
    call.bypass &&
    hasFullAccess(world, call) &&
    allows(world, call, { ...about, action: 'BypassGovernanceRetention', isRead: true });
  const refusedAnyway = suffix !== '' && version?.retained === true && !bypasses;
  const checks = [{ ...about, action: suffix === '' ? 'DeleteObject' : 'DeleteObjectVersion' }];
  // A delete in a bucket with suspended versioning permanently removes the null version, even if
  // that version is not current.
  const lost = world.versions.find(({ key, id }) => key === call.key && id === 'null');
  const isSuspended = world.versioning === 'Suspended' && !world.locked;
  if (suffix === '' && isSuspended && lost)
    checks.push({ ...about, version: lost, action: 'DeleteObject' });
  return { ref, checks, refusedAnyway };
}

const listed = ({ prefix, max }: EngineCall) => ({
  ...(prefix !== undefined && { prefix }),
  ...(max !== undefined && { maxKeys: max }),
});
const askedOfList = ({ prefix, max }: EngineCall): Partial<Check> => ({
  asked: { 's3:prefix': prefix ?? '', 's3:max-keys': max === undefined ? undefined : String(max) },
});

/**
 * Creates a rule for calls on the multipart upload of key `a`, which exists in every test bucket.
 */
const onUpload = (
  action: string,
  act: (
    store: ObjectStore,
    ref: { bucket: string; key: string; uploadId: string },
    world: World,
  ) => Promise<unknown>,
): CallRule => ({
  actions: [action],
  plan: (world) => {
    const { bucket, uploadId, uploader } = world;
    const about: Check =
      action === 'PutObject'
        ? { action, key: 'a', version: latest(world, 'a') }
        : { action, key: 'a', uploader };
    return { checks: [about], run: (store) => act(store, { bucket, key: 'a', uploadId }, world) };
  },
});

const part = (world: World) => ({ partNumber: 1, etag: world.partEtag });

export const CALLS: Readonly<Record<string, CallRule>> = {
  get: onVersion(
    (version) => `GetObject${version}`,
    async (store, ref) => {
      for await (const _chunk of (await store.getObject(ref)).body);
    },
  ),
  head: onVersion(
    (version) => `GetObject${version}`,
    (store, ref) => store.headObject(ref),
  ),
  attributes: {
    actions: ['GetObject', 'GetObjectAttributes', 'GetObjectVersion', 'GetObjectVersionAttributes'],
    plan: (world, call) => {
      const { ref, suffix, version, asked } = find(world, call);
      const about = { key: call.key, version, asked, isRead: true } as const;
      const read: Check = { ...about, action: `GetObject${suffix}` };
      const missing = version === undefined || version.isMarker;
      return {
        // A call on a missing object needs no second permission.
        checks: missing ? [read] : [read, { ...about, action: `GetObject${suffix}Attributes` }],
        missing,
        run: (store) => store.getObjectAttributes({ ...ref, wanted: ['ETag'] }),
      };
    },
  },
  put: {
    actions: WRITES,
    plan: (world, call) => ({
      checks: checksOfWrite(world, call),
      refusedAnyway: refusesWrite(world, call),
      run: (store) => store.putObject({ ...written(call, world), body: bytesBody('new') }),
    }),
  },
  putInBulk: {
    actions: WRITES,
    plan: (world, call) => ({
      checks: checksOfWrite(world, call),
      refusedAnyway: refusesWrite(world, call),
      run: (store) =>
        bulkStore(store).putObject({ ...written(call, world), body: bytesBody('new') }),
    }),
  },
  createUpload: {
    actions: WRITES,
    plan: (world, call) => ({
      checks: checksOfWrite(world, call),
      refusedAnyway: refusesWrite(world, call),
      run: (store) => store.createUpload(written(call, world)),
    }),
  },
  copy: {
    actions: [
      'GetObject',
      'GetObjectVersion',
      'GetObjectTagging',
      'GetObjectVersionTagging',
      ...WRITES,
    ],
    plan: (world, call) => {
      const { ref, suffix, version, asked } = find(world, call.source);
      const from = { key: call.source.key, version, asked, isRead: true } as const;
      const writes = checksOfWrite(world, call, {
        's3:x-amz-copy-source': `${world.bucket}/${call.source.key}`,
        's3:x-amz-metadata-directive': call.replaces ? 'REPLACE' : 'COPY',
      });
      const missing = version === undefined || version.isMarker;
      const copiesTags = !missing && call.team === undefined && version.team !== undefined;
      const ontoItself = suffix === '' && call.key === call.source.key && !call.replaces;
      return {
        checks: [
          { ...from, action: `GetObject${suffix}` },
          ...(missing ? [] : writes),
          ...(copiesTags
            ? [
                { ...from, action: `GetObject${suffix}Tagging` },
                { action: 'PutObjectTagging', key: call.key, asked: askedOfTeam(version.team) },
              ]
            : []),
        ],
        refusedAnyway: !missing && !ontoItself && refusesWrite(world, call),
        run: (store) =>
          store.copyObject({
            ...written(call, world),
            source: ref,
            ...(call.replaces && { attributes: {} }),
          }),
      };
    },
  },
  copyPart: {
    actions: ['GetObject', 'GetObjectVersion', 'PutObject'],
    plan: (world, call) => {
      const { ref, suffix, version, asked } = find(world, call.source);
      const from: Check = {
        action: `GetObject${suffix}`,
        key: call.source.key,
        version,
        asked,
        isRead: true,
      };
      const missing = version === undefined || version.isMarker;
      const { bucket, uploadId } = world;
      const to: Check = { action: 'PutObject', key: 'a', version: latest(world, 'a') };
      return {
        checks: missing ? [from] : [from, to],
        run: (store) => store.copyPart({ bucket, key: 'a', uploadId, partNumber: 2, source: ref }),
      };
    },
  },
  delete: {
    actions: ['DeleteObject', 'DeleteObjectVersion', 'BypassGovernanceRetention'],
    plan: (world, call) => {
      const { ref, ...planned } = removal(world, call);
      return {
        ...planned,
        run: (store) => store.deleteObject({ ...ref, bypassGovernance: call.bypass }),
      };
    },
  },
  deleteMany: {
    actions: ['DeleteObject', 'DeleteObjectVersion', 'BypassGovernanceRetention'],
    plan: (world, call) => {
      const { ref, ...planned } = removal(world, call);
      const { bucket, ...entry } = ref;
      return {
        ...planned,
        run: async (store) => {
          const { failed } = await store.deleteObjects({
            bucket,
            objects: [entry],
            bypassGovernance: call.bypass,
          });
          if (failed[0])
            throw Object.assign(new Error(failed[0].message), { code: failed[0].code });
        },
      };
    },
  },
  getAcl: onVersion(
    (version) => `GetObject${version}Acl`,
    (store, ref) => store.getObjectAcl(ref),
  ),
  putAcl: onVersion(
    (version) => `PutObject${version}Acl`,
    (store, ref, call) => store.putObjectAcl({ ...ref, acl: aclOf(call) }),
    (call, { block }) => ({
      asked: askedOfAcl({ ...call, acl: call.acl ?? 'private' }),
      refusedAnyway: isPublic(call) && block.blockPublicAcls,
    }),
  ),
  getTags: onVersion(
    (version) => `GetObject${version}Tagging`,
    (store, ref) => store.getObjectTags(ref),
  ),
  putTags: onVersion(
    (version) => `PutObject${version}Tagging`,
    (store, ref, call) => store.putObjectTags({ ...ref, tags: tagsOf(call) ?? [] }),
    (call) => ({ asked: askedOfTeam(call.team) }),
  ),
  deleteTags: onVersion(
    (version) => `DeleteObject${version}Tagging`,
    (store, ref) => store.deleteObjectTags(ref),
  ),
  getRetention: withoutVersion('GetObjectRetention', (store, ref) => store.getRetention(ref)),
  getHold: withoutVersion('GetObjectLegalHold', (store, ref) => store.getLegalHold(ref)),
  putRetention: {
    actions: ['PutObjectRetention', 'BypassGovernanceRetention'],
    plan: (world, call) => {
      const { ref, version, asked: named } = find(world, call);
      const about: Omit<Check, 'action'> = {
        key: call.key,
        version,
        isRead: true,
        asked: { ...named, ...askedOfRetention(15) },
      };
      const bypasses =
        call.bypass &&
        hasFullAccess(world, call) &&
        allows(world, call, { ...about, action: 'BypassGovernanceRetention' });
      return {
        checks: [{ ...about, action: 'PutObjectRetention' }],
        // The new retention period is half of the existing period, so that it shortens the
        // retention.
        refusedAnyway: version?.retained === true && !bypasses,
        run: (store) =>
          store.putRetention({
            ...ref,
            retention: { mode: 'GOVERNANCE', retainUntil: world.now + RETAINED_MS / 2 },
            bypassGovernance: call.bypass,
          }),
      };
    },
  },
  putHold: withoutVersion(
    'PutObjectLegalHold',
    (store, ref, call) => store.putLegalHold({ ...ref, legalHold: call.legalHold ?? true }),
    (call, world) => ({
      asked: askedOfHold(call.legalHold ?? true),
      refusedAnyway: world.locked && !hasFullAccess(world, call),
    }),
  ),
  uploadPart: onUpload('PutObject', (store, ref) =>
    store.uploadPart({ ...ref, partNumber: 1, body: bytesBody('again') }),
  ),
  completeUpload: onUpload('PutObject', (store, ref, world) =>
    store.completeUpload({ ...ref, parts: [part(world)] }),
  ),
  abortUpload: onUpload('AbortMultipartUpload', (store, ref) => store.abortUpload(ref)),
  listParts: onUpload('ListMultipartUploadParts', (store, ref) => store.listParts(ref)),
  list: onBucket(
    'ListBucket',
    (store, ref, call) => store.listObjects({ ...ref, ...listed(call) }),
    askedOfList,
  ),
  listVersions: onBucket(
    'ListBucketVersions',
    (store, ref, call) => store.listVersions({ ...ref, ...listed(call) }),
    askedOfList,
  ),
  listUploads: onBucket(
    'ListBucketMultipartUploads',
    (store, ref, { prefix, max }) =>
      store.listUploads({
        ...ref,
        ...(prefix !== undefined && { prefix }),
        ...(max !== undefined && { maxUploads: max }),
      }),
    askedOfList,
  ),
  headBucket: onBucket('ListBucket', (store, ref) => store.headBucket(ref)),
  location: onBucket(
    'GetBucketLocation',
    (store, ref) => store.getBucketLocation(ref),
    () => ({ orList: true }),
  ),
  deleteBucket: onBucket('DeleteBucket', (store, ref) => store.deleteBucket(ref)),
  getBucketAcl: onBucket('GetBucketAcl', (store, ref) => store.getBucketAcl(ref)),
  putBucketAcl: onBucket(
    'PutBucketAcl',
    (store, ref, call) => store.putBucketAcl({ ...ref, acl: aclOf(call) }),
    (call, { block }) => ({
      asked: askedOfAcl({ ...call, acl: call.acl ?? 'private' }),
      refusedAnyway: isPublic(call) && block.blockPublicAcls,
    }),
  ),
  getPolicy: onBucket('GetBucketPolicy', (store, ref) => store.getBucketPolicy(ref)),
  putPolicy: onBucket(
    'PutBucketPolicy',
    (store, ref) =>
      store.putBucketPolicy({
        ...ref,
        policy: JSON.stringify({
          Statement: {
            Effect: 'Allow',
            Principal: '*',
            Action: 's3:GetObject',
            Resource: `arn:aws:s3:::${ref.bucket}/*`,
          },
        }),
      }),
    (_call, { block }) => ({ refusedAnyway: block.blockPublicPolicy }),
  ),
  deletePolicy: onBucket('DeleteBucketPolicy', (store, ref) => store.deleteBucketPolicy(ref)),
  policyStatus: onBucket('GetBucketPolicyStatus', (store, ref) => store.isBucketPublic(ref)),
  getBlock: onBucket('GetBucketPublicAccessBlock', (store, ref) => store.getPublicAccessBlock(ref)),
  deleteBlock: onBucket('PutBucketPublicAccessBlock', (store, ref) =>
    store.deletePublicAccessBlock(ref),
  ),
  putBlock: onBucket('PutBucketPublicAccessBlock', (store, ref, _call, { block }) =>
    store.putPublicAccessBlock({
      ...ref,
      block: { ...block, ignorePublicAcls: !block.ignorePublicAcls },
    }),
  ),
  getVersioning: onBucket('GetBucketVersioning', (store, ref) => store.getVersioning(ref)),
  putVersioning: onBucket('PutBucketVersioning', (store, ref) =>
    store.putVersioning({ ...ref, versioning: 'Enabled' }),
  ),
  getLocking: onBucket('GetBucketObjectLockConfiguration', (store, ref) =>
    store.getObjectLockConfiguration(ref),
  ),
  putLocking: onBucket('PutBucketObjectLockConfiguration', (store, ref) =>
    store.putObjectLockConfiguration({ ...ref, defaultRetention: { mode: 'GOVERNANCE', days: 1 } }),
  ),
  getCors: onBucket('GetBucketCORS', (store, ref) => store.getCors(ref)),
  putCors: onBucket('PutBucketCORS', (store, ref) =>
    store.putCors({ ...ref, rules: [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }] }),
  ),
  deleteCors: onBucket('PutBucketCORS', (store, ref) => store.deleteCors(ref)),
  getWebsite: onBucket('GetBucketWebsite', (store, ref) => store.getWebsite(ref)),
  putWebsite: onBucket('PutBucketWebsite', (store, ref) =>
    store.putWebsite({ ...ref, website: { indexSuffix: 'index.html' } }),
  ),
  deleteWebsite: onBucket('DeleteBucketWebsite', (store, ref) => store.deleteWebsite(ref)),
  getLifecycle: onBucket('GetLifecycleConfiguration', (store, ref) => store.getLifecycle(ref)),
  putLifecycle: onBucket('PutLifecycleConfiguration', (store, ref) =>
    store.putLifecycle({
      ...ref,
      rules: [{ enabled: true, filter: {}, abortUploadsAfterDays: 1 }],
    }),
  ),
  deleteLifecycle: onBucket('PutLifecycleConfiguration', (store, ref) =>
    store.deleteLifecycle(ref),
  ),
  getBucketTags: onBucket('GetBucketTagging', (store, ref) => store.getBucketTags(ref)),
  putBucketTags: onBucket('PutBucketTagging', (store, ref) =>
    store.putBucketTags({ ...ref, tags: [{ key: 'a', value: 'b' }] }),
  ),
  deleteBucketTags: onBucket('PutBucketTagging', (store, ref) => store.deleteBucketTags(ref)),
};

type OnVersion = Parameters<typeof onVersion>;

/** Creates a rule for calls whose action has the same name with and without a version id. */
function withoutVersion(action: string, act: OnVersion[1], more?: OnVersion[2]): CallRule {
  return onVersion(() => action, act, more);
}
