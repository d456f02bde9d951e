/** Describes the irreversible consequences of a job's lock. */

import { countText } from '../../src/text/amounts.ts';

interface Lock {
  readonly mode?: unknown;
  readonly days?: unknown;
}

export function isCompliance(lock: unknown): boolean {
  return (lock as Lock | null | undefined)?.mode === 'COMPLIANCE';
}

export function complianceFacts(lock: unknown): string[] {
  if (!isCompliance(lock)) return [];
  const { days } = lock as Lock;
  const period = typeof days === 'number' ? ` for ${countText(days, 'day')}` : '';
  return [
    `COMPLIANCE: each version that is uploaded is locked${period}. Until then no user can delete it or shorten its lock, not even the owner of the store.`,
    '',
  ];
}
