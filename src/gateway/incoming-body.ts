/** The bytes of a request as they arrive: read with back-pressure, watched for progress, abandoned cleanly. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { MAX_DRAIN_BYTES, MAX_DRAIN_MS, MIN_PROGRESS_BYTES, PROGRESS_WINDOW_MS } from './limits.ts';

export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #clock: Clock;
  #announce: (() => void) | undefined;
  #opened = false;
  #receivedBytes = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** `expecting` when the client waits for `100 Continue`, which is sent when the body is first wanted. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: { clock: Clock; expecting: boolean },
  ) {
    this.#request = request;
    this.#clock = options.clock;
    this.#announce = options.expecting ? () => response.writeContinue() : undefined;
  }

  /** Whether the request has been read to its end. */
  get complete(): boolean {
    return (
      this.#request.readableEnded || (this.#request.complete && this.#request.readableLength === 0)
    );
  }

  /** Whether the client holds the body back until it is told to go on. */
  get isAwaited(): boolean {
    return this.#announce !== undefined;
  }

  /** To be iterated once. Throws RequestTimeout when nothing comes and IncompleteBody when the client is gone. */
  async *read(): AsyncGenerator<Uint8Array> {
    this.#open();
    const stopWatching = this.#watchProgress();
    try {
      for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
        yield chunk;
      }
    } finally {
      stopWatching();
    }
  }

  /** All of a body that was announced as a small one. Throws as `read`. */
  async whole(): Promise<Uint8Array> {
    this.#open();
    const stopWatching = this.#watchProgress();
    try {
      const chunks: Buffer[] = [];
      for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
        chunks.push(chunk);
      }
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    } finally {
      stopWatching();
    }
  }

  /** However steadily it comes: for what takes a place from others. Returns what ends the waiting. */
  failAfter(ms: number): () => void {
    return this.#clock.after(ms, () => this.#fail(tooSlow()));
  }

  async #next(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const chunk = this.#request.read() as Buffer | null;
      if (chunk !== null) {
        this.#receivedBytes += chunk.byteLength;
        return chunk;
      }
      if (this.#request.readableEnded) return undefined;
      await this.#more();
    }
  }

  /**
   * Reads what is left of a refused body, a little: a client that is still sending would lose our answer to a
   * reset connection. Resolves whether the request was read to its end, so that the connection can go on.
   */
  async drain(): Promise<boolean> {
    if (this.complete) return true;
    // The client was never told to go on, so nobody can say whether the body will come.
    if (this.#announce !== undefined) return false;
    this.#open();
    const cancel = this.failAfter(MAX_DRAIN_MS);
    await this.#readSome();
    cancel();
    return this.#request.readableEnded;
  }

  /**
   * As `drain`, for the last answer of a connection. When the limit of bytes is reached, the rest stays unread until the
   * client closes or the time is over: to close at once would reset the connection, and the client would lose our answer.
   */
  async linger(): Promise<void> {
    if (this.complete || this.#announce !== undefined) return;
    this.#open();
    const cancel = this.failAfter(MAX_DRAIN_MS);
    await this.#readSome();
    while (!this.#request.readableEnded && this.#failure === undefined) await this.#more();
    cancel();
  }

  async #readSome(): Promise<void> {
    // Counts the chunk headers as well, which can be larger than the chunks.
    const { socket } = this.#request;
    const limit = socket.bytesRead + MAX_DRAIN_BYTES;
    while (!this.#request.readableEnded && this.#failure === undefined) {
      if (this.#request.read() === null) await this.#more();
      else if (socket.bytesRead > limit) return;
    }
  }

  /** No more bytes will come, though the client still waits for its answer. */
  cutOff(): void {
    this.#fail(connectionLost());
  }

  #open(): void {
    this.#announce?.();
    this.#announce = undefined;
    if (this.#opened) return;
    this.#opened = true;
    const wake = () => this.#wake?.();
    this.#request.on('readable', wake).on('end', wake);
    this.#request
      .on('error', () => this.#fail(connectionLost()))
      .on('close', () => {
        if (!this.#request.readableEnded) this.#fail(connectionLost());
      });
    if (this.#request.destroyed && !this.#request.readableEnded) this.#fail(connectionLost());
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Only time in which we wait for the client counts: a slow store must not fail an honest upload. */
  #watchProgress(): () => void {
    let receivedBefore = this.#receivedBytes;
    let wasWaiting = this.#wake !== undefined;
    let cancel = () => {};
    const look = () => {
      const progressed = this.#receivedBytes - receivedBefore >= MIN_PROGRESS_BYTES;
      const isWaiting = this.#wake !== undefined;
      if (!progressed && wasWaiting && isWaiting) {
        return this.#fail(tooSlow());
      }
      receivedBefore = this.#receivedBytes;
      wasWaiting = isWaiting;
      cancel = this.#clock.after(PROGRESS_WINDOW_MS, look);
    };
    cancel = this.#clock.after(PROGRESS_WINDOW_MS, look);
    return () => cancel();
  }
}

function tooSlow(): StorageError {
  return new StorageError('RequestTimeout', 'read body: nothing came for too long');
}

function connectionLost(): StorageError {
  return new StorageError('IncompleteBody', 'read body: the connection was lost before its end');
}
