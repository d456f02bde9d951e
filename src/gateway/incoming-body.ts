/**
 * Reads a request body with back-pressure and timeouts. If the request is refused, discards the unread rest of the
 * body.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { freeBytes } from '../base/free-bytes.ts';
import type { ChunkOptions } from '../object-store/body.ts';
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

  /** `expecting` is true if the client waits for `100 Continue`, which is sent when the body is first read. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: { clock: Clock; expecting: boolean },
  ) {
    this.#request = request;
    this.#clock = options.clock;
    this.#announce = options.expecting ? () => response.writeContinue() : undefined;
  }

  /** Whether the request body has been read to its end. */
  get complete(): boolean {
    return (
      this.#request.readableEnded || (this.#request.complete && this.#request.readableLength === 0)
    );
  }

  /** Whether the client waits for `100 Continue` and the response has not been sent yet. */
  get isAwaited(): boolean {
    return this.#announce !== undefined;
  }

  /**
   * Yields the chunks of the body, which can be read only once. Throws RequestTimeout if fewer than MIN_PROGRESS_BYTES
   * arrive within PROGRESS_WINDOW_MS, and IncompleteBody if the connection is lost.
   */
  async *read({ reusesChunks = false }: ChunkOptions = {}): AsyncGenerator<Uint8Array> {
    this.#open();
    const stopWatching = this.#watchProgress();
    try {
      for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
        yield chunk;
        if (reusesChunks) freeBytes(chunk);
      }
    } finally {
      stopWatching();
    }
  }

  /** Returns the whole body. The size that the client announced must be small. Throws the errors of `read`. */
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

  /** Makes the body fail with RequestTimeout after `ms` milliseconds. Returns a function that cancels this limit. */
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
   * Reads and discards a limited part of a refused body. If the connection were closed while the client still sends, it
   * would be reset, and the client would lose the response. Resolves with true if the request was read to its end.
   */
  async drain(): Promise<boolean> {
    if (this.complete) return true;
    // The client waits for `100 Continue`, and the server cannot know whether the client sends the body nevertheless.
    if (this.#announce !== undefined) return false;
    this.#open();
    const cancel = this.failAfter(MAX_DRAIN_MS);
    await this.#readSome();
    cancel();
    return this.#request.readableEnded;
  }

  /**
   * Discards the rest of the body after the last response of a connection. If the body exceeds the byte limit, waits
   * until the client closes the connection or the time limit is reached. Closing the connection at once would reset it,
   * and the client would lose the response.
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
    // Count all bytes that arrived on the connection. They include chunk headers, which can be larger than the chunks
    // themselves.
    const { socket } = this.#request;
    const limit = socket.bytesRead + MAX_DRAIN_BYTES;
    while (!this.#request.readableEnded && this.#failure === undefined) {
      if (this.#request.read() === null) await this.#more();
      else if (socket.bytesRead > limit) return;
    }
  }

  /**
   * Makes the body fail with IncompleteBody, because the client has closed its sending side. The client still waits for
   * the response.
   */
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

  /**
   * Makes the body fail with RequestTimeout if the client sends too few bytes. Counts only the time during which the
   * server waits for the client, so that a slow store does not make an upload fail. Returns a function that ends the
   * check.
   */
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
  return new StorageError('RequestTimeout', 'read body: the client sent the body too slowly');
}

function connectionLost(): StorageError {
  return new StorageError('IncompleteBody', 'read body: the connection was lost before its end');
}
