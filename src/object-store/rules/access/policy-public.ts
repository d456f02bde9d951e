/** Decides whether the public access block treats a policy statement as public (semantics B.5). */

import { parseIpRange } from '../../../base/ip-range.ts';
import type { Condition } from './policy-conditions.ts';
import type { Statement } from './policy.ts';

/**
 * Condition keys whose value identifies one user or one network, and whose value a client cannot choose. `aws:username`
 * is excluded, because users of different projects can have the same name.
 */
const NARROWING = new Set(['aws:principalarn', 'aws:sourceip', 'aws:userid']);
const OPERATORS = new Set(['StringEquals', 'StringLike', 'IpAddress', 'ArnEquals', 'ArnLike']);

/**
 * Returns whether an Allow statement is public. A public statement applies to everyone, or to everyone except some
 * principals (`NotPrincipal`), and has no condition that limits it to specific users or networks.
 */
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

/**
 * Returns whether a value identifies one user or one network. Returns false for a pattern, and for an address range
 * that is larger than one network.
 */
function isFixed(value: string): boolean {
  if (/[*?$]/.test(value)) return false;
  const range = parseIpRange(value);
  return range === undefined || range.freeBits <= MAX_FREE_BITS[range.family];
}

/** The number of host bits in `/8` and `/32`, the largest address ranges that were ever assigned to one network. */
const MAX_FREE_BITS = { ipv4: 24, ipv6: 96 } as const;
