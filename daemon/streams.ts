/** The daemon's end of the streams: bodies that wait for a client to come and fetch or bring them. */

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Clock } from '../src/base/clock.ts';
import type { Logger } from '../src/base/logger.ts';
import type { ByteSource } from '../src/control/byte-source.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Result } from '../src/control/messages.ts';
import { receiveBody, sendBody, sendEnd, sendFailure } from '../src/control/stream-frames.ts';
import { discard } from '../src/object-store/body.ts';
import { controlErrorOf } from './wire-error.ts';

/** A client connects at once; a token that was not used by then is worth nothing any more. */
export const CLAIM_TIMEOUT_MS = 30_000;
/** A dead peer's socket closes at once; this is for one that hangs, and leaves time to a slow producer. */
export const IDLE_TIMEOUT_MS = 10 * 60_000;
/** How long the outcome of an upload waits to be asked for. */
const OUTCOME_KEPT_MS = 10 * 60_000;
const OUTCOMES_KEPT = 1_000;
/** Offered and running ones together: each holds a file or an upload open. */
export const MAX_STREAMS = 64;
const DISCARD_BYTES = 64 * 1024;
/** 128 bits: not to be guessed in the seconds that a token lives. */
const TOKEN_BYTES = 16;

type UploadOutcome = Result<'objects.put.wait'>;
type Store = (body: AsyncIterable<Uint8Array>) => Promise<UploadOutcome>;

/** What waits for a client: `run` moves the bytes, `drop` gives up before any. */
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

  /** The token with which a client may fetch the body once. A body that nobody fetches is closed. */
  offerDownload(body: AsyncIterable<Uint8Array>): string {
    return this.#offer({
      run: (socket) => sendBody(socket, body),
      drop: () => this.#closeBody(body),
    });
  }

  /**
   * The token with which a client may bring a body once. `store` is called when it comes, and is
   * given a body that throws when the client is lost before its end. See `outcome`.
   */
  offerUpload(store: Store): string {
    const outcome = Promise.withResolvers<UploadOutcome>();
    // Whoever asks for it gets the error; nobody has to ask.
    outcome.promise.catch(() => undefined);
    const token = this.#offer({
      run: (socket, source) => this.#upload({ socket, source, store, outcome }),
      drop: (reason) => outcome.reject(reason),
    });
    this.#keepOutcome(token, outcome.promise);
    return token;
  }

  /** How an upload ended; to be asked for once. `NotFound` for a token that names none. */
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
      `open stream ${shown}: it was used, has expired or never was`,
    );
  }

  /** Serves a connection that has said `STREAM token`. Never throws; closes the socket in the end. */
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
      await this.#tellFailure(socket, error);
    } finally {
      socket.end();
      // Closing at once could overtake the verdict: the peer closes when it has read it.
      while (await source.some(DISCARD_BYTES));
      socket.destroy();
      stopWatching();
    }
  }

  /** Drops what was offered. Running streams end with their sockets. */
  close(): void {
    for (const token of this.#offers.keys()) this.#drop(token, 'the daemon stops');
  }

  #offer(offer: Offer): string {
    if (this.#offers.size + this.#running >= MAX_STREAMS) {
      offer.drop(tooMany());
      throw tooMany();
    }
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const cancelExpiry = this.#clock.after(CLAIM_TIMEOUT_MS, () =>
      this.#drop(token, 'nobody used it in time'),
    );
    this.#offers.set(token, { offer, cancelExpiry });
    return token;
  }

  #drop(token: string, reason: string): void {
    const waiting = this.#offers.get(token);
    this.#offers.delete(token);
    waiting?.cancelExpiry();
    waiting?.offer.drop(new ControlError('Disconnected', `open stream: ${reason}`));
  }

  #keepOutcome(token: string, outcome: Promise<UploadOutcome>): void {
    this.#outcomes.set(token, outcome);
    const [oldest] = this.#outcomes.keys();
    if (oldest !== undefined && this.#outcomes.size > OUTCOMES_KEPT) this.#outcomes.delete(oldest);
    const forget = () => this.#clock.after(OUTCOME_KEPT_MS, () => this.#outcomes.delete(token));
    outcome.then(forget, forget);
  }

  #closeBody(body: AsyncIterable<Uint8Array>): void {
    discard(body).catch((error: unknown) => this.#logger.warn({ err: error }, 'close unused body'));
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

  async #tellFailure(socket: Socket, error: unknown): Promise<void> {
    const failure = controlErrorOf(error, this.#logger);
    if (socket.destroyed) return;
    await sendFailure(socket, failure).catch(() => undefined);
  }

  /** Destroys a socket that moves no byte from one look to the next. */
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
  return new ControlError('TooMuch', `open stream: ${MAX_STREAMS} are open already`);
}
