/** Sends one request over one connection and receives its response, with timeouts for both. */

import type { Agent, Dispatcher } from 'undici';

import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';
import type { WireHeaders, WireResponse } from '../protocol/wire.ts';
import { IncomingBody } from './incoming-body.ts';
import type { Timeouts } from './limits.ts';
import { transportFailure } from './transport-failure.ts';
import { Watch } from './watch.ts';

export interface IncomingResponse extends WireResponse {
  /**
   * The response body. It can be read once, to its end or until `return()`. `return()` closes the
   * connection.
   */
  readonly body: IncomingBody;
}

type Content = Uint8Array | AsyncIterable<Uint8Array> | undefined;

export interface ExchangeOptions {
  readonly content: Content;
  /**
   * The maximum time in milliseconds until the response headers arrive, or, if `answerIsSmall`,
   * until the response ends.
   */
  readonly deadlineMs: number;
  readonly answerIsSmall: boolean;
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  /** The endpoint of the service, for error messages. */
  readonly endpoint: string;
}

/** Thrown if the caller stops reading the response body before its end. */
class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** A single request and its response. `run` can be called only once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #watch: Watch;
  readonly #head = Promise.withResolvers<IncomingResponse>();
  readonly #body: IncomingBody;
  #unlisten: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /**
   * Whether undici has started to send the request headers (`#headStarted`) and the request body
   * (`#bodyStarted`).
   */
  #headStarted = false;
  #bodyStarted = false;
  #isAnswered = false;
  #givenUp: Error | undefined;
  #isOver = false;
  /** The error of the request body's stream. It comes from the caller, not from the network. */
  #sourceError: { readonly error: unknown } | undefined;

  constructor(options: ExchangeOptions) {
    const { clock, timeouts } = options;
    this.#options = options;
    this.#watch = new Watch(clock, (error) => this.#giveUp(error));
    this.#body = new IncomingBody({
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      wanted: (isWanted) => {
        if (isWanted) this.#watch.expect('more of the answer', timeouts.bodyIdleMs);
        else this.#watch.rest();
      },
      abandon: () => this.#giveUp(new Abandoned('the body was not read to its end')),
    });
  }

  /**
   * Sends the request. Resolves when the response headers arrive. Rejects with TransportError, with
   * InvalidArgument for a value that HTTP cannot transmit, with the error of the request body, or
   * with the signal's reason.
   */
  async run(agent: Agent, request: Omit<Agent.DispatchOptions, 'body'>): Promise<IncomingResponse> {
    const { signal, deadlineMs, answerIsSmall } = this.#options;
    signal?.throwIfAborted();
    this.#unlisten = signal && onAbort(signal, () => this.#giveUp(signal.reason as Error));
    this.#watch.limit('end of the exchange', deadlineMs);
    agent.dispatch({ ...request, body: this.#outgoing() }, this);
    const response = await this.#head.promise;
    if (!answerIsSmall) this.#watch.unlimit();
    return response;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) return controller.abort(this.#givenUp);
    this.#headStarted = true;
    this.#expect('answer', this.#options.timeouts.headersMs);
  }

  onBodySent(): void {
    this.#bodyStarted = true;
  }

  onRequestSent(): void {
    this.#expect('answer', this.#options.timeouts.headersMs);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Skip informational responses.
    if (status < 200) return;
    this.#isAnswered = true;
    this.#watch.rest();
    this.#head.resolve({ status, headers: wireHeaders(controller.rawHeaders), body: this.#body });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish();
    this.#body.end({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  /** Replaces the current timeout, unless the response has started or the exchange has ended. */
  #expect(what: string, ms: number): void {
    if (!this.#isAnswered && !this.#isOver) this.#watch.expect(what, ms);
  }

  /**
   * Aborts the exchange. This happens after a timeout, when the signal aborts, or when the caller
   * stops reading the body early.
   */
  #giveUp(reason: Error): void {
    if (this.#isOver) return;
    this.#givenUp = reason;
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  #fail(reason: Error): void {
    if (this.#isOver) return;
    this.#finish();
    const error = this.#meaningOf(reason);
    this.#head.reject(error);
    this.#body.end({ error });
  }

  #finish(): void {
    this.#isOver = true;
    this.#watch.end();
    this.#unlisten?.();
  }

  #meaningOf(error: unknown): unknown {
    const { signal, content, endpoint } = this.#options;
    if (signal?.aborted) return signal.reason;
    if (this.#sourceError !== undefined) return this.#sourceError.error;
    const sent = content === undefined ? this.#headStarted : this.#bodyStarted;
    return transportFailure(error, { sent, endpoint });
  }

  /**
   * Returns the request body for undici. undici accepts any async iterable, although its types do
   * not allow it.
   */
  #outgoing(): NonNullable<Dispatcher.DispatchOptions['body']> | null {
    const { content } = this.#options;
    if (content === undefined) return null;
    return content instanceof Uint8Array ? content : (this.#watched(content) as never);
  }

  /** Yields the chunks of the body. The service must accept each chunk before a timeout expires. */
  async *#watched(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { bodyIdleMs } = this.#options.timeouts;
    try {
      for await (const bytes of content) {
        this.#expect('room for more of the body', bodyIdleMs);
        yield bytes;
        if (!this.#isAnswered) this.#watch.rest();
      }
    } catch (error) {
      this.#sourceError = { error };
      throw error;
    }
  }
}

/**
 * Returns all headers with lower-case names. Reads the raw headers, because Node's parsed headers
 * merge some headers and drop others.
 */
function wireHeaders(raw: Dispatcher.DispatchController['rawHeaders']): WireHeaders {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < texts.length; index += 2) {
    headers.push([texts[index]?.toLowerCase() ?? '', texts[index + 1] ?? '']);
  }
  return headers;
}
