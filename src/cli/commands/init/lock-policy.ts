/** Defines the lock policies of `holdfast init`, and explains their effects and costs. */

import { RENEWAL_FIX } from '../../../base/renewal-fix.ts';
import type { Protocol } from '../../../config/schema-words.ts';
import { usageError } from '../../output/command-error.ts';
import type { Item } from '../../arguments/answers.ts';
import { countText, readWholeNumber } from '../../../text/amounts.ts';

const POLICIES = ['none', 'governance', 'compliance'] as const;
export type LockPolicy = (typeof POLICIES)[number];

export const LOCKS_EXPLAINED: readonly (Item | string)[] = [
  'Who may delete stored versions? Older versions are always kept until a client deletes them.',
  [
    '1  none',
    'Every client with the key can delete versions at any time, even ransomware. No additional costs.',
  ],
  [
    '2  governance',
    'An ordinary key cannot delete a version for some days; an administrator can. ' +
      'Deleted files use storage, which may cost money, until then.',
  ],
  [
    '3  compliance',
    'For some days, not even you or the operator of the service can delete a version. ' +
      'Mistakes cannot be undone: you pay for a folder that was too large until then.',
  ],
];

/** Returns the policy for an answer. The answer is its number in `LOCKS_EXPLAINED`, or a name as in `policyOf`. */
export function chosenPolicy(answer: string): LockPolicy {
  return POLICIES.find((_, index) => answer === `${index + 1}`) ?? policyOf(answer);
}

/**
 * Returns the policy whose name starts with the answer. `compliance` must be typed in full, because no user can undo
 * it. Throws a usage error if no policy matches.
 */
export function policyOf(answer: string): LockPolicy {
  const typed = answer.toLowerCase();
  const found = POLICIES.find((policy) =>
    policy === 'compliance' ? policy === typed : typed !== '' && policy.startsWith(typed),
  );
  if (found) return found;
  throw usageError(`"${answer}" is not a lock policy`, `choose one of ${POLICIES.join(', ')}`);
}

const MAX_DAYS = 36_500;

/** Returns the retention in days. Throws a usage error for an invalid number. */
export function daysOf(answer: string): number {
  const days = readWholeNumber(answer, 1, MAX_DAYS);
  if (days !== undefined) return days;
  throw usageError(`"${answer}" is not a number of days`, `it must be from 1 to ${MAX_DAYS}`);
}

/** Returns the `lock` option of a job in config.yaml. Returns undefined for the policy `none`. */
export function lockEntry(policy: LockPolicy, days: number) {
  if (policy === 'none') return undefined;
  const mode = policy === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const);
  return { mode, days, refreshDays: refreshDaysOf(days) };
}

/** Returns the renewal interval. A long interval saves requests, but a lock that is renewed too late lapses. */
function refreshDaysOf(days: number): number {
  return Math.min(7, days);
}

export function lockText(policy: LockPolicy, days: number): string {
  if (policy === 'none') return 'none: every client with the key may delete versions';
  const who = policy === 'governance' ? 'only an administrator' : 'no user';
  const refreshDays = refreshDaysOf(days);
  return (
    `${who} may delete a version in its first ${countText(days, 'day')}, or while it is current; ` +
    `each lock is set for ${days + refreshDays} days, and renewed after ${refreshDays}`
  );
}

/**
 * Returns a warning if the target may not allow the access key to renew GOVERNANCE locks, so that they would lapse.
 * With the protocol `svc`, only a key with full access may renew them.
 */
export function lockWarnings(
  lock: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE' } | undefined,
  target: { readonly protocol?: Protocol | undefined } | undefined,
  mayExtendLocks: boolean,
): string[] {
  if (lock?.mode === 'GOVERNANCE' && !mayExtendLocks)
    return [`the key may not extend GOVERNANCE locks, so they will end: ${RENEWAL_FIX}`];
  if (lock?.mode !== 'GOVERNANCE' || target?.protocol !== 'svc') return [];
  return [
    'this service lets only a key with full access renew GOVERNANCE locks; with another key they lapse, ' +
      'so choose compliance (docs/explanation/locks.md)',
  ];
}
