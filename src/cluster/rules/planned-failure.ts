/**
 * Failures on purpose, for those who test their own tools against the local service: a tag of the resource says which
 * work of it fails, and how. It travels through every client, and survives a restart.
 */

import type { StringMap } from '../cluster-service.ts';

/** Its value is a code, or `CODE: message`. */
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
  return { code, message: message || `it was asked to fail by its tag ${TAG}${work}` };
}
