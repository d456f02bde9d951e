/** Who may delete what is stored, in plain words: what it means and what it costs. */

import { usageError } from '../../output/command-error.ts';

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

export function policyOf(answer: string): LockPolicy {
  const found = POLICIES.find((policy) => policy.startsWith(answer.toLowerCase()));
  if (found && answer !== '') return found;
  throw usageError(`init: "${answer}" is no lock policy`, `it is one of ${POLICIES.join(', ')}`);
}

const MAX_DAYS = 36_500;

export function daysOf(answer: string): number {
  const days = Number(answer);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw usageError(`init: "${answer}" is no number of days`, `it is 1 to ${MAX_DAYS}`);
}

export function lockEntry(policy: LockPolicy, days: number) {
  if (policy === 'none') return undefined;
  const mode = policy === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const);
  // A lock that is renewed seldom costs few requests; one that is renewed late lapses.
  return { mode, days, refreshDays: Math.min(7, days) };
}

export function lockText(policy: LockPolicy, days: number): string {
  if (policy === 'none') return 'not locked: whoever has the key may delete versions';
  const who = policy === 'governance' ? 'only an administrator' : 'nobody at all';
  return `${who} may delete a version in its first ${days} days, nor the current one ever`;
}

/** Of a key that may be one without full access, as of a store apart: what it locks would lapse. */
export function lockWarnings(
  lock: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE' } | undefined,
  target: { readonly dialect?: 'svc' | 'amz' | undefined } | undefined,
): string[] {
  if (lock?.mode !== 'GOVERNANCE' || target?.dialect !== 'svc') return [];
  return [
    'there, only a key with full access may renew GOVERNANCE: with another one each lock ends after its days, ' +
      'so take compliance (docs/locks.md)',
  ];
}
