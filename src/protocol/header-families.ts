/**
 * Detects the dialect of a request and renames its vendor headers to that dialect. One port accepts both header
 * families (`x-amz-` and `x-svc-`), and a response uses the dialect of its request.
 */

import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from './dialect.ts';
import { isPresignedV2 } from './signing/presigned.ts';
import { Headers } from './headers.ts';
import type { WireQuery } from './wire.ts';

export interface Dialects {
  readonly svc: Dialect;
  readonly amz: Dialect;
}

interface DialectSource {
  readonly headers: Headers;
  readonly query: WireQuery;
}

/**
 * Returns the dialect of the request's signature. If the request is unsigned, its vendor headers determine the dialect.
 * Returns `svc` for a request without vendor headers, and for a request with vendor headers of both families.
 */
export function readDialect({ headers, query }: DialectSource, { svc, amz }: Dialects): Dialect {
  const authorization = headers.get('authorization');
  if (authorization !== undefined) return authorization.startsWith(svc.algorithm) ? svc : amz;
  const signed = query.find(
    ([name]) => name.startsWith(svc.queryPrefix) || name.startsWith(amz.queryPrefix),
  );
  if (signed !== undefined) return signed[0].startsWith(svc.queryPrefix) ? svc : amz;
  if (isPresignedV2(query)) return amz;
  const has = (dialect: Dialect) =>
    headers.list.some(([name]) => name.startsWith(dialect.headerPrefix));
  return !has(svc) && has(amz) ? amz : svc;
}

/**
 * Renames all vendor headers to the dialect's prefix. Throws InvalidRequest if a header is present in both families,
 * because two readers could use different values.
 */
export function unifyHeaderFamilies(
  headers: Headers,
  dialect: Dialect,
  { svc, amz }: Dialects,
): Headers {
  const other = dialect.name === 'svc' ? amz : svc;
  if (!headers.list.some(([name]) => name.startsWith(other.headerPrefix))) return headers;
  const unified = headers.list.map(([name, value]) => {
    if (!name.startsWith(other.headerPrefix)) return [name, value] as const;
    const renamed = dialect.headerPrefix + name.slice(other.headerPrefix.length);
    if (headers.has(renamed)) {
      throw new StorageError(
        'InvalidRequest',
        `read headers: the request has both ${name} and ${renamed}`,
        {
          details: { Header: name },
        },
      );
    }
    return [renamed, value] as const;
  });
  return new Headers(unified);
}
