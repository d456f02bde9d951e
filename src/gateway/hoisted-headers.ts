/**
 * Reads headers that a signer moved to the query of a presigned URL, where the signature covers them (semantics
 * B.11.2). For example, the AWS SDK for JavaScript moves every vendor header.
 */

import { CHECKSUM_ALGORITHMS } from '../object-store/checksum.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { toHeaderBytes } from '../protocol/header-text.ts';
import { checksumsOfNothing } from '../protocol/signing/declared-digests.ts';
import { isPresigned, isSignatureParameter } from '../protocol/signing/presigned.ts';
import { Headers } from '../protocol/headers.ts';
import type { WireHeaders, WireQuery } from '../protocol/wire.ts';

export interface Hoisted {
  /** All headers, including those from the query. */
  readonly headers: Headers;
  /** The query without the moved headers. */
  readonly parameters: WireQuery;
}

interface Spoken {
  /** The request's headers. Vendor headers have the prefix of the dialect. */
  readonly headers: Headers;
  readonly query: WireQuery;
}

/**
 * Returns the headers, including vendor headers from the query of a presigned URL, and the query without these headers.
 * Throws InvalidRequest for a header that is in both places, or twice in the query.
 */
export function hoistHeaders({ headers, query }: Spoken, dialect: Dialect): Hoisted {
  if (query.length === 0 || !isPresigned(query, dialect)) return { headers, parameters: query };
  const isHoisted = (name: string) =>
    name.toLowerCase().startsWith(dialect.headerPrefix) && !isSignatureParameter(name, dialect);
  const given = new Set(headers.list.map(([name]) => name));
  const hoisted = query.flatMap(([name, value]): WireHeaders => {
    if (!isHoisted(name)) return [];
    const header = name.toLowerCase();
    if (given.has(header)) throw givenTwice(header);
    given.add(header);
    return [[header, toHeaderBytes(value)]];
  });
  const meant = isEmptyBody(headers) ? hoisted : withoutChecksumOfNothing(hoisted, dialect);
  const parameters = query.filter(([name]) => !isHoisted(name));
  return { headers: new Headers([...headers.list, ...meant]), parameters };
}

function isEmptyBody(headers: Headers): boolean {
  return !headers.has('transfer-encoding') && (headers.get('content-length') ?? '0') === '0';
}

/**
 * Removes the checksum of an empty body, because the body of this request is not empty. Since 2025, the AWS SDK signs
 * the checksum of an empty body when it signs a URL, because it has no body yet. Any other checksum is verified.
 */
function withoutChecksumOfNothing(headers: WireHeaders, { headerPrefix }: Dialect): WireHeaders {
  const isOfNothing = ([name, value]: readonly [string, string]) =>
    CHECKSUM_ALGORITHMS.some(
      (each) =>
        name === `${headerPrefix}checksum-${each.toLowerCase()}` &&
        value === checksumsOfNothing()[each],
    );
  if (!headers.some(isOfNothing)) return headers;
  const naming = `${headerPrefix}sdk-checksum-algorithm`;
  return headers.filter((header) => !isOfNothing(header) && header[0] !== naming);
}

function givenTwice(name: string): StorageError {
  return new StorageError('InvalidRequest', `read headers: ${name} occurs twice`, {
    details: { Header: name },
  });
}
