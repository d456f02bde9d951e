/**
 * Resumes a download after its connection was lost. So a large restore transfers only the missing
 * bytes.
 */

import { defined } from '../base/defined.ts';
import { discard } from '../object-store/body.ts';
import type { HeadObjectRequest, ObjectHead } from '../object-store/object-store.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { OperationCaller, Streamed } from './caller.ts';

/**
 * The download fails after this many consecutive lost connections that did not receive a single
 * byte.
 */
const MAX_FRUITLESS = 4;

/** The body of a download. It can be iterated once, to its end or until `return()`. */
export class ResumableBody implements AsyncIterableIterator<Uint8Array> {
  readonly #caller: OperationCaller;
  readonly #head: ObjectHead;
  readonly #again: HeadObjectRequest;
  readonly #signal: AbortSignal | undefined;
  #source: AsyncIterator<Uint8Array, unknown>;
  /** The position of the next byte in the object. */
  #next: number;
  readonly #last: number;
  #fruitless = 0;
  #isOver = false;

  constructor(
    caller: OperationCaller,
    request: HeadObjectRequest,
    { output: head, body }: Streamed,
    signal: AbortSignal | undefined,
  ) {
    const { info, range } = head;
    const { bucket, key, versionId = info.versionId, customerKey } = request;
    this.#caller = caller;
    this.#head = head;
    const conditions = { ifMatch: [info.etag] };
    this.#again = defined({ bucket, key, versionId, customerKey, conditions });
    this.#signal = signal;
    this.#source = body[Symbol.asyncIterator]();
    this.#next = range?.first ?? 0;
    this.#last = range?.last ?? info.sizeBytes - 1;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      try {
        const step = await this.#source.next();
        if (step.done === true) return { done: true, value: undefined };
        this.#next += step.value.length;
        this.#fruitless = 0;
        return step;
      } catch (error) {
        // All bytes have arrived. Only the end of the response was lost.
        if (isInterruption(error) && this.#next > this.#last)
          return { done: true, value: undefined };
        await this.#resume(error);
      }
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#isOver = true;
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  /**
   * Requests the missing bytes over another connection. Throws `error` if the download cannot be
   * resumed.
   */
  async #resume(error: unknown): Promise<void> {
    if (!isInterruption(error) || this.#isOver) throw error;
    this.#fruitless += 1;
    if (this.#fruitless >= MAX_FRUITLESS) throw error;
    if (!(await this.#caller.pause(this.#fruitless, this.#signal))) throw error;
    const rest = await this.#reopen(error);
    this.#source = rest[Symbol.asyncIterator]();
    if (this.#isOver) await this.return();
  }

  async #reopen(loss: TransportError): Promise<AsyncIterable<Uint8Array>> {
    const range = { first: this.#next, last: this.#last };
    // An error of this request is thrown instead of `loss`, because the object may be damaged,
    // replaced or deleted.
    const request = { ...this.#again, range };
    const options = defined({ signal: this.#signal });
    const { output, body } = await this.#caller.getObject(request, options);
    const isRest = output.range?.first === range.first && output.range.last === range.last;
    if (isRest && output.info.etag === this.#head.info.etag) return body;
    await discard(body);
    throw withoutRanges(loss);
  }
}

function isInterruption(error: unknown): error is TransportError {
  if (!(error instanceof TransportError)) return false;
  return error.code === 'ConnectionLost' || error.code === 'Timeout';
}

function withoutRanges(error: TransportError): TransportError {
  const message = `${error.message}; the download cannot be resumed: the service does not support ranges`;
  return new TransportError(error.code, message, { sent: true, cause: error });
}
