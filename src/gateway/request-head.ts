/** Parses the request line and the headers of a request to the gateway. */

import type { IncomingMessage } from 'node:http';
import { unifyHeaderFamilies, type Dialects } from '../protocol/header-families.ts';
import type { Headers } from '../protocol/headers.ts';
import { parseQuery } from '../protocol/paths.ts';
import { receivedRequest, type ReceivedRequest } from '../protocol/received-request.ts';
import type { WireQuery } from '../protocol/wire.ts';
import { addressOf, type Addressed } from './addressing.ts';
import { hoistHeaders } from './hoisted-headers.ts';
import { originForm } from '../http/request-target.ts';

export interface RequestHead extends ReceivedRequest, Addressed {
  /**
   * The headers, whose vendor prefix is that of the dialect, including headers that a signer moved to the query.
   * `headers` contains the headers as the client sent them.
   */
  readonly unified: Headers;
  /** The query without the headers that a signer moved to it. */
  readonly parameters: WireQuery;
}

export interface HeadOptions {
  readonly dialects: Dialects;
  /** The base names for virtual-hosted-style requests, in lowercase. Default: `localhost`. */
  readonly baseNames?: readonly string[];
}

const DEFAULT_BASE_NAMES = ['localhost'];

/**
 * Returns the parsed request line and headers. Throws InvalidURI, InvalidBucketName, and InvalidRequest for ambiguous
 * headers or an invalid host.
 */
export function readHead(
  { method = '', url: asked = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  headers: Headers,
  { dialects, baseNames = DEFAULT_BASE_NAMES }: HeadOptions,
): RequestHead {
  const url = originForm(asked, headers);
  const question = url.indexOf('?');
  const path = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? [] : parseQuery(url.slice(question + 1));
  const received = receivedRequest({ method, path, query, headers }, dialects);
  const { dialect } = received;
  const sent = unifyHeaderFamilies(headers, dialect, dialects);
  const { headers: unified, parameters } = hoistHeaders({ headers: sent, query }, dialect);
  const address = addressOf({ path, host: headers.get('host') ?? '' }, baseNames);
  return { ...received, unified, parameters, ...address };
}
