/**
 * What lets a lock give way, and what changes who may do what, leaves a line in the log once it is done: by whom, from where
 * and to what (security E.5). Whoever may do all of it in the store must still be seen to have done it.
 */

import type { LogFields } from '../../base/logger.ts';
import { principalId } from '../../base/principal.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { CommandName, Commands } from './commands/commands.ts';

type Audited = {
  readonly [Name in CommandName]?: (request: Commands[Name]['request']) => LogFields | undefined;
};

/** Documents are in the store: the log is not the place for 20 KB of them. */
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

/** The line's fields, or undefined for what leaves none. */
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
