/** Defines the lock policies of `holdfast init`, and explains their effects and costs. */

import type { Protocol } from '../../../config/schema-words.ts';
import { usageError } from '../../output/command-error.ts';
import { readWholeNumber } from '../../../text/amounts.ts';

const POLICIES = ['none', 'governance', 'compliance'] as const;
export type LockPolicy = (typeof POLICIES)[number];

export const LOCKS_EXPLAINED = [
  '',
  'Who may delete what is stored? Older versions stay in any case, until somebody deletes them.',
  '  none        whoever has the key may delete versions, at once. A thief, or a program that encrypts',
  '              your files, may too. Costs nothing.',
  '  governance  nobody with an ordinary key may delete a version for some days; an administrator may.',
  '              What you delete goes on taking room, and money where it has a price, until then.',
  '  compliance  nobody may, neither you nor the operator of the service, until the days are over.',
  '              A mistake cannot be undone: a folder that was too large stays paid for.',
];

/** Returns the policy that begins with the answer. Throws a usage error if there is none. */
export function policyOf(answer: string): LockPolicy {
  const found = POLICIES.find((policy) => policy.startsWith(answer.toLowerCase()));
  if (found && answer !== '') return found;
  throw usageError(`init: "${answer}" is no lock policy`, `it is one of ${POLICIES.join(', ')}`);
}

const MAX_DAYS = 36_500;

/** Returns the retention in days. Throws a usage error for an invalid number. */
export function daysOf(answer: string): number {
  const days = readWholeNumber(answer, 1, MAX_DAYS);
  if (days !== undefined) return days;
  throw usageError(`init: "${answer}" is no number of days`, `it is 1 to ${MAX_DAYS}`);
}

/** Returns the `lock` of a job in config.yaml. Returns undefined for the policy `none`. */
export function lockEntry(policy: LockPolicy, days: number) {
  if (policy === 'none') return undefined;
  const mode = policy === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const);
  // A long renewal interval saves requests, but a lock that is renewed too late lapses.
  return { mode, days, refreshDays: Math.min(7, days) };
}

export function lockText(policy: LockPolicy, days: number): string {
  if (policy === 'none') return 'not locked: whoever has the key may delete versions';
  const who = policy === 'governance' ? 'only an administrator' : 'nobody at all';
  return `${who} may delete a version in its first ${days} days, nor the current one ever`;
}

/**
 * Returns a warning if the target may not let the key renew GOVERNANCE locks, so that they would lapse. With the protocol
 * `svc`, only a key with full access may renew them.
 */
export function lockWarnings(
  lock: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE' } | undefined,
  target: { readonly protocol?: Protocol | undefined } | undefined,
): string[] {
  if (lock?.mode !== 'GOVERNANCE' || target?.protocol !== 'svc') return [];
  return [
    'there, only a key with full access may renew GOVERNANCE: with another one each lock ends after its days, ' +
      'so take compliance (docs/locks.md)',
  ];
}
