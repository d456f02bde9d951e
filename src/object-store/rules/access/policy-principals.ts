/** Parses the principals in policies (specification, "Bucket policy (shape)"; semantics B.6). */

import { parseStorageId, projectId } from '../../../base/principal.ts';
import { malformedPolicy } from './malformed-policy.ts';
import type { PolicyPrincipals } from './policy.ts';

/**
 * Parses `*`, or `AWS` with users (`arn:aws:iam::TENANT:user/project:user@customer`) and projects (`project@customer`).
 * TENANT can be empty, because the user's ID already contains the project and the customer. Otherwise TENANT must be
 * that project, that customer, or `project@customer`. Throws MalformedPolicy.
 */
export function parsePrincipals(written: unknown): PolicyPrincipals {
  const names = namesOf(written).map(readName);
  return {
    everyone: names.includes('*'),
    ids: new Set(names.filter((name) => name !== '*')),
  };
}

function namesOf(written: unknown): readonly unknown[] {
  if (written === '*') return [written];
  const [member, ...more] = typeof written === 'object' && written ? Object.entries(written) : [];
  if (member === undefined || member[0] !== 'AWS' || more.length > 0) throw invalid(written);
  const names: readonly unknown[] = Array.isArray(member[1]) ? member[1] : [member[1]];
  if (names.length === 0) throw invalid(written);
  return names;
}

const USER_ARN = /^arn:aws:iam::([^:]*):user\/(.+)$/s;

function readName(name: unknown): string {
  if (typeof name !== 'string') throw invalid(name);
  if (name === '*') return name;
  const [, tenant, userId] = USER_ARN.exec(name) ?? [];
  const names = parseStorageId(userId ?? name);
  if (names === undefined || 'user' in names !== (userId !== undefined)) throw invalid(name);
  if (tenant !== undefined) {
    const tenants = ['', names.project, names.customer, projectId(names)];
    if (!tenants.includes(tenant)) throw invalid(name);
  }
  return userId ?? name;
}

function invalid(name: unknown) {
  return malformedPolicy(
    `Invalid principal in policy: ${JSON.stringify(name)}; write arn:aws:iam:::user/project:user@customer for a user, project@customer for a project, or * for everyone`,
  );
}
