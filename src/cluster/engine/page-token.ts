/**
 * Creates and reads page tokens. A token identifies a list and contains the last name or sequence number of the page,
 * in base64url.
 */

import { invalid } from '../rules/check.ts';

/** The separator between the list and the last name. Neither of them can contain this character. */
const SEPARATOR = '\n';

/**
 * Creates a page token. `list` identifies the list: its kind, and the names of the cluster and the
 * node group.
 */
export function pageToken(list: string, last: string): string {
  return Buffer.from(list + SEPARATOR + last).toString('base64url');
}

/**
 * Returns the last name or sequence number of the previous page, or undefined for the first page.
 * Throws ClusterError `InvalidParameterException` if the token is invalid or belongs to another
 * list.
 */
export function readPageToken(list: string, token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const [of, last = ''] = Buffer.from(token, 'base64url').toString().split(SEPARATOR);
  if (of === list && last !== '' && pageToken(list, last) === token) return last;
  throw invalid('nextToken: the token was not returned by this list operation');
}

/**
 * Returns the first `limit` names, with a token if there is another page. `names` must contain one more name than the
 * limit if there is another page.
 */
export function pageOf(list: string, names: readonly string[], limit: number) {
  const page = names.slice(0, limit);
  const last = page.at(-1);
  const isMore = names.length > limit && last !== undefined;
  return { page, ...(isMore && { nextToken: pageToken(list, last) }) };
}
