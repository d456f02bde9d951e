/**
 * Transfers bodies over separate connections. A method returns a token, and the client uses the token to open one
 * stream.
 */

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { ByteSource } from '../../src/control/byte-source.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';
import { receiveBody, sendBody, sendEnd, sendFailure } from '../../src/control/stream-frames.ts';
import { discard } from '../../src/object-store/body.ts';
import { controlErrorOf } from './wire-error.ts';

/** How long an unused token is valid. */
export const CLAIM_TIMEOUT_MS = 30_000;
/** A stream is closed if it makes no progress for this time. It is long enough for a body that is produced slowly. */
export const IDLE_TIMEOUT_MS = 10 * 60_000;
/** How long the result of an upload is available to `objects.put.wait`. */
const OUTCOME_KEPT_MS = 10 * 60_000;
const OUTCOMES_KEPT = 1_000;
/** The maximum number of offered and running streams. Each of them keeps a file or an upload open. */
export const MAX_STREAMS = 64;
const DISCARD_BYTES = 64 * 1024;
/** The size of a token. 128 bits cannot be guessed. */
const TOKEN_BYTES = 16;

type UploadOutcome = Result<'objects.put.wait'>;
type Store = (body: AsyncIterable<Uint8Array>) => Promise<UploadOutcome>;

/**
 * A stream that is waiting for its client. `run` transfers the bytes. `drop` cancels the offer before any bytes were
 * transferred.
 */
interface Offer {
  run(socket: Socket, source: ByteSource): Promise<void>;
  drop(reason: ControlError): void;
}

export class Streams {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #offers = new Map<string, { offer: Offer; cancelExpiry: () => void }>();
  readonly #outcomes = new Map<string, Promise<UploadOutcome>>();
  #running = 0;

  constructor(options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /** Returns a token with which a client can download the body once. If the token is not used, closes the body. */
  offerDownload(body: AsyncIterable<Uint8Array>): string {
    return this.#offer({
      run: (socket) => sendBody(socket, body),
      drop: () => this.#closeBody(body),
    });
  }

  /**
   * Returns a token with which a client can upload one body. `store` is then called with that body. The body throws if
   * the client disconnects before its end. `outcome` returns the result.
   */
  offerUpload(store: Store): string {
    const outcome = Promise.withResolvers<UploadOutcome>();
    // Prevents an unhandled rejection. Callers of `outcome` receive the error, but there may be no caller.
    outcome.promise.catch(() => undefined);
    const token = this.#offer({
      run: (socket, source) => this.#upload({ socket, source, store, outcome }),
      drop: (reason) => outcome.reject(reason),
    });
    this.#keepOutcome(token, outcome.promise);
    return token;
  }

  /**
   * Returns the result of an upload. It can be called only once. Throws ControlError `NotFound` for an unknown token.
   */
  async outcome(token: string): Promise<UploadOutcome> {
    const outcome = this.#outcomes.get(token);
    if (!outcome) throw this.unknown(token);
    try {
      return await outcome;
    } finally {
      this.#outcomes.delete(token);
    }
  }

  unknown(token: string): ControlError {
    const shown = JSON.stringify(token.slice(0, TOKEN_BYTES * 2));
    return new ControlError(
      'NotFound',
      `cannot open stream ${shown}: its token was used, has expired or never existed`,
    );
  }

  /** Serves a connection whose first line is `STREAM token`. Closes the socket at the end. Never throws. */
  async accept(token: string, socket: Socket, source: ByteSource): Promise<void> {
    const waiting = this.#offers.get(token);
    const stopWatching = this.#watchProgress(socket);
    try {
      if (!waiting) throw this.unknown(token);
      this.#offers.delete(token);
      waiting.cancelExpiry();
      this.#running += 1;
      await waiting.offer.run(socket, source).finally(() => (this.#running -= 1));
    } catch (error) {
      await this.#sendFailure(socket, error);
    } finally {
      socket.end();
      // The socket is closed only after the peer has closed its side, so that the peer can read the result.
      while (await source.some(DISCARD_BYTES));
      socket.destroy();
      stopWatching();
    }
  }

  /** Cancels all offers. Running streams end when their sockets are closed. */
  close(): void {
    for (const token of this.#offers.keys()) this.#drop(token, 'the daemon is stopping');
  }

  #offer(offer: Offer): string {
    if (this.#offers.size + this.#running >= MAX_STREAMS) {
      offer.drop(tooMany());
      throw tooMany();
    }
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const cancelExpiry = this.#clock.after(CLAIM_TIMEOUT_MS, () =>
      this.#drop(token, 'no client used the token in time'),
    );
    this.#offers.set(token, { offer, cancelExpiry });
    return token;
  }

  #drop(token: string, reason: string): void {
    const waiting = this.#offers.get(token);
    this.#offers.delete(token);
    waiting?.cancelExpiry();
    waiting?.offer.drop(new ControlError('Disconnected', `cannot open the stream: ${reason}`));
  }

  #keepOutcome(token: string, outcome: Promise<UploadOutcome>): void {
    this.#outcomes.set(token, outcome);
    const [oldest] = this.#outcomes.keys();
    if (oldest !== undefined && this.#outcomes.size > OUTCOMES_KEPT) this.#outcomes.delete(oldest);
    const forget = () => this.#clock.after(OUTCOME_KEPT_MS, () => this.#outcomes.delete(token));
    outcome.then(forget, forget);
  }

  #closeBody(body: AsyncIterable<Uint8Array>): void {
    discard(body).catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'stream: cannot close an unused body'),
    );
  }

  async #upload(upload: {
    readonly socket: Socket;
    readonly source: ByteSource;
    readonly store: Store;
    readonly outcome: PromiseWithResolvers<UploadOutcome>;
  }): Promise<void> {
    const { socket, source, store, outcome } = upload;
    try {
      outcome.resolve(await store(receiveBody(source)));
    } catch (error) {
      outcome.reject(error);
      throw error;
    }
    await sendEnd(socket, 0);
  }

  async #sendFailure(socket: Socket, error: unknown): Promise<void> {
    const failure = controlErrorOf(error, this.#logger);
    if (socket.destroyed) return;
    await sendFailure(socket, failure).catch(() => undefined);
  }

  /** Destroys the socket if it transfers no byte for `IDLE_TIMEOUT_MS`. Returns a function that ends this check. */
  #watchProgress(socket: Socket): () => void {
    let seen = 0;
    let cancel: () => void;
    const look = () => {
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved === seen) socket.destroy();
      seen = moved;
      cancel = this.#clock.after(IDLE_TIMEOUT_MS, look);
    };
    cancel = this.#clock.after(IDLE_TIMEOUT_MS, look);
    return () => cancel();
  }
}

function tooMany(): ControlError {
  return new ControlError('TooMuch', `cannot open a stream: ${MAX_STREAMS} are already open`);
}
