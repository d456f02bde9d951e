/**
 * Defines which operations are recorded in the audit log, and records them. These are changes of permissions, users,
 * keys and ownership, and changes that weaken locks (security E.5). They are recorded even if the caller has full
 * access.
 */

import type { LogFields, Logger } from './logger.ts';
import { ownMember } from './own-member.ts';

/** Returns the log fields for a request, or undefined if the request is not audited. */
type Audited = (request: LogFields) => LogFields | undefined;

/**
 * The audited operations: commands of the embedded store, whichever client sends them, and methods of the control
 * protocol. Log lines contain no secrets. They contain no ACLs or policies either, because these can have 20 KB and can
 * be read in the store.
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
  // Log only the number of versions, because a request can contain 1000.
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

/** Audits every request, and logs the named fields of the request. */
function only(...names: readonly string[]): Audited {
  return (request) => Object.fromEntries(names.map((name) => [name, request[name]]));
}

/** Logs the named fields of the request if it bypasses governance retention. Other requests are not audited. */
function bypassing(...names: readonly string[]): Audited {
  const fields = only(...names, 'bypassGovernance');
  return (request) => (request['bypassGovernance'] === true ? fields(request) : undefined);
}

/**
 * Logs a request to a target. A request to the embedded store is not logged here, because the store audits its own
 * command.
 */
function atTarget(...names: readonly string[]): Audited {
  const fields = only('target', ...names);
  return (request) => (request['target'] === undefined ? undefined : fields(request));
}

/** Like `atTarget`, but does not log requests that only check whether the change is possible. */
function changedAtTarget(...names: readonly string[]): Audited {
  const fields = atTarget(...names);
  return (request) => (request['dryRun'] === true ? undefined : fields(request));
}

/** Logs a request to a target if it bypasses governance retention. Other requests are not audited. */
function bypassingAtTarget(...names: readonly string[]): Audited {
  const fields = changedAtTarget(...names, 'bypassGovernance');
  return (request) => (request['bypassGovernance'] === true ? fields(request) : undefined);
}

/**
 * Logs an operation after it has succeeded, if the operation must be audited. `by` returns the fields that identify the
 * caller.
 */
export function audit(
  logger: Logger,
  act: string,
  { request, by }: { readonly request: object; readonly by: () => LogFields },
): void {
  const fields = ownMember(AUDITED, act)?.(request as LogFields);
  if (fields) logger.info({ ...fields, ...by() }, `${act}: done`);
}
