/** One answer as it arrives: its head as a promise, its body as a stream that holds the connection back. */

import type { Dispatcher } from 'undici';

import type { Clock } from '../base/clock.ts';
import type { WireHeaders, WireResponse } from '../protocol/wire.ts';
import { MAX_WAITING_BYTES, type Timeouts } from './limits.ts';
import { Watch } from './watch.ts';

export interface IncomingResponse extends WireResponse {
  /** To be iterated once, to the end or to a `return()`, which gives up the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The body was not wanted to its end. */
class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Hand it to `dispatch`, then await `response`. */
export class ResponseReceiver implements Dispatcher.DispatchHandler {
  readonly response: Promise<IncomingResponse>;
  /** Whether the request's head has begun to leave. */
  requestStarted = false;
  /** Whether bytes of its body have. */
  bodyStarted = false;

  readonly #watch: Watch;
  readonly #timeouts: Timeouts;
  #controller: Dispatcher.DispatchController | undefined;
  #resolve!: (response: IncomingResponse) => void;
  #reject!: (error: Error) => void;
  #isAnswered = false;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, timeouts: Timeouts) {
    this.#watch = new Watch(clock, (error) => this.abort(error));
    this.#timeouts = timeouts;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Fails the answer with `reason`, whatever has come of it. */
  abort(reason: Error): void {
    this.#finish(reason);
    this.#controller?.abort(reason);
  }

  /** A piece of the body is given to the connection, which takes it once the service does. */
  sending(): void {
    if (!this.#isAnswered)
      this.#watch.expect('room for more of the body', this.#timeouts.bodyIdleMs);
  }

  /** The next piece is still to come from where the body is from. */
  waitingForSource(): void {
    this.#watch.rest();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end?.error) return controller.abort(this.#end.error);
    this.requestStarted = true;
    this.#watch.expect('answer', this.#timeouts.headersMs);
  }

  onRequestSent(): void {
    if (!this.#isAnswered) this.#watch.expect('answer', this.#timeouts.headersMs);
  }

  onBodySent(): void {
    this.bodyStarted = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An informational head goes before the answer's own.
    if (status < 200) return;
    this.#isAnswered = true;
    this.#watch.rest();
    this.#resolve({ status, headers: wireHeaders(controller.rawHeaders), body: this.#body() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error);
  }

  #finish(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#watch.end();
    if (error !== undefined) this.#reject(error);
    this.#wake?.();
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#waitingBytes -= chunk.length;
          if (this.#waitingBytes === 0) this.#controller?.resume();
          yield chunk;
        } else if (this.#end === undefined) {
          this.#watch.expect('more of the answer', this.#timeouts.bodyIdleMs);
          await this.#more();
          this.#watch.rest();
        } else if (this.#end.error !== undefined) throw this.#end.error;
        else return;
      }
    } finally {
      if (this.#end === undefined) this.abort(new Abandoned('the body was not read to its end'));
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** Node's own view of headers merges some and drops others; the raw pairs keep every byte. */
function wireHeaders(raw: Dispatcher.DispatchController['rawHeaders']): WireHeaders {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < texts.length; index += 2) {
    headers.push([texts[index]?.toLowerCase() ?? '', texts[index + 1] ?? '']);
  }
  return headers;
}
