/** Where a page ended, as an opaque text. */

import { invalid } from '../rules/check.ts';

export function pageToken(last: string): string {
  return Buffer.from(last).toString('base64url');
}

/** Undefined for the first page. Throws ClusterError `InvalidParameterException`. */
export function readPageToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const last = Buffer.from(token, 'base64url').toString();
  if (last !== '' && pageToken(last) === token) return last;
  throw invalid('nextToken: it is not one that this service gave');
}

/** One more name than the page has tells that there are more. */
export function pageOf(names: readonly string[], limit: number) {
  const page = names.slice(0, limit);
  const last = page.at(-1);
  const isMore = names.length > limit && last !== undefined;
  return { page, ...(isMore && { nextToken: pageToken(last) }) };
}
