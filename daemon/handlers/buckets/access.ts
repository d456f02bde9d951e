/** Implements the control methods for ACLs and bucket policies. */

import { defined } from '../../../src/base/defined.ts';
import type { Grantees } from '../../../src/base/grantees.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type {
  AccessControlList,
  AclRequest,
  EmailGrant,
} from '../../../src/object-store/access.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type { Grant } from '../../../src/object-store/rules/access/acl.ts';
import { type CannedAcl, CANNED_ACLS } from '../../../src/object-store/rules/access/canned-acl.ts';
import { checkPolicy } from './check-policy.ts';
import type { TargetHandlers } from './at-target.ts';
import { removeSetting } from './remove-setting.ts';

type AccessMethod =
  | 'acl.get'
  | 'acl.set'
  | 'acl.change'
  | 'policy.get'
  | 'policy.set'
  | 'policy.remove'
  | 'policy.check'
  | `publicAccess.${'get' | 'set' | 'remove'}`;

export function accessHandlers(grantees: Grantees): TargetHandlers<AccessMethod> {
  return {
    'acl.get': async (object, { signal, store }) => aclResult(await getAcl(store, object, signal)),
    'acl.set': async ({ canned, grants, ...object }, { signal, store }) => {
      const { owner } = await getAcl(store, object, signal);
      await putAcl(store, object, requestOf(owner, canned, grants), signal);
      return aclResult(await getAcl(store, object, signal));
    },
    'acl.change': async ({ grant, revoke, strict, ...named }, { signal, store, target }) => {
      const known = target ? strangers(target.name) : grantees;
      const object = await pinned(store, named, signal);
      const before = await getAcl(store, object, signal);
      const gone = revoke.map((each) => grantOf(each, known));
      const missing = gone.find((each) => !before.grants.some((one) => isSame(one, each)));
      if (missing && strict) throw notGranted(missing);
      const kept = before.grants.filter((one) => !gone.some((each) => isSame(one, each)));
      const added = grant
        .map((each) => grantOf(each, known))
        .filter((each) => !kept.some((one) => isSame(one, each)));
      await putAcl(store, object, { owner: before.owner, grants: [...kept, ...added] }, signal);
      return aclResult(await getAcl(store, object, signal));
    },
    'policy.get': async ({ bucket }, { signal, store }) => ({
      policy: await store.getBucketPolicy({ bucket }, { signal }),
    }),
    'policy.set': async ({ bucket, policy }, { signal, store }) => {
      await store.putBucketPolicy({ bucket, policy }, { signal });
      return {};
    },
    'policy.remove': ({ bucket }, { signal, store }) =>
      removeSetting({
        absent: 'NoSuchBucketPolicy',
        read: () => store.getBucketPolicy({ bucket }, { signal }),
        remove: () => store.deleteBucketPolicy({ bucket }, { signal }),
      }),
    'publicAccess.get': ({ bucket }, { signal, store }) =>
      store.getPublicAccessBlock({ bucket }, { signal }),
    'publicAccess.set': async ({ bucket, ...asked }, { signal, store }) => {
      const { blockPublicAcls, ignorePublicAcls, blockPublicPolicy, restrictPublicBuckets } = asked;
      const block = { blockPublicAcls, ignorePublicAcls, blockPublicPolicy, restrictPublicBuckets };
      await store.putPublicAccessBlock({ bucket, block }, { signal });
      return {};
    },
    'publicAccess.remove': ({ bucket }, { signal, store }) =>
      removeSetting({
        absent: 'NoSuchPublicAccessBlockConfiguration',
        read: () => store.getPublicAccessBlock({ bucket }, { signal }),
        remove: () => store.deletePublicAccessBlock({ bucket }, { signal }),
      }),
    'policy.check': async ({ bucket, policy }, { signal, store }) => {
      const text = policy ?? (await store.getBucketPolicy({ bucket }, { signal }));
      return checkPolicy(text, bucket, grantees);
    },
  };
}

type AclPlace = Pick<Params<'acl.get'>, 'bucket' | 'key' | 'versionId'>;
type AskedGrant = Params<'acl.change'>['grant'][number];

/**
 * Adds the ID of the current version to a request. So an ACL that was read from one version is not written to a newer
 * version.
 */
async function pinned(store: ObjectStore, place: AclPlace, signal: AbortSignal): Promise<AclPlace> {
  const { bucket, key, versionId } = place;
  if (key === undefined || versionId !== undefined) return place;
  // Listing versions also works for an object that is encrypted with a customer-provided key. A HEAD request would need
  // the key.
  const page = await store.listVersions({ bucket, prefix: key, maxKeys: 1 }, { signal });
  const current = page.versions.find((each) => each.key === key && each.kind === 'version');
  return { bucket, key, versionId: current?.versionId };
}

function getAcl(
  store: ObjectStore,
  { bucket, key, versionId }: AclPlace,
  signal: AbortSignal,
): Promise<AccessControlList> {
  if (key === undefined) return store.getBucketAcl({ bucket }, { signal });
  return store.getObjectAcl({ bucket, key, ...defined({ versionId }) }, { signal });
}

function putAcl(
  store: ObjectStore,
  { bucket, key, versionId }: AclPlace,
  acl: AclRequest,
  signal: AbortSignal,
): Promise<void> {
  if (key === undefined) return store.putBucketAcl({ bucket, acl }, { signal });
  return store.putObjectAcl({ bucket, key, ...defined({ versionId }), acl }, { signal });
}

/**
 * Returns the request for a canned ACL or for grants. The grants include full control for the owner, because other
 * tools read from the ACL who has full control. Throws ControlError `BadRequest`.
 */
function requestOf(
  owner: string,
  canned: string | undefined,
  grants: readonly AskedGrant[] | undefined,
): AclRequest {
  if (canned !== undefined && grants === undefined && isCanned(canned)) return { canned };
  if (canned === undefined && grants !== undefined) {
    const own: Grant = { grantee: owner, permission: 'FULL_CONTROL' };
    return { owner, grants: [own, ...grants.map(askedGrant)] };
  }
  throw new ControlError(
    'BadRequest',
    `cannot set the ACL: it needs either grants or a canned ACL (${CANNED_ACLS.join(', ')})`,
  );
}

function isCanned(name: string): name is CannedAcl {
  return (CANNED_ACLS as readonly string[]).includes(name);
}

/**
 * Converts a grant of a request. Throws ControlError `BadRequest` unless it contains exactly one grantee or email
 * address.
 */
function askedGrant({ grantee, emailAddress, permission }: AskedGrant): EmailGrant | Grant {
  if (grantee !== undefined && emailAddress === undefined) return { grantee, permission };
  if (emailAddress !== undefined && grantee === undefined) return { emailAddress, permission };
  throw new ControlError(
    'BadRequest',
    'invalid grant: it must name either a grantee or an email address',
  );
}

/**
 * Returns a lookup that finds no grantee by email address, because only the remote service knows its users' addresses.
 */
function strangers(target: string): Pick<Grantees, 'findByEmail'> {
  return {
    findByEmail(email) {
      throw new ControlError(
        'BadRequest',
        `cannot find ${email} at ${target}: name the grantee by its ID`,
      );
    },
  };
}

/**
 * Converts a grant of a request to a grant by ID, so that it can be compared with existing grants. Throws ControlError
 * `NotFound` if no project has the email address.
 */
function grantOf(asked: AskedGrant, grantees: Pick<Grantees, 'findByEmail'>): Grant {
  const grant = askedGrant(asked);
  if (!('emailAddress' in grant)) return grant;
  const grantee = grantees.findByEmail(grant.emailAddress);
  if (grantee !== undefined) return { grantee, permission: grant.permission };
  throw new ControlError('NotFound', `no project has the email address ${grant.emailAddress}`, {
    hint: 'to list the projects: holdfast admin projects list',
  });
}

function isSame(one: Grant, other: Grant): boolean {
  return one.grantee === other.grantee && one.permission === other.permission;
}

function notGranted({ grantee, permission }: Grant): ControlError {
  const message = `cannot revoke ${permission} from ${grantee}: it was not granted`;
  return new ControlError('NotFound', message, {
    hint: 'to list the grants: holdfast s3 acl get',
  });
}

function aclResult({ owner, grants }: AccessControlList): Result<'acl.get'> {
  return { owner, grants: [...grants] };
}
