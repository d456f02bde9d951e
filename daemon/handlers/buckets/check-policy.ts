/** Finds all problems of a bucket policy, each with its statement. The store itself reports only the first problem. */

import { defined } from '../../../src/base/defined.ts';
import type { Grantees } from '../../../src/base/grantees.ts';
import type { Result } from '../../../src/control/messages.ts';
import { checkPatterns, parsePolicy } from '../../../src/object-store/rules/access/parse-policy.ts';
import type { Policy } from '../../../src/object-store/rules/access/policy.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';

type PolicyReport = Result<'policy.check'>;
type Problem = PolicyReport['problems'][number];

export function checkPolicy(text: string, bucket: string, grantees: Grantees): PolicyReport {
  const whole = read(text, bucket);
  if ('policy' in whole) {
    const { statements, isPublic } = whole.policy;
    const problems = [
      ...tooManyPatterns(whole.policy),
      ...unknownPrincipals(whole.policy, grantees),
    ];
    return { statements: statements.length, isPublic, problems };
  }
  const statements = statementsOf(text);
  const each = statements.flatMap((statement, index) => problemOf(statement, index, bucket));
  const problems = each.length > 0 ? each : [{ message: placed(whole.problem, text) }];
  return { statements: statements.length, isPublic: false, problems };
}

type Reading = { readonly policy: Policy } | { readonly problem: string };

function read(text: string, bucket: string): Reading {
  try {
    return { policy: parsePolicy(text, bucket) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** Returns why the store rejected the policy. Rethrows all other errors. */
function reasonOf(error: unknown): string {
  if (isStorageError(error)) return error.message.replace(/^put policy: /, '');
  throw error;
}

/**
 * Returns the list `Statement` of a JSON document. Returns an empty list if the text is not JSON or has no such list.
 */
function statementsOf(text: string): readonly unknown[] {
  const document = parsed(text);
  if (document instanceof SyntaxError) return [];
  const statements = (document as { readonly Statement?: unknown } | null)?.Statement;
  return Array.isArray(statements) ? (statements as readonly unknown[]) : [];
}

/** Returns the parsed JSON. If the text is not JSON, returns the SyntaxError, whose message contains the position. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

function placed(problem: string, text: string): string {
  const error = parsed(text);
  return error instanceof SyntaxError ? `${problem}: ${error.message}` : problem;
}

/** Checks a single statement by putting it into a policy of the newest policy version, which supports all elements. */
function problemOf(statement: unknown, index: number, bucket: string): readonly Problem[] {
  const reading = read(JSON.stringify({ Version: '2012-10-17', Statement: [statement] }), bucket);
  if ('policy' in reading) return [];
  const sid = (statement as { readonly Sid?: unknown } | null)?.Sid;
  const named = typeof sid === 'string' ? sid : undefined;
  return [defined({ statement: index + 1, sid: named, message: reading.problem })];
}

function tooManyPatterns({ statements }: Policy): Problem[] {
  try {
    checkPatterns(statements);
    return [];
  } catch (error) {
    return [{ message: reasonOf(error) }];
  }
}

/** Finds principals that do not exist, such as a user who was removed after the policy was stored. */
function unknownPrincipals({ statements }: Policy, grantees: Grantees): Problem[] {
  return statements.flatMap(({ sid, principals }, index) =>
    [...principals.named.ids]
      .filter((id) => !grantees.exists(id))
      .map((id) =>
        defined({ statement: index + 1, sid, message: `user or project ${id} does not exist` }),
      ),
  );
}
