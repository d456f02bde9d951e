/** Both header families are understood on one port; which one a request speaks decides the answer's. */

import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from './dialect.ts';
import { isPresignedV2 } from './signing/presigned.ts';
import { Headers } from './headers.ts';
import type { WireQuery } from './wire.ts';

export interface Dialects {
  readonly svc: Dialect;
  readonly amz: Dialect;
}

interface Spoken {
  readonly headers: Headers;
  readonly query: WireQuery;
}

/** The signature tells, else the headers; `svc` when nothing does. */
export function readDialect({ headers, query }: Spoken, { svc, amz }: Dialects): Dialect {
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
 * The headers with every vendor header under the dialect's prefix. One that is given in both families is
 * refused: two readers could believe different values.
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
        `read headers: ${name} and ${renamed} are both given`,
        {
          details: { Header: name },
        },
      );
    }
    return [renamed, value] as const;
  });
  return new Headers(unified);
}
