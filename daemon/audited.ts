/** What leaves a line in the log when it was done: who may do what, so that it can be looked up when something went wrong. */

import type { LogFields } from '../src/base/logger.ts';
import type { MethodName } from '../src/control/messages.ts';

const AUDITED: ReadonlySet<MethodName> = new Set([
  'acl.change',
  'acl.set',
  'groups.add',
  'groups.grant',
  'groups.remove',
  'groups.setMember',
  'jobs.takeOver',
  'keys.add',
  'keys.remove',
  'keys.rotate',
  'policy.remove',
  'policy.set',
  'projects.add',
  'projects.remove',
  'projects.setEmail',
  'publicAccess.remove',
  'publicAccess.set',
  'users.add',
  'users.disable',
  'users.grant',
  'users.remove',
]);

/** The line's fields, or undefined for what leaves none. None of these methods is given a secret. */
export function auditFields(method: MethodName, params: object): LogFields | undefined {
  if (!AUDITED.has(method)) return undefined;
  // The document is in the store: the log is not the place for 20 KB of it.
  const { policy: _, ...rest } = params as LogFields;
  return { method, ...rest };
}
