/** Finds the operation for a request line, and the request fields in its path and query. */

import { parseQuery } from '../../protocol/paths.ts';
import { percentDecode } from '../../protocol/percent.ts';
import { ClusterError } from '../cluster-error.ts';
import type { Method } from '../rules/check.ts';
import { OPERATIONS } from '../wire/operations.ts';

export interface Routed {
  readonly method: Method;
  /** The fields of the request that are in the path and in the query. */
  readonly members: Readonly<Record<string, unknown>>;
}

const ROUTES = Object.entries(OPERATIONS).map(([name, { method: verb, path, query = [] }]) => ({
  method: name as Method,
  verb,
  query,
  segments: path.split('/').slice(1),
}));

/**
 * Returns the operation for the method, path and query of a request line. `path` is
 * percent-encoded. Throws ClusterError `UnknownOperationException`.
 */
export function route(verb: string, path: string, query: string): Routed {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const there = ROUTES.filter((each) => fits(each.segments, segments));
  const found = there.find((each) => each.verb === verb);
  if (!found) {
    const methods = there.map((each) => each.verb).join(', ');
    const known = methods === '' ? 'the path does not exist' : `${path} supports only ${methods}`;
    throw new ClusterError('UnknownOperationException', `find operation ${verb} ${path}: ${known}`);
  }
  const inPath = found.segments.flatMap((each, index) =>
    each.startsWith('{') ? [[each.slice(1, -1), percentDecode(segments[index] ?? '')]] : [],
  );
  const members = { ...Object.fromEntries(inPath), ...inQuery(query, found.query) };
  return { method: found.method, members };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((each, index) => each.startsWith('{') || each === segments[index]);
}

/**
 * Returns the request fields in the query. A repeated parameter becomes a list. Invalid numbers are accepted here,
 * because `parseRequest` rejects them later.
 */
function inQuery(query: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of parseQuery(query)) {
    if (!names.includes(name)) continue;
    if (name === 'tagKeys') members[name] = [...((members[name] as string[]) ?? []), value];
    else members[name] = name === 'maxResults' && value !== '' ? Number(value) : value;
  }
  return members;
}
