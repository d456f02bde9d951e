/** Determines the URL of a request, with the bucket either in the path or in the host name. */

import { isIP } from 'node:net';

import type { Target } from '../protocol/paths.ts';
import { percentEncode } from '../protocol/percent.ts';

export type Addressing = 'path' | 'virtual';

export interface Address {
  /** The origin to connect to, such as `https://host:port`. */
  readonly origin: string;
  /** The value of the Host header. */
  readonly host: string;
  /** The path in the request line, without the query. */
  readonly path: string;
}

export class Endpoint {
  readonly origin: string;
  readonly url: URL;
  readonly #addressing: Addressing;

  /**
   * Parses `text`, an http or https URL with a host and an optional port. Throws TypeError for any other
   * text.
   */
  constructor(text: string, addressing: Addressing) {
    this.url = parse(text);
    this.origin = this.url.origin;
    this.#addressing = addressing;
  }

  /** Returns the address for a request. `path` is a percent-encoded `/`, `/bucket` or `/bucket/key`. */
  address({ bucket }: Target, path: string): Address {
    const { host, protocol } = this.url;
    if (bucket === undefined || !this.#isInHost(bucket)) return { origin: this.origin, host, path };
    const inPath = `/${percentEncode(bucket)}`;
    const virtual = `${bucket}.${host}`;
    return {
      origin: `${protocol}//${virtual}`,
      host: virtual,
      path: path.slice(inPath.length) || '/',
    };
  }

  /**
   * Returns whether the host name contains the bucket. Over TLS, a bucket name with dots stays in the path,
   * because a wildcard certificate covers only one label.
   */
  #isInHost(bucket: string): boolean {
    const { hostname, protocol } = this.url;
    if (this.#addressing === 'path' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0)
      return false;
    return HOST_NAME.test(bucket) && !(protocol === 'https:' && bucket.includes('.'));
  }
}

const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9]))*[a-z0-9]$/;

function parse(text: string): URL {
  const url = URL.parse(text);
  const plain = url?.pathname === '/' && !url.search && !url.username && !url.password;
  if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new TypeError('invalid endpoint: it must be http://host[:port] or https://host[:port]');
}
