/**
 * Declares which acts write a line to the audit log, and writes these lines: changes of permissions, users, keys and
 * ownership, and changes that weaken locks (security E.5). Acts of callers with full privileges are included.
 */

import type { LogFields, Logger } from './logger.ts';
import { ownMember } from './own-member.ts';

/** Returns the fields of the line about a request, or undefined if the request is not audited. */
type Audited = (request: LogFields) => LogFields | undefined;

/**
 * The acts: commands of the embedded store, whichever client sends them, and methods of the control protocol. Lines
 * contain no secrets, and no ACLs and policies, which can have 20 KB and are in the store.
 */
export const AUDITED: Readonly<Record<string, Audited>> = {
  deleteObject: (request) =>
    request['versionId'] === undefined
      ? undefined
      : bypassing('bucket', 'key', 'versionId')(request),
  putRetention: bypassing('bucket', 'key', 'versionId', 'retention'),
  putLegalHold: only('bucket', 'key', 'versionId', 'legalHold'),
  putLockConfiguration: only('bucket', 'defaultRetention'),
  putBucketAcl: only('bucket'),
  putObjectAcl: only('bucket', 'key', 'versionId'),
  putBucketPolicy: ({ bucket, policy }) => ({ bucket, removed: policy === undefined }),
  putPublicAccessBlock: only('bucket', 'block'),

  'acl.change': atTarget('bucket', 'key', 'versionId', 'grant', 'revoke'),
  'acl.set': atTarget('bucket', 'key', 'versionId', 'canned', 'grants'),
  'policy.remove': atTarget('bucket'),
  'policy.set': atTarget('bucket'),
  'publicAccess.remove': atTarget('bucket'),
  'publicAccess.set': atTarget(
    'bucket',
    'blockPublicAcls',
    'ignorePublicAcls',
    'blockPublicPolicy',
    'restrictPublicBuckets',
  ),

  'hold.set': changedAtTarget('bucket', 'key', 'versionId', 'legalHold'),
  'locks.set': atTarget('bucket', 'defaultRetention'),
  'objects.delete': bypassingAtTarget('bucket', 'key', 'versionId'),
  // The line has the number of versions, because there can be 1000.
  'objects.deleteMany': (request) => {
    const fields = bypassingAtTarget('bucket')(request);
    const { objects } = request;
    return fields && { ...fields, objects: Array.isArray(objects) ? objects.length : undefined };
  },
  'retention.set': bypassingAtTarget('bucket', 'key', 'versionId', 'retention'),

  'groups.add': only('group', 'project', 'customer', 'fullAccess'),
  'groups.grant': only('group', 'project', 'customer', 'fullAccess'),
  'groups.remove': only('group', 'project', 'customer'),
  'groups.setMember': only('group', 'project', 'customer', 'user', 'member'),
  'jobs.add': (request) =>
    request['takeOver'] === true
      ? only('folder', 'target', 'bucket', 'prefix', 'takeOver')(request)
      : undefined,
  'jobs.takeOver': only('name'),
  'keys.add': only('user', 'project', 'customer'),
  'keys.remove': only('accessKeyId'),
  'keys.rotate': only('accessKeyId', 'graceMs'),
  'projects.add': only('project', 'customer', 'email', 'again'),
  'projects.remove': only('project', 'customer'),
  'projects.setEmail': only('project', 'customer', 'email'),
  'users.add': only('user', 'project', 'customer', 'fullAccess', 'again'),
  'users.disable': only('user', 'project', 'customer', 'disabled'),
  'users.grant': only('user', 'project', 'customer', 'fullAccess'),
  'users.remove': only('user', 'project', 'customer'),
};

/** The line contains these members of the request. */
function only(...names: readonly string[]): Audited {
  return (request) => Object.fromEntries(names.map((name) => [name, request[name]]));
}

/** Only requests that ask for a bypass of retention are audited. */
function bypassing(...names: readonly string[]): Audited {
  const fields = only(...names, 'bypassGovernance');
  return (request) => (request['bypassGovernance'] === true ? fields(request) : undefined);
}

/** Only requests to a target are audited, because the embedded store audits its own command. */
function atTarget(...names: readonly string[]): Audited {
  const fields = only('target', ...names);
  return (request) => (request['target'] === undefined ? undefined : fields(request));
}

/** As `atTarget`, without requests that only check whether the change is possible. */
function changedAtTarget(...names: readonly string[]): Audited {
  const fields = atTarget(...names);
  return (request) => (request['dryRun'] === true ? undefined : fields(request));
}

/** Only requests to a target that ask for a bypass of retention are audited. */
function bypassingAtTarget(...names: readonly string[]): Audited {
  const fields = changedAtTarget(...names, 'bypassGovernance');
  return (request) => (request['bypassGovernance'] === true ? fields(request) : undefined);
}

/** Writes the line about an act after it has succeeded, unless it is not audited. `by` returns what identifies the caller. */
export function audit(
  logger: Logger,
  act: string,
  { request, by }: { readonly request: object; readonly by: () => LogFields },
): void {
  const fields = ownMember(AUDITED, act)?.(request as LogFields);
  if (fields) logger.info({ ...fields, ...by() }, `${act}: done`);
}
