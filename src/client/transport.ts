/** One HTTP exchange over pooled connections. Failures are TransportErrors; an abort passes through untouched. */

import { Pool, type Dispatcher } from 'undici';

import type { Clock } from '../base/clock.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import {
  BODY_IDLE_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  MAX_CONNECTIONS,
} from './limits.ts';
import { type IncomingResponse, ResponseReceiver } from './response.ts';
import { transportFailure } from './transport-failure.ts';

interface OutgoingRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly headers: WireHeaders;
  readonly content: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

export interface Transport {
  exchange(request: OutgoingRequest, signal?: AbortSignal): Promise<IncomingResponse>;
  /** Ends idle connections; calls in flight fail. */
  close(): Promise<void>;
}

/** `origin` as a URL without path, for instance `http://127.0.0.1:9010`. */
export function openTransport(origin: string, clock: Clock): Transport {
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_IDLE_TIMEOUT_MS,
  });
  return {
    exchange: (request, signal) => new Exchange(request, { origin, clock, signal }).run(pool),
    close: () => pool.destroy(),
  };
}

interface Surroundings {
  readonly origin: string;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

class Exchange {
  readonly #request: OutgoingRequest;
  readonly #around: Surroundings;
  readonly #receiver = new ResponseReceiver();
  /** What the body's own stream threw: it is the caller's error, not the network's. */
  #sourceError: { readonly error: unknown } | undefined;

  constructor(request: OutgoingRequest, around: Surroundings) {
    this.#request = request;
    this.#around = around;
  }

  async run(pool: Pool): Promise<IncomingResponse> {
    const { signal } = this.#around;
    signal?.throwIfAborted();
    const abort = () => this.#receiver.abort(signal?.reason as Error);
    const release = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      pool.dispatch(this.#dispatchOptions(), this.#receiver);
      const response = await this.#receiver.response;
      return { ...response, body: this.#translated(response.body, release) };
    } catch (error) {
      release();
      throw this.#failure(error);
    }
  }

  #dispatchOptions(): Dispatcher.DispatchOptions {
    const { method, target, headers, content } = this.#request;
    return {
      method,
      path: target,
      headers: headers.flat(),
      body: this.#body(content),
      // Else it closes the connection after every HEAD.
      reset: false,
    };
  }

  /** undici takes any async iterable as a body, which its types do not say. */
  #body(content: OutgoingRequest['content']): Uint8Array | null {
    if (content === undefined) return null;
    return content instanceof Uint8Array ? content : (this.#watched(content) as never);
  }

  /** The body as it is sent; aborts when the service takes nothing for too long. */
  async *#watched(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const stalled = () => this.#receiver.abort(new StalledError('the service takes no more bytes'));
    let cancel = () => {};
    try {
      for await (const bytes of content) {
        cancel = this.#around.clock.after(BODY_IDLE_TIMEOUT_MS, stalled);
        yield bytes;
        cancel();
      }
    } catch (error) {
      this.#sourceError = { error };
      throw error;
    } finally {
      cancel();
    }
  }

  async *#translated(body: AsyncIterable<Uint8Array>, release: () => void) {
    try {
      yield* body;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      release();
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

class StalledError extends Error {
  readonly code = 'ETIMEDOUT';
}
