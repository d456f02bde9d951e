/** One HTTP exchange over pooled connections. Failures are TransportErrors; an abort passes through untouched. */

import type { Agent, Dispatcher } from 'undici';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import { openConnections } from './connections.ts';
import type { Address } from './endpoint.ts';
import type { Timeouts } from './limits.ts';
import type { Proxy } from './proxy.ts';
import { authorization } from './proxy-tunnel.ts';
import { type IncomingResponse, ResponseReceiver } from './response.ts';
import { transportFailure } from './transport-failure.ts';
import { WaitedTooLong } from './watch.ts';

export interface OutgoingRequest {
  readonly method: string;
  readonly address: Address;
  /** As it stands in the request line, with `?`; empty for none. */
  readonly query: string;
  readonly headers: WireHeaders;
  readonly content: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** For the exchange up to the answer's head, or to its end when that is small. */
  readonly deadlineMs: number;
  readonly answerIsSmall: boolean;
}

export interface TransportOptions {
  /** The service's; names it in errors. */
  readonly origin: string;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly ca?: string | undefined;
  readonly proxy?: Proxy | undefined;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: Agent;
  /** Where requests go that a proxy is to pass on one by one. */
  readonly #forwarder: Proxy | undefined;

  constructor(options: TransportOptions) {
    const { origin, ca, proxy, timeouts } = options;
    const tunnels = origin.startsWith('https:');
    this.#options = options;
    this.#forwarder = tunnels ? undefined : proxy;
    const { connectMs } = timeouts;
    this.#agent = openConnections({ ...defined({ ca, proxy }), tunnels, connectMs });
  }

  exchange(request: OutgoingRequest, signal?: AbortSignal): Promise<IncomingResponse> {
    const { method, headers, address, query } = request;
    const proxy = this.#forwarder;
    const path = `${address.path}${query}`;
    const flat = headers.flat();
    const toward =
      proxy === undefined
        ? { origin: address.origin, path, headers: flat }
        : {
            origin: proxy.url.origin,
            path: `${address.origin}${path}`,
            headers: [...flat, ...Object.entries(authorization(proxy)).flat()],
          };
    // undici closes the connection after every HEAD unless it is told not to reset it.
    const dispatch = { ...toward, method, reset: false };
    return new Exchange(request, { ...this.#options, signal }).run(this.#agent, dispatch);
  }

  /** Ends idle connections; calls in flight fail. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

interface Surroundings extends TransportOptions {
  readonly signal: AbortSignal | undefined;
}

class Exchange {
  readonly #request: OutgoingRequest;
  readonly #around: Surroundings;
  readonly #receiver: ResponseReceiver;
  /** What the body's own stream threw: it is the caller's error, not the network's. */
  #sourceError: { readonly error: unknown } | undefined;
  #cancelDeadline: () => void = () => undefined;
  readonly #abort = () => this.#receiver.abort(this.#around.signal?.reason as Error);

  constructor(request: OutgoingRequest, around: Surroundings) {
    this.#request = request;
    this.#around = around;
    this.#receiver = new ResponseReceiver(around.clock, around.timeouts);
  }

  async run(
    agent: Agent,
    dispatch: Omit<Agent.DispatchOptions, 'body'>,
  ): Promise<IncomingResponse> {
    const { signal, clock } = this.#around;
    const { deadlineMs } = this.#request;
    signal?.throwIfAborted();
    this.#cancelDeadline = clock.after(deadlineMs, () =>
      this.#receiver.abort(new WaitedTooLong('end of the exchange', deadlineMs)),
    );
    signal?.addEventListener('abort', this.#abort, { once: true });
    try {
      agent.dispatch({ ...dispatch, body: this.#body() }, this.#receiver);
      const response = await this.#receiver.response;
      if (!this.#request.answerIsSmall) this.#cancelDeadline();
      return { ...response, body: this.#translated(response.body) };
    } catch (error) {
      this.#release();
      throw this.#failure(error);
    }
  }

  #release(): void {
    this.#cancelDeadline();
    this.#around.signal?.removeEventListener('abort', this.#abort);
  }

  /** undici takes any async iterable as a body, which its types do not say. */
  #body(): NonNullable<Dispatcher.DispatchOptions['body']> | null {
    const { content } = this.#request;
    if (content === undefined) return null;
    return content instanceof Uint8Array ? content : (this.#watched(content) as never);
  }

  /** The body as it is sent; given up when the service takes nothing for too long. */
  async *#watched(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of content) {
        this.#receiver.sending();
        yield bytes;
        this.#receiver.waitingForSource();
      }
    } catch (error) {
      this.#sourceError = { error };
      throw error;
    }
  }

  async *#translated(body: AsyncIterable<Uint8Array>) {
    try {
      yield* body;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#release();
    }
  }

  #failure(error: unknown): unknown {
    const { signal, origin } = this.#around;
    if (signal?.aborted) return signal.reason;
    if (this.#sourceError !== undefined) return this.#sourceError.error;
    const { bodyStarted, requestStarted } = this.#receiver;
    const sent = this.#request.content === undefined ? requestStarted : bodyStarted;
    return transportFailure(error, { sent, endpoint: origin });
  }
}
