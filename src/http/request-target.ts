/** The request target and the headers of a request, as the client sent them. */

import { StorageError } from '../object-store/storage-error.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

/** Node's `rawHeaders` alone: it silently keeps only the first of some headers in `headers`. */
export function wireHeaders(rawHeaders: readonly string[]): WireHeaders {
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index]?.toLowerCase() ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i;
const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/**
 * The target of a request line as nearly all send it, `/path?query`, also of one that has scheme and host before it, as
 * proxies are asked (RFC 9112, 3.2.2). That host is to be the header's, which is what was signed: else nobody could say which
 * of the two was meant. Throws InvalidURI.
 */
export function originForm(target: string, headers: WireHeaders): string {
  const [, scheme = '', host = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (scheme === '') return target;
  if (host !== '' && named(host, scheme) === named(headerValue(headers, 'host') ?? '', scheme)) {
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
  throw new StorageError(
    'InvalidURI',
    'read URI: its host is another one than the host header has',
  );
}

function named(host: string, scheme: string): string {
  return host.toLowerCase().replace(DEFAULT_PORTS[scheme.toLowerCase()] ?? '', '');
}
