/** A bucket policy in the form that is evaluated (specification, "Bucket policy (shape)"; semantics B.6). */

import { type Principal, principalId, projectId } from '../../../base/principal.ts';
import type { Action } from '../../action.ts';
import type { Pattern } from './pattern.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';
import { LimitedValues, type PolicyWork } from './policy-work.ts';

export interface Policy {
  readonly statements: readonly Statement[];
  /** Whether a statement allows an action to everyone, with no conditions but those that any caller can meet. */
  readonly isPublic: boolean;
  /** The statements of each effect that are about an action: most policies have few for each. */
  readonly byAction: Readonly<Record<Effect, ReadonlyMap<Action, readonly Statement[]>>>;
}

export type Effect = 'Allow' | 'Deny';

export interface Statement {
  readonly sid?: string;
  readonly effect: Effect;
  readonly principals: Named<PolicyPrincipals>;
  /** Of the actions that there are, those that it is about. */
  readonly actions: ReadonlySet<Action>;
  /** What follows the bucket's name in a resource: nothing, or `/` and a key. */
  readonly resources: Named<readonly Pattern[]>;
  readonly conditions: readonly Condition[];
  /** How many of its resources and values have wildcards or variables. */
  readonly patterns: number;
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
export interface StatementRequest {
  readonly principal: Principal;
  readonly action: Action;
  /** Absent for what is done to the bucket. */
  readonly key?: string | undefined;
  readonly conditions: ConditionValues;
  readonly work: PolicyWork;
  /** What is still to be read may be about any object, and meet any condition. */
  readonly unread?: true | undefined;
}

/** The first statement of this effect that is about the request. Throws StepLimitError and ValueLimitError. */
export function statementOf(
  { byAction }: Policy,
  effect: Effect,
  request: StatementRequest,
): Statement | undefined {
  const statements = byAction[effect].get(request.action);
  if (statements === undefined) return undefined;
  const ids = idsOf(request.principal);
  // Then no Deny is certain, and an Allow may be about the request wherever it is about who asks.
  if (request.unread) {
    return effect === 'Deny' ? undefined : statements.find((each) => isOf(each, ids));
  }
  const resource = request.key === undefined ? '' : `/${request.key}`;
  const { conditions, work } = request;
  return statements.find((each) => isAbout(each, { ids, resource, conditions, work }));
}

/** Returns the names by which a policy matches a principal. A share link has none: it only counts as part of everyone. */
function idsOf(principal: Principal): readonly string[] {
  return principal.kind === 'user' ? [principalId(principal), projectId(principal)] : [];
}

interface StatementContext {
  readonly ids: readonly string[];
  readonly resource: string;
  readonly conditions: ConditionValues;
  readonly work: PolicyWork;
}

function isAbout(statement: Statement, asked: StatementContext): boolean {
  const { ids, resource, conditions: values, work } = asked;
  work.budget.spend();
  if (!isOf(statement, ids)) return false;
  const { resources, conditions } = statement;
  const limited = new LimitedValues(values);
  const matching = { valueOf: (name: string) => limited.get(name)?.[0], budget: work.budget };
  if (resources.named.some((each) => each.matches(resource, matching)) === resources.except) {
    return false;
  }
  return conditions.every((each) => work.holds(each, values));
}

/** Whether the statement matches a principal with these names. */
function isOf({ principals: { named, except } }: Statement, ids: readonly string[]): boolean {
  return (named.everyone || ids.some((id) => named.ids.has(id))) !== except;
}

/** Made once for a policy, which is asked on every request. */
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
