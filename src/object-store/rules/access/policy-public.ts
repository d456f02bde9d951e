/** Whether a statement opens something to the public, as the switches against it understand that (semantics B.5). */

import { parseIpRange } from '../../../base/ip-range.ts';
import type { Condition } from './policy-conditions.ts';
import type { Statement } from './policy.ts';

/**
 * Keys whose value names one user or one network, and that no client can choose. `aws:username` is not among them: each project may
 * have a user of that name.
 */
const NARROWING = new Set(['aws:principalarn', 'aws:sourceip', 'aws:userid']);
const OPERATORS = new Set(['StringEquals', 'StringLike', 'IpAddress', 'ArnEquals', 'ArnLike']);

/** Everyone is allowed, and no condition holds it to certain addresses or users. */
export function isPublicStatement({
  effect,
  principals,
  conditions,
}: Omit<Statement, 'actions'>): boolean {
  const everyone = principals.except || principals.named.everyone;
  return effect === 'Allow' && everyone && !conditions.some(narrows);
}

function narrows({ operator, key, values }: Condition): boolean {
  return OPERATORS.has(operator) && NARROWING.has(key) && values.every(isFixed);
}

/** No pattern, and no range with more addresses than one network has. */
function isFixed(value: string): boolean {
  if (/[*?$]/.test(value)) return false;
  const range = parseIpRange(value);
  return range === undefined || range.freeBits <= MAX_FREE_BITS[range.family];
}

/** `/8` and `/32`, the largest ranges that one network was ever assigned. */
const MAX_FREE_BITS = { ipv4: 24, ipv6: 96 } as const;
