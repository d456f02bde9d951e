/**
 * Simulates failures for users who test their tools with the local service. A tag on a resource
 * specifies which operation fails and how. Every client can set tags, and tags survive a restart.
 */

import type { StringMap } from '../cluster-service.ts';

/**
 * The prefix of the tag key. It is followed by `create`, `update` or `delete`. The value of the tag
 * is `CODE` or `CODE: message`.
 */
const TAG = 'holdfast/fail-';

export function plannedFailure(
  tags: StringMap,
  work: 'create' | 'update' | 'delete',
): { readonly code: string; readonly message: string } | undefined {
  const text = tags[`${TAG}${work}`];
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const code = (colon < 0 ? text : text.slice(0, colon)).trim() || 'InternalFailure';
  const message = colon < 0 ? '' : text.slice(colon + 1).trim();
  return { code, message: message || `the tag ${TAG}${work} simulates this failure` };
}
