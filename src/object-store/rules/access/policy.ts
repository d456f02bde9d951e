/** What a bucket policy says, as it is evaluated (specification, "Bucket policy (shape)"; semantics B.6). */

import { type Principal, principalId, projectId } from '../../../base/principal.ts';
import type { Action } from '../../action.ts';
import type { Pattern } from './pattern.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';

export interface Policy {
  readonly statements: readonly Statement[];
  /** Whether a statement allows something to everyone, and only conditions that anybody meets narrow it. */
  readonly isPublic: boolean;
}

export interface Statement {
  readonly sid?: string;
  readonly effect: 'Allow' | 'Deny';
  readonly principals: Named<PolicyPrincipals>;
  /** Of the actions that there are, those that it is about. */
  readonly actions: ReadonlySet<Action>;
  /** What follows the bucket's name in a resource: nothing, or `/` and a key. */
  readonly resources: Named<readonly Pattern[]>;
  readonly conditions: readonly Condition[];
}

/** `except`: all others are meant (`NotPrincipal`, `NotResource`). */
interface Named<T> {
  readonly except: boolean;
  readonly named: T;
}

export interface PolicyPrincipals {
  readonly everyone: boolean;
  /** Users (`project:user@customer`) and projects (`project@customer`). */
  readonly ids: ReadonlySet<string>;
}

/** What is asked of a statement. */
export interface PolicyQuestion {
  readonly principal: Principal;
  readonly action: Action;
  /** Absent for what is done to the bucket. */
  readonly key?: string | undefined;
  readonly conditions: ConditionValues;
}

/** The first statement of this effect that is about the question. */
export function statementOf(
  { statements }: Policy,
  effect: Statement['effect'],
  question: PolicyQuestion,
): Statement | undefined {
  return statements.find((each) => each.effect === effect && isAbout(each, question));
}

function isAbout(
  { actions, principals, resources, conditions }: Statement,
  { principal, action, key, conditions: values }: PolicyQuestion,
): boolean {
  if (!actions.has(action)) return false;
  if (isNamed(principals.named, principal) === principals.except) return false;
  const resource = key === undefined ? '' : `/${key}`;
  const valueOf = (name: string) => values.get(name)?.[0];
  if (resources.named.some((each) => each.matches(resource, valueOf)) === resources.except) {
    return false;
  }
  return conditions.every((each) => each.holds(values));
}

/** Who follows a link is nobody that a policy could name, but one of everyone. */
function isNamed({ everyone, ids }: PolicyPrincipals, principal: Principal): boolean {
  if (everyone || principal.kind !== 'user') return everyone;
  return ids.has(principalId(principal)) || ids.has(projectId(principal));
}
