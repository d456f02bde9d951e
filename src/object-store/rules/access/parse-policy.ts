/** Parses bucket policy documents (specification, "Bucket policy (shape)"; semantics B.6). */

import { StepBudget, StepLimitError } from '../../../base/step-budget.ts';
import { isCalendarDay } from '../../../base/calendar-day.ts';
import { defined } from '../../../base/defined.ts';
import type { Grantees } from '../../../base/grantees.ts';
import { readJson } from '../strict-json.ts';
import { conditionKey } from './condition-keys.ts';
import { malformedPolicy } from './malformed-policy.ts';
import { parseActions } from './policy-actions.ts';
import { type Condition, parseConditions } from './policy-conditions.ts';
import { isPattern } from './pattern.ts';
import { parsePrincipals } from './policy-principals.ts';
import { isPublicStatement } from './policy-public.ts';
import { parseResources } from './policy-resources.ts';
import { indexStatements, type Policy, type PolicyPrincipals, type Statement } from './policy.ts';

/** The maximum size of a policy document in the protocol. The limit also bounds the cost of evaluating the policy. */
export const MAX_POLICY_BYTES = 20_480;

/** The maximum number of patterns in a policy, because every request may be compared with all of them. */
export const MAX_POLICY_PATTERNS = 200;

/**
 * The step budget for comparing a policy's actions with the names of all actions. 200 actions of the form `s3:Get*`
 * need a tenth of the budget.
 */
const PARSING_STEPS = 500_000;

/**
 * The maximum nesting depth. A valid policy has at most 6 levels; the innermost is the list of values in a condition.
 */
const MAX_DEPTH = 10;

const VERSION_WITH_VARIABLES = '2012-10-17';
const VERSIONS = new Set<unknown>(['2008-10-17', VERSION_WITH_VARIABLES, undefined]);

const MEMBERS = new Set(['Id', 'Statement', 'Version']);

/**
 * Returns the policy in the form in which it is evaluated. Throws MalformedPolicy if the document is invalid, for
 * example if it has an unknown element or a resource of a bucket other than `bucket`.
 */
export function parsePolicy(text: string, bucket: string): Policy {
  const read = readJson(text, { maxBytes: MAX_POLICY_BYTES, maxDepth: MAX_DEPTH });
  if ('problem' in read) throw malformedPolicy(read.problem);
  const document = membersOf(read.value, MEMBERS, 'the policy');
  const { Version: version, Statement: written } = document;
  if (!VERSIONS.has(version)) throw malformedPolicy('Version must be 2012-10-17 or 2008-10-17');
  if (document['Id'] !== undefined && typeof document['Id'] !== 'string') {
    throw malformedPolicy('Id must be a string');
  }
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (written === undefined || list.length === 0) {
    throw malformedPolicy('Missing required field Statement');
  }
  const variables = version === VERSION_WITH_VARIABLES ? conditionKey : undefined;
  const statements = parseStatements(list, { bucket, variables });
  refuseSameSid(statements);
  const isPublic = statements.some(isPublicStatement);
  return { statements, isPublic, byAction: indexStatements(statements) };
}

function parseStatements(
  list: readonly unknown[],
  about: Omit<StatementOptions, 'budget'>,
): readonly Statement[] {
  const budget = new StepBudget(PARSING_STEPS);
  try {
    return list.map((each) => parseStatement(each, { ...about, budget }));
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error;
    throw malformedPolicy(`its actions take ${error.message} to resolve`);
  }
}

/**
 * Throws MalformedPolicy if a new policy has too many patterns, an unknown principal or an invalid date. A policy that
 * was stored before these checks were introduced is still evaluated within the step budget of a decision.
 */
export function checkNewPolicy({ statements }: Policy, grantees: Pick<Grantees, 'exists'>): void {
  checkPatterns(statements);
  for (const { principals, conditions } of statements) {
    checkPrincipals(principals.named, grantees);
    for (const condition of conditions) checkDays(condition);
  }
}

/** Throws MalformedPolicy if the statements have more than `MAX_POLICY_PATTERNS` patterns. */
export function checkPatterns(statements: Policy['statements']): void {
  const count = statements.reduce((sum, { patterns }) => sum + patterns, 0);
  if (count <= MAX_POLICY_PATTERNS) return;
  throw malformedPolicy(
    `it has ${count} patterns (actions, resources and values with *, ? or a variable); the limit is ${MAX_POLICY_PATTERNS}`,
  );
}

/**
 * Throws MalformedPolicy for users and projects that do not exist. Otherwise a Deny with a misspelled name would deny
 * no caller.
 */
function checkPrincipals({ ids }: PolicyPrincipals, grantees: Pick<Grantees, 'exists'>): void {
  for (const id of ids) {
    if (grantees.exists(id)) continue;
    throw malformedPolicy(`Invalid principal in policy: ${JSON.stringify(id)} does not exist`);
  }
}

const OF_DATES = /^(?:\w+:)?Date/;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/**
 * Throws MalformedPolicy for dates such as February 30. Otherwise a condition with that date would hold until March.
 */
function checkDays({ operator, values }: Condition): void {
  if (!OF_DATES.test(operator)) return;
  for (const value of values) {
    const [day] = DAY.exec(value) ?? [];
    if (day === undefined || isCalendarDay(day)) continue;
    throw malformedPolicy(`Condition.${operator}: ${day} is not a valid date`);
  }
}

const STATEMENT_MEMBERS = new Set([
  'Action',
  'Condition',
  'Effect',
  'NotAction',
  'NotPrincipal',
  'NotResource',
  'Principal',
  'Resource',
  'Sid',
]);

interface StatementOptions {
  readonly bucket: string;
  readonly variables: typeof conditionKey | undefined;
  readonly budget: StepBudget;
}

function parseStatement(
  written: unknown,
  { bucket, variables, budget }: StatementOptions,
): Statement {
  const members = membersOf(written, STATEMENT_MEMBERS, 'a statement');
  const { Sid: sid, Effect: effect, Condition: condition } = members;
  if (sid !== undefined && typeof sid !== 'string') throw malformedPolicy('Sid must be a string');
  const principals = either(members, 'Principal');
  const actions = either(members, 'Action');
  const resources = either(members, 'Resource');
  const [actionTexts, resourceTexts] = [textsOf(actions), textsOf(resources)];
  const conditions = condition === undefined ? [] : parseConditions(condition, { variables });
  const comparedTexts = conditions.flatMap((each) => (comparesPatterns(each) ? each.values : []));
  return defined({
    sid,
    effect: readEffect(effect),
    principals: { except: principals.except, named: parsePrincipals(principals.written) },
    actions: parseActions({ texts: actionTexts, except: actions.except }, budget),
    resources: {
      except: resources.except,
      named: parseResources(resourceTexts, { bucket, variables }),
    },
    conditions,
    patterns: [...actionTexts, ...resourceTexts, ...comparedTexts].filter(isPattern).length,
  });
}

/** Returns whether the condition's values can contain wildcards or variables. */
function comparesPatterns({ operator }: Condition): boolean {
  return /^(?:\w+:)?(?:String|Arn)/.test(operator);
}

function readEffect(effect: unknown): Statement['effect'] {
  if (effect === 'Allow' || effect === 'Deny') return effect;
  throw malformedPolicy(`Invalid effect: ${JSON.stringify(effect)}; Effect must be Allow or Deny`);
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown, known: ReadonlySet<string>, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformedPolicy(`${what} must be an object`);
  }
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown === undefined) return value as Members;
  throw malformedPolicy(`${what} has an unknown element ${JSON.stringify(unknown)}`);
}

interface Either {
  readonly name: string;
  readonly except: boolean;
  readonly written: unknown;
}

/**
 * Returns the element `name` or its negation, such as `Action` or `NotAction`. Throws MalformedPolicy unless the
 * statement contains exactly one of the two.
 */
function either(members: Members, name: 'Action' | 'Principal' | 'Resource'): Either {
  const [written, others] = [members[name], members[`Not${name}`]];
  if (written === undefined && others === undefined) {
    throw malformedPolicy(`Missing required field ${name}`);
  }
  if (written !== undefined && others !== undefined) {
    throw malformedPolicy(`a statement must not have both ${name} and Not${name}`);
  }
  return written === undefined
    ? { name: `Not${name}`, except: true, written: others }
    : { name, except: false, written };
}

function textsOf({ name, written }: Either): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (texts.length > 0 && texts.every((each) => typeof each === 'string')) return texts;
  throw malformedPolicy(`${name} must be a string or a list of strings`);
}

function refuseSameSid(statements: readonly Statement[]): void {
  const sids = new Set<string>();
  for (const { sid } of statements) {
    if (sid === undefined || sid === '') continue;
    if (sids.has(sid)) throw malformedPolicy(`two statements have the Sid ${JSON.stringify(sid)}`);
    sids.add(sid);
  }
}
