/** Property test that compares the access rules with the naive evaluator in naive-access.ts. */

import * as fc from 'fast-check';

import type { Principal, UserNames } from '../../src/base/principal.ts';
import type { decideAccess, decideMissing } from '../../src/object-store/rules/access/decide.ts';
import type { parsePolicy } from '../../src/object-store/rules/access/parse-policy.ts';
import { type AccessCase, accessCase } from './access-cases.ts';
import { mayDo, maySeeThatItIsMissing } from './naive-access.ts';

/** Functions under test: the real access rules, or a mutated version of them. */
export interface AccessRules {
  readonly decideAccess: typeof decideAccess;
  readonly decideMissing: typeof decideMissing;
  readonly parsePolicy: typeof parsePolicy;
}

export interface LawOptions {
  readonly runs: number;
  readonly seed: number;
  /** If true, the test stops at the first failing case and does not shrink it. */
  readonly endOnFailure?: boolean;
  /** Called with every generated case and with the decision of the naive evaluator. */
  readonly onCase?: (about: AccessCase, said: { allowed: boolean; reason: string }) => void;
}

/**
 * Throws an error with the smallest failing case if the access rules and the naive evaluator decide
 * differently.
 */
export function checkAccessLaw(
  rules: AccessRules,
  { runs, seed, endOnFailure = false, onCase }: LawOptions,
): void {
  const law = fc.property(accessCase, (about) => {
    const said = mayDo(about.request, about.bucket, about.object);
    onCase?.(about, said);
    const question = questionOf(rules, about);
    const decided = rules.decideAccess(question).allowed;
    if (decided !== said.allowed) {
      throw new Error(
        `the naive evaluator returns ${said.allowed} because of ${said.reason}, but the access rules return ${decided}`,
      );
    }
    if (!about.object || about.object.owner !== undefined) return;
    const seen = maySeeThatItIsMissing(about.request, about.bucket, about.object.key);
    const returned = rules.decideMissing(question).allowed;
    if (returned !== seen)
      throw new Error(
        `missing object: the naive evaluator returns ${seen}, but the access rules return ${returned}`,
      );
  });
  fc.assert(law, { numRuns: runs, seed, endOnFailure });
}

export function namesOf(user: string): UserNames {
  const [, project = '', name = '', customer = ''] = /^(.*):(.*)@(.*)$/.exec(user) ?? [];
  return { project, user: name, customer };
}

export function principalOf(user: string | undefined, fullAccess = false): Principal {
  return user === undefined
    ? { kind: 'anonymous' }
    : { kind: 'user', ...namesOf(user), fullAccess };
}

function questionOf(rules: AccessRules, { request, bucket, object }: AccessCase) {
  const { name, policy, ignorePublicAcls, restrictPublicBuckets } = bucket;
  return {
    principal: principalOf(request.user),
    action: request.action,
    bucket: {
      name,
      owner: namesOf(bucket.owner),
      acl: bucket.acl,
      policy: policy && rules.parsePolicy(JSON.stringify(policy), name),
      publicAccessBlock: {
        blockPublicAcls: false,
        blockPublicPolicy: false,
        ignorePublicAcls,
        restrictPublicBuckets,
      },
    },
    object,
    conditions: new Map(Object.entries(request.values)),
  } as Parameters<AccessRules['decideAccess']>[0];
}
