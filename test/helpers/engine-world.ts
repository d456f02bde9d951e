/**
 * Creates the bucket of a random case in the engine. Also decides with the naive evaluator which
 * calls must be allowed.
 */

import type { AclRequest } from '../../src/object-store/access.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { Caller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { Grant } from '../../src/object-store/rules/access/acl.ts';
import { principalOf } from './access-law.ts';
import type { CaseAcl, EngineCall, EngineCase } from './engine-cases.ts';
import {
  grantsOf,
  isPublic,
  mayDo,
  maySeeThatItIsMissing,
  type NaiveBucket,
  type NaiveGrant,
  type NaivePolicy,
} from './naive-access.ts';
import type { NaiveValues } from './naive-conditions.ts';

/** Methods of the engine that the property test uses. A mutated engine has the same methods. */
export interface BoundEngine {
  as(caller: Caller): ObjectStore;
  now(): number;
}

export interface KnownVersion {
  readonly key: string;
  readonly id: string;
  readonly owner: string;
  readonly acl: readonly NaiveGrant[];
  readonly team?: string | undefined;
  readonly retained: boolean;
  readonly isMarker: boolean;
}

/** An action that must be allowed for a call to succeed. */
export interface Check {
  readonly action: string;
  readonly key?: string;
  /**
   * Version that the action reads or changes. Undefined if it does not exist or the call creates
   * it.
   */
  readonly version?: KnownVersion | undefined;
  /** User who started the multipart upload that the call continues. */
  readonly uploader?: string | undefined;
  /**
   * True if the action reads an object. If the object does not exist, a caller with ListBucket
   * permission gets NoSuchKey instead of AccessDenied.
   */
  readonly isRead?: true;
  /** True if the ListBucket permission also allows the action. */
  readonly orList?: true;
  readonly asked?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface World extends EngineCase {
  readonly bucket: string;
  readonly naive: NaiveBucket;
  /** Existing versions, oldest first. */
  readonly versions: readonly KnownVersion[];
  readonly uploadId: string;
  readonly partEtag: string;
  readonly now: number;
}

const DAY_MS = 24 * 3600 * 1000;
export const RETAINED_MS = 30 * DAY_MS;

export async function buildWorld(
  engine: BoundEngine,
  about: EngineCase,
  bucket: string,
): Promise<World> {
  const { owner, locked, versioning } = about;
  const as = (user: string) => engine.as(callerOf({ user, fullAccess: true }, engine.now()));
  const own = as(owner);
  await own.createBucket({
    bucket,
    objectLockEnabled: locked,
    acl: { canned: 'public-read-write' },
  });
  const versions: KnownVersion[] = [];
  for (const [index, put] of about.objects.entries()) {
    // The test enables versioning after the first PUT, so that the first version is a null version.
    if (index === 1 && versioning && !locked)
      await own.putVersioning({ bucket, versioning: 'Enabled' });
    const retained = put.retained && locked && projectOf(put.by) === projectOf(owner);
    const { versionId = 'null' } = await as(put.by).putObject({
      bucket,
      key: put.key,
      body: bytesBody(`${index}`),
      acl: requestOf(put.acl),
      tags: put.team === undefined ? [] : [{ key: 'team', value: put.team }],
      ...(retained && {
        lock: {
          retention: { mode: 'GOVERNANCE' as const, retainUntil: engine.now() + RETAINED_MS },
        },
      }),
    });
    const replaced = versions.findIndex(
      ({ key, id }) => key === put.key && id === 'null' && versionId === 'null',
    );
    if (replaced >= 0) versions.splice(replaced, 1);
    versions.push({
      key: put.key,
      id: versionId,
      owner: put.by,
      acl: knownGrants(put.acl, owner),
      team: put.team,
      retained,
      isMarker: false,
    });
  }
  const isVersioned = locked || versioning !== undefined;
  const last = versions.at(-1)!;
  if (about.marked && isVersioned) {
    const { versionId = 'null' } = await as(last.owner).deleteObject({ bucket, key: last.key });
    versions.push({
      key: last.key,
      id: versionId,
      owner: last.owner,
      acl: [],
      retained: false,
      isMarker: true,
    });
  }
  if (versioning === 'Suspended' && !locked) await own.putVersioning({ bucket, versioning });
  const upload = { bucket, key: 'a' };
  const { uploadId } = await as(about.uploader).createUpload(upload);
  const part = await as(about.uploader).uploadPart({
    ...upload,
    uploadId,
    partNumber: 1,
    body: bytesBody('part'),
  });
  await own.putBucketAcl({ bucket, acl: requestOf(about.bucketAcl) });
  // The test sets the public access block before the policy, because the policy may deny later
  // calls even to the owner.
  await own.putPublicAccessBlock({ bucket, block: about.block });
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: about.statements })
    .replaceAll(':::box', `:::${bucket}`)
    .replaceAll('@id', versions[0]!.id);
  const document = JSON.parse(policy) as NaivePolicy;
  const isRefused = about.block.blockPublicPolicy && isPublic(document);
  const first = about.isSecondPolicy
    ? (JSON.parse(allowingProjects(bucket)) as NaivePolicy)
    : undefined;
  const isPut = about.statements.length > 0 && !isRefused;
  if (about.isSecondPolicy) {
    await own.putBucketPolicy({ bucket, policy: allowingProjects(bucket) });
    await own.headBucket({ bucket });
  }
  if (about.statements.length > 0) {
    const put = own.putBucketPolicy({ bucket, policy }).then(
      () => 'done',
      (error: Error) => error,
    );
    if (((await put) === 'done') === isRefused)
      throw new Error(`put policy ${policy}: naively ${isRefused ? 'refused' : 'taken'}`);
  }
  return {
    ...about,
    bucket,
    versions,
    uploadId,
    partEtag: part.etag,
    now: engine.now(),
    naive: {
      name: bucket,
      owner,
      acl: knownGrants(about.bucketAcl),
      policy: isPut ? document : first,
      ignorePublicAcls: about.block.ignorePublicAcls,
      restrictPublicBuckets: about.block.restrictPublicBuckets,
    },
  };
}

const allowingProjects = (bucket: string) =>
  JSON.stringify({
    Statement: {
      Effect: 'Allow',
      Principal: { AWS: ['p1@c1', 'p2@c1'] },
      Action: 's3:*',
      Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
    },
  });

const requestOf = (acl: CaseAcl): AclRequest =>
  typeof acl === 'string' ? { canned: acl } : { grants: acl as readonly Grant[] };
const knownGrants = (acl: CaseAcl, bucketOwner?: string) =>
  typeof acl === 'string' ? grantsOf(acl, bucketOwner) : acl;

export const projectOf = (user: string) => user.replace(/:.*@/, '@');

export function callerOf(
  {
    user,
    fullAccess,
    sourceIp = '127.0.0.1',
    secure = true,
  }: Pick<EngineCall, 'fullAccess' | 'user'> & Partial<EngineCall>,
  now: number,
): Caller {
  return {
    principal: principalOf(user, fullAccess),
    sourceIp,
    secure,
    userAgent: '',
    authType: user === undefined ? 'anonymous' : 'header',
    signedAt: now,
  };
}

export function latest({ versions }: World, key: string): KnownVersion | undefined {
  return versions.findLast((version) => version.key === key);
}

export function allows(world: World, call: EngineCall, check: Check): boolean {
  const { action, key, version, uploader, isRead, orList } = check;
  const request = { user: call.user, action, values: valuesOf(world, call, check) };
  // For a request without a version id, the engine treats a delete marker as a missing object.
  const there = version?.isMarker && !action.includes('Version') ? undefined : version;
  const owner = uploader ?? there?.owner;
  const object = key === undefined ? undefined : { key, owner, acl: there?.acl ?? [] };
  if (isRead && key !== undefined && owner === undefined)
    return maySeeThatItIsMissing(request, world.naive, key);
  const { allowed, reason } = mayDo(request, world.naive, object);
  if (orList && reason === 'nothing')
    return mayDo({ ...request, action: 'ListBucket' }, world.naive, undefined).allowed;
  return allowed;
}

function valuesOf(world: World, call: EngineCall, { version, asked = {} }: Check): NaiveValues {
  const { user, sourceIp, secure } = call;
  const all: Record<string, string | readonly string[] | undefined> = {
    ...asked,
    'aws:username': user && /:(.*)@/.exec(user)?.[1],
    'aws:userid': user,
    'aws:principalarn': user && `arn:aws:iam:::user/${user}`,
    'aws:principaltype': user === undefined ? 'Anonymous' : 'User',
    'aws:sourceip': sourceIp,
    'aws:securetransport': String(secure),
    'aws:currenttime': new Date(world.now).toISOString(),
    'aws:epochtime': String(Math.floor(world.now / 1000)),
    's3:existingobjecttag/team': version?.team,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([key, value]) => [key, [value].flat() as string[]]));
}
