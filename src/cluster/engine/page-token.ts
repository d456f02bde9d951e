/** Page tokens: the last name of a page, as opaque text. */

import { invalid } from '../rules/check.ts';

export function pageToken(last: string): string {
  return Buffer.from(last).toString('base64url');
}

/** Returns the last name of the previous page, or undefined for the first page. Throws ClusterError `InvalidParameterException`. */
export function readPageToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const last = Buffer.from(token, 'base64url').toString();
  if (last !== '' && pageToken(last) === token) return last;
  throw invalid('nextToken: it is not a token of this service');
}

/** Returns a page of the names. `names` must contain one name more than the limit if another page exists. */
export function pageOf(names: readonly string[], limit: number) {
  const page = names.slice(0, limit);
  const last = page.at(-1);
  const isMore = names.length > limit && last !== undefined;
  return { page, ...(isMore && { nextToken: pageToken(last) }) };
}
