/** Defines the form in which bucket policies are evaluated (specification, "Bucket policy (shape)"; semantics B.6). */

import { type Principal, principalId, projectId } from '../../../base/principal.ts';
import type { Action } from '../../action.ts';
import type { Pattern } from './pattern.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';
import { LimitedValues, type PolicyWork } from './policy-work.ts';

export interface Policy {
  readonly statements: readonly Statement[];
  /** Whether a statement of the policy allows an action to everyone, as decided by `isPublicStatement`. */
  readonly isPublic: boolean;
  /** The statements by effect and action. Most policies have few statements for each action. */
  readonly byAction: Readonly<Record<Effect, ReadonlyMap<Action, readonly Statement[]>>>;
}

export type Effect = 'Allow' | 'Deny';

export interface Statement {
  readonly sid?: string;
  readonly effect: Effect;
  readonly principals: Named<PolicyPrincipals>;
  /** The actions to which the statement applies. */
  readonly actions: ReadonlySet<Action>;
  /** Patterns for the part of a resource after the bucket's name: the empty text, or `/` and a key. */
  readonly resources: Named<readonly Pattern[]>;
  readonly conditions: readonly Condition[];
  /** The number of actions, resources and condition values that contain wildcards or variables. */
  readonly patterns: number;
}

/**
 * The principals or resources of a statement. With `except`, the statement applies to all others (`NotPrincipal`,
 * `NotResource`).
 */
interface Named<T> {
  readonly except: boolean;
  readonly named: T;
}

export interface PolicyPrincipals {
  readonly everyone: boolean;
  /** The IDs of users (`project:user@customer`) and projects (`project@customer`). */
  readonly ids: ReadonlySet<string>;
}

/** The request against which the statements are evaluated. */
export interface StatementRequest {
  readonly principal: Principal;
  readonly action: Action;
  /** The object's key; absent for an action on the bucket. */
  readonly key?: string | undefined;
  readonly conditions: ConditionValues;
  readonly work: PolicyWork;
  /**
   * True if the document in the request body has not been read. The document can name any object and satisfy any
   * condition.
   */
  readonly unread?: true | undefined;
}

/** Returns the first statement with this effect that matches the request. Throws StepLimitError and ValueLimitError. */
export function statementOf(
  { byAction }: Policy,
  effect: Effect,
  request: StatementRequest,
): Statement | undefined {
  const statements = byAction[effect].get(request.action);
  if (statements === undefined) return undefined;
  const ids = idsOf(request.principal);
  // Before the document is read, it is not certain that any Deny matches, and every Allow for the caller may match.
  if (request.unread) {
    return effect === 'Deny' ? undefined : statements.find((each) => matchesPrincipal(each, ids));
  }
  const resource = request.key === undefined ? '' : `/${request.key}`;
  const { conditions, work } = request;
  return statements.find((each) => matches(each, { ids, resource, conditions, work }));
}

/**
 * Returns the IDs by which a policy can refer to a principal. A presigned URL of the service and an anonymous caller
 * have no ID, so only `*` includes them.
 */
function idsOf(principal: Principal): readonly string[] {
  return principal.kind === 'user' ? [principalId(principal), projectId(principal)] : [];
}

interface StatementContext {
  readonly ids: readonly string[];
  readonly resource: string;
  readonly conditions: ConditionValues;
  readonly work: PolicyWork;
}

function matches(statement: Statement, context: StatementContext): boolean {
  const { ids, resource, conditions: values, work } = context;
  work.budget.spend();
  if (!matchesPrincipal(statement, ids)) return false;
  const { resources, conditions } = statement;
  const limited = new LimitedValues(values);
  const matching = { valueOf: (name: string) => limited.get(name)?.[0], budget: work.budget };
  if (resources.named.some((each) => each.matches(resource, matching)) === resources.except) {
    return false;
  }
  return conditions.every((each) => work.holds(each, values));
}

/** Returns whether the statement applies to a principal with these IDs. */
function matchesPrincipal(
  { principals: { named, except } }: Statement,
  ids: readonly string[],
): boolean {
  return (named.everyone || ids.some((id) => named.ids.has(id))) !== except;
}

/** Returns the statements by effect and action. The index is built once for each policy and used for every request. */
export function indexStatements(statements: readonly Statement[]): Policy['byAction'] {
  const index = { Allow: new Map<Action, Statement[]>(), Deny: new Map<Action, Statement[]>() };
  for (const statement of statements) {
    const byAction = index[statement.effect];
    for (const action of statement.actions) {
      const found = byAction.get(action);
      if (found === undefined) byAction.set(action, [statement]);
      else found.push(statement);
    }
  }
  return index;
}
