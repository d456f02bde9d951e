/** Reads the target and the headers of a request exactly as the client sent them. */

import { StorageError } from '../object-store/storage-error.ts';
import { Headers } from '../protocol/headers.ts';

/**
 * Returns all headers, with names in lowercase. Reads `rawHeaders`, because Node drops some
 * repeated headers from `headers` without an error.
 */
export function headersOf(rawHeaders: readonly string[]): Headers {
  const list: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    list.push([rawHeaders[index]?.toLowerCase() ?? '', rawHeaders[index + 1] ?? '']);
  }
  return new Headers(list);
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i;
const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/**
 * Returns the request target as `/path?query`. Removes the scheme and the host of an absolute
 * target (RFC 9112, 3.2.2). Throws InvalidURI if that host differs from the `host` header, which is
 * signed.
 */
export function originForm(target: string, headers: Headers): string {
  const [, scheme = '', host = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (scheme === '') return target;
  if (host !== '' && named(host, scheme) === named(headers.get('host') ?? '', scheme)) {
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
  throw new StorageError('InvalidURI', 'read URI: its host differs from the host header');
}

function named(host: string, scheme: string): string {
  return host.toLowerCase().replace(DEFAULT_PORTS[scheme.toLowerCase()] ?? '', '');
}
