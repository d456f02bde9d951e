/** Parses the request line and the headers for the rest of the gateway. */

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
import { originForm } from '../http/request-target.ts';

export interface RequestHead extends WireRequest, Addressed {
  readonly dialect: Dialect;
  /**
   * The headers with the prefix of the dialect, including headers that a signer moved into the query. `headers` are as
   * the client sent them.
   */
  readonly unified: WireHeaders;
  /** The query without those headers. */
  readonly parameters: WireQuery;
}

export interface HeadOptions {
  readonly dialects: Dialects;
  /** Base names of virtual hosts, in lower case. Default: `localhost`. */
  readonly baseNames?: readonly string[];
}

const DEFAULT_BASE_NAMES = ['localhost'];

/** Headers that are ambiguous if they are repeated. Signature verification refuses further ones. */
const SINGLE = new Set(['content-md5', 'date']);
const SINGLE_VENDOR = new Set(['copy-source', 'trailer']);

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
