/** Implements the control method that explains whether a user is allowed an action, and which rule decides. */

import { principalId, type Principal, type UserNames } from '../../../src/base/principal.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { nearest } from '../../../src/config/nearest.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { AccessExplanation } from '../../../src/engine/roles/explain-access.ts';
import type { UserAdmin } from '../../../src/identity/user-admin.ts';
import { type Action, ACTIONS } from '../../../src/object-store/action.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';

export interface ExplainOptions {
  readonly explainAccess: Engine['explainAccess'];
  readonly users: UserAdmin;
  /** The user that a request without names refers to. */
  readonly own: UserNames;
  readonly clock: Clock;
}

export function explainHandlers(options: ExplainOptions): Pick<ControlHandlers, 'policy.explain'> {
  return {
    'policy.explain': async (params) => {
      const { bucket, key, versionId, sourceIp, secure, conditions } = params;
      const action = actionOf(params.action);
      const principal = principalOf(params, options);
      const from = internalCaller(principal, options.clock.now());
      const explanation = options.explainAccess({
        caller: { ...from, authType: 'header', ...defined({ sourceIp, secure }) },
        action,
        bucket,
        key,
        versionId,
        asked: lowerCased(conditions),
      });
      const who = principal.kind === 'user' ? principalId(principal) : 'anonymous';
      return { who, action, ...explained(explanation) };
    },
  };
}

/**
 * Returns the action with this name. The name is case-insensitive, with or without `s3:`. Throws ControlError
 * `BadRequest`.
 */
function actionOf(written: string): Action {
  const name = written.replace(/^s3:/i, '').toLowerCase();
  const names = Object.keys(ACTIONS) as Action[];
  const found = names.find((each) => each.toLowerCase() === name);
  if (found) return found;
  const guess = nearest(name, names);
  throw new ControlError('BadRequest', `unknown action ${JSON.stringify(written)}`, {
    hint: guess
      ? `did you mean ${guess}?`
      : `actions are those of S3 policies, such as GetObject, PutObject and ListBucket`,
  });
}

/** Returns the principal that the request names. Throws IdentityError `NotFound`. */
function principalOf(
  { anonymous, user, project, customer }: Params<'policy.explain'>,
  { users, own }: ExplainOptions,
): Principal {
  if (anonymous) return { kind: 'anonymous' };
  const { user: name, project: of, customer: at } = own;
  const names = { user: name, project: of, customer: at, ...defined({ user, project, customer }) };
  return { kind: 'user', ...names, fullAccess: users.getUser(names).fullAccess };
}

/**
 * Converts the names of condition keys to lower case, because they are case-insensitive. A part after a slash is the
 * key of a tag and is left unchanged.
 */
function lowerCased(conditions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(conditions).map(([key, value]) => {
      const [name = '', ...tag] = key.split('/');
      return [[name.toLowerCase(), ...tag].join('/'), value];
    }),
  );
}

type Explained = Omit<Result<'policy.explain'>, 'action' | 'who'>;

function explained({ allowed, by, exists, statement, fullAccess }: AccessExplanation): Explained {
  // The reason `link` cannot occur here. It requires a presigned URL, but this request names a user.
  const reason = by.kind === 'link' ? 'nothing' : by.kind;
  if (allowed && fullAccess === false) return { allowed: false, reason: 'privilege', exists };
  return defined({
    allowed,
    reason,
    exists,
    statement,
    sid: by.kind === 'policy' ? by.statement.sid : undefined,
    grant: by.kind === 'grant' ? { ...by.grant, on: by.on } : undefined,
  });
}
