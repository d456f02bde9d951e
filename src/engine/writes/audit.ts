/**
 * Selects the fields of audit log lines. A command that requests a bypass of retention, or changes legal holds, default
 * retentions or the permissions of a bucket, writes a line after its commit: the caller, its address, and the bucket or
 * object (security E.5). This includes callers with full privileges.
 */

import type { LogFields } from '../../base/logger.ts';
import { principalId } from '../../base/principal.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { CommandName, Commands } from './commands/commands.ts';

type Audited = {
  readonly [Name in CommandName]?: (request: Commands[Name]['request']) => LogFields | undefined;
};

/**
 * Functions that return the fields of each audited command. The log omits ACLs and policies, which can have 20 KB and are
 * in the store.
 */
const AUDITED: Audited = {
  deleteObject: ({ bucket, key, versionId, bypassGovernance }) =>
    bypassGovernance && versionId !== undefined
      ? { bucket, key, versionId, bypassGovernance }
      : undefined,
  putRetention: ({ bucket, key, versionId, retention, bypassGovernance }) =>
    bypassGovernance ? { bucket, key, versionId, retention, bypassGovernance } : undefined,
  putLegalHold: ({ bucket, key, versionId, legalHold }) => ({ bucket, key, versionId, legalHold }),
  putLockConfiguration: ({ bucket, defaultRetention }) => ({ bucket, defaultRetention }),
  putBucketAcl: ({ bucket }) => ({ bucket }),
  putBucketPolicy: ({ bucket, policy }) => ({ bucket, removed: policy === undefined }),
  putPublicAccessBlock: ({ bucket, block }) => ({ bucket, block }),
};

/** Returns the fields of the audit line, or undefined for a command that is not audited. */
export function auditFields<Name extends CommandName>(
  name: Name,
  request: Commands[Name]['request'],
  { principal, sourceIp, authType }: Caller,
): LogFields | undefined {
  const about = AUDITED[name]?.(request);
  if (about === undefined) return undefined;
  const by = principal.kind === 'user' ? principalId(principal) : principal.kind;
  return { ...about, by, sourceIp, authType };
}
