/** Converts requests of `ClusterService` to HTTP requests. */

import { percentEncode } from '../../protocol/percent.ts';
import type { WireQuery } from '../../protocol/wire.ts';
import type { Method, Parsed } from '../rules/check.ts';
import { toWire } from './members.ts';
import { OPERATIONS } from './operations.ts';

export interface WireCall {
  readonly name: string;
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** The percent-encoded path, relative to the path of the service. */
  readonly path: string;
  readonly query: WireQuery;
  /** The body as JSON text. Absent for a request without a body. */
  readonly body?: string;
}

/** Returns the HTTP request. The body omits fields that are in the path or in the query. */
export function requestOf<M extends Method>(method: M, request: Parsed<M>): WireCall {
  const { name, method: verb, path: template, query: inQuery = [] } = OPERATIONS[method];
  const rest = new Map<string, unknown>(Object.entries(request));
  const take = (member: string): unknown => {
    const value = rest.get(member);
    rest.delete(member);
    return value;
  };
  const path = template.replace(/\{(\w+)\}/g, (_, member: string) =>
    percentEncode(String(take(member))),
  );
  const query = inQuery.flatMap((member) =>
    valuesOf(take(member)).map((value) => [member, value] as const),
  );
  const call = { name, verb, path, query };
  return verb === 'POST'
    ? { ...call, body: JSON.stringify(toWire(Object.fromEntries(rest))) }
    : call;
}

function valuesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.map(String);
}
