/**
 * Creates and reads page tokens. A token encodes the last name or sequence number of a page in
 * base64url.
 */

import { invalid } from '../rules/check.ts';

export function pageToken(last: string): string {
  return Buffer.from(last).toString('base64url');
}

/**
 * Returns the last name or sequence number of the previous page, or undefined for the first page.
 * Throws ClusterError `InvalidParameterException` for an invalid token.
 */
export function readPageToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const last = Buffer.from(token, 'base64url').toString();
  if (last !== '' && pageToken(last) === token) return last;
  throw invalid('nextToken: it is not a token of this service');
}

/**
 * Returns the first `limit` names, with a token if another page exists. `names` must contain one
 * name more than the limit in that case.
 */
export function pageOf(names: readonly string[], limit: number) {
  const page = names.slice(0, limit);
  const last = page.at(-1);
  const isMore = names.length > limit && last !== undefined;
  return { page, ...(isMore && { nextToken: pageToken(last) }) };
}
