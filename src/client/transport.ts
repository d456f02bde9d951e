/** Sends HTTP requests to a service over pooled connections, directly or through a proxy. */

import type { Agent } from 'undici';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import type { Dialing } from './connections.ts';
import type { Address } from './endpoint.ts';
import { Exchange, type ExchangeOptions, type IncomingResponse } from './exchange.ts';
import type { Timeouts } from './limits.ts';
import type { Proxy } from './proxy.ts';
import { authorization } from './proxy-tunnel.ts';

export interface OutgoingRequest extends Pick<
  ExchangeOptions,
  'content' | 'deadlineMs' | 'answerIsSmall' | 'signal'
> {
  readonly method: string;
  readonly address: Address;
  /** The query in the request line, with `?`. Empty if the request has no query. */
  readonly query: string;
  readonly headers: WireHeaders;
}

export interface TransportOptions {
  /** The origin of the service, such as `https://host:port`. Error messages contain it. */
  readonly origin: string;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly ca?: string | undefined;
  readonly proxy?: Proxy | undefined;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #dialing: Dialing;
  #agent: Promise<Agent> | undefined;
  #isClosed = false;
  /**
   * The proxy that forwards each request to an http service. Undefined for an https service, and
   * for a direct connection.
   */
  readonly #forwarder: Proxy | undefined;

  constructor(options: TransportOptions) {
    const { origin, ca, proxy, timeouts, clock } = options;
    const tunnels = origin.startsWith('https:');
    this.#options = options;
    this.#forwarder = tunnels ? undefined : proxy;
    const { connectMs } = timeouts;
    this.#dialing = { ...defined({ ca, proxy }), tunnels, connectMs, clock };
  }

  /** Sends a request. Resolves and rejects like `Exchange.run`. */
  async exchange({
    method,
    address,
    query,
    headers,
    ...rest
  }: OutgoingRequest): Promise<IncomingResponse> {
    const { origin: endpoint, timeouts, clock } = this.#options;
    const { origin, path } = address;
    const straight = { origin, path: `${path}${query}`, headers: headers.flat() };
    const toward = this.#forwarder === undefined ? straight : forwarded(straight, this.#forwarder);
    // Without `reset: false`, undici closes the connection after every HEAD request.
    const request = { ...toward, method, reset: false };
    const agent = await (this.#agent ??= this.#connect());
    return new Exchange({ ...rest, endpoint, timeouts, clock }).run(agent, request);
  }

  /** Closes the connections. Calls in progress and future calls fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // The request that failed to connect has already reported this error.
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.destroy();
  }

  /**
   * Opens the connection pool, unless the client is closed. Loads undici with the first request,
   * because it uses 26 MB.
   */
  async #connect(): Promise<Agent> {
    const { openConnections } = await import('./connections.ts');
    if (!this.#isClosed) return openConnections(this.#dialing);
    const message = `cannot use ${this.#options.origin}: the client is closed`;
    throw new TransportError('ConnectionLost', message, { sent: false });
  }
}

interface Toward {
  readonly origin: string;
  readonly path: string;
  readonly headers: string[];
}

function forwarded({ origin, path, headers }: Toward, proxy: Proxy): Toward {
  return {
    origin: proxy.url.origin,
    path: `${origin}${path}`,
    headers: [...headers, ...Object.entries(authorization(proxy)).flat()],
  };
}
