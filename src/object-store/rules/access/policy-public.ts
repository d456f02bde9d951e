/** Whether a statement opens something to the public, as the switches against it understand that (semantics B.5). */

import { isV4Range, parseIpRange } from '../../../base/ip-range.ts';
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
  return range === undefined || range.freeBits <= (isV4Range(range) ? MAX_FREE_V4 : MAX_FREE_V6);
}

/** `/8` and `/32`, the largest that anybody was ever given. */
const MAX_FREE_V4 = 24n;
const MAX_FREE_V6 = 96n;
