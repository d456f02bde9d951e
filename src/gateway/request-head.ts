/** A request's line and headers as the rest of the gateway reads them, taken literally. */

import type { IncomingMessage } from 'node:http';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { readDialect, unifyHeaderFamilies, type Dialects } from '../protocol/header-families.ts';
import { parseQuery } from '../protocol/paths.ts';
import {
  headerValue,
  type WireHeaders,
  type WireQuery,
  type WireRequest,
} from '../protocol/wire.ts';
import { addressOf, type Addressed } from './addressing.ts';
import { hoistHeaders } from './hoisted-headers.ts';

export interface RequestHead extends WireRequest, Addressed {
  readonly dialect: Dialect;
  /**
   * The headers with every vendor header under the dialect's prefix, and with those that a signer moved into the
   * query; `headers` are as they were sent.
   */
  readonly unified: WireHeaders;
  /** The query without those. */
  readonly parameters: WireQuery;
}

export interface HeadOptions {
  readonly dialects: Dialects;
  /** Names below which a host names a bucket, lower case; `localhost` without. */
  readonly baseNames?: readonly string[];
}

const DEFAULT_BASE_NAMES = ['localhost'];

/** Given twice, nobody could say which one was meant; verifying the signature refuses the rest of such headers. */
const SINGLE = new Set(['content-md5', 'date']);
const SINGLE_VENDOR = new Set(['copy-source', 'trailer']);

/** Node's `rawHeaders` alone: it silently keeps only the first of some headers in `headers`. */
export function wireHeaders(rawHeaders: readonly string[]): WireHeaders {
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index]?.toLowerCase() ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

/** Throws InvalidURI, InvalidRequest for headers that contradict each other, InvalidBucketName. */
export function readHead(
  { method = '', url: asked = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  headers: WireHeaders,
  { dialects, baseNames = DEFAULT_BASE_NAMES }: HeadOptions,
): RequestHead {
  const url = originForm(asked, headers);
  const question = url.indexOf('?');
  const path = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? [] : parseQuery(url.slice(question + 1));
  const dialect = readDialect({ headers, query }, dialects);
  const sent = unifyHeaderFamilies(headers, dialect, dialects);
  refuseRepeated(sent, dialect.headerPrefix);
  const { headers: unified, parameters } = hoistHeaders({ headers: sent, query }, dialect);
  const address = addressOf({ path, host: headerValue(headers, 'host') ?? '' }, baseNames);
  return { method, path, query, headers, dialect, unified, parameters, ...address };
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

function refuseRepeated(headers: WireHeaders, prefix: string): void {
  const seen = new Set<string>();
  for (const [name] of headers) {
    const single = name.startsWith(prefix)
      ? SINGLE_VENDOR.has(name.slice(prefix.length))
      : SINGLE.has(name);
    if (single && seen.has(name)) {
      throw new StorageError('InvalidRequest', `read headers: ${name} is given twice`, {
        details: { Header: name },
      });
    }
    seen.add(name);
  }
}
