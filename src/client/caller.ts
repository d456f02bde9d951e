/**
 * Calls S3 operations within the concurrency limit. Failed calls are retried according to retry.ts.
 */

import { unlessAborted } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Body } from '../object-store/body.ts';
import type { CallOptions, HeadObjectRequest, ObjectHead } from '../object-store/object-store.ts';
import type * as Clocks from '../object-store/service-clock.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { decodeError } from '../protocol/error-document.ts';
import {
  decodeResponse,
  type Input,
  type OperationName,
  type Output,
} from '../protocol/operations.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';
import { type Call, prepareCall } from './call.ts';
import { customerKeyGuard } from './customer-keys.ts';
import { AdaptiveLimit, type Concurrency, type Experience } from './concurrency.ts';
import { DialectChoice } from './dialect-choice.ts';
import { MAX_CONNECTIONS, MAX_WHOLE_BYTES, type Timeouts, TIMEOUTS, transferMs } from './limits.ts';
import { retryAfterMs } from './refusal.ts';
import type { IncomingResponse } from './exchange.ts';
import { refuseObjectItself } from './passed-over.ts';
import { backOff, retryDelay } from './retry.ts';
import { RetryBudget } from './retry-budget.ts';
import { type LinkRequest, Sender, type Service } from './sender.ts';
import { ServiceTime } from './service-time.ts';

export interface CallerOptions extends Service {
  /** The dialect of the service, or a `DialectChoice` that detects it with the first call. */
  readonly dialect: Dialect | DialectChoice;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeouts?: Partial<Timeouts>;
  /**
   * Called when the service rejects the access key, its secret or its session token. This may mean
   * that the credentials have been replaced.
   */
  readonly onKeyRefused?: () => void;
}

/**
 * The output of a read operation, with the bytes of the object. The caller must read `body` to its end or call
 * `return()` of its iterator.
 */
export interface Streamed {
  readonly output: ObjectHead;
  readonly body: AsyncIterable<Uint8Array>;
  /** All bytes, if the object is small. In that case, `body` must not be read. */
  readonly bytes?: Uint8Array;
}

const KEY_REFUSED = [
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
] as const;

/** A failed attempt. `headers` are the response headers. They are empty if no response arrived. */
interface Failed {
  readonly error: unknown;
  readonly headers: WireHeaders;
}

type Outcome<T> = { readonly value: T } | Failed;

export class OperationCaller {
  readonly #options: CallerOptions;
  readonly #timeouts: Timeouts;
  readonly #sender: Sender;
  readonly #guardKeys: ReturnType<typeof customerKeyGuard>;
  readonly #limit: AdaptiveLimit;
  readonly #budget = new RetryBudget();
  readonly #time = new ServiceTime();
  readonly #closing = new AbortController();

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#limit = new AdaptiveLimit(MAX_CONNECTIONS, options.clock);
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#sender = new Sender(options, options.clock, this.#timeouts);
    this.#guardKeys = customerKeyGuard(this.#sender.origin);
  }

  get concurrency(): Concurrency {
    return this.#limit.state;
  }

  close(): Promise<void> {
    const message = `cannot use ${this.#sender.origin}: the client is closed`;
    const closed = new TransportError('ConnectionLost', message, { sent: false });
    this.#closing.abort(closed);
    this.#limit.close(closed);
    return this.#sender.close();
  }

  /**
   * Returns a presigned URL. If this machine's clock is known to be wrong, signs it with the
   * service's time.
   */
  async presign(request: LinkRequest): Promise<string> {
    return this.#sender.presign(request, await this.#dialect(), this.#time.offsetMs);
  }

  /** Calls an operation whose response does not contain object bytes, and returns its output. */
  async call<N extends OperationName>(
    name: N,
    input: Input<N>,
    options: CallOptions & { readonly body?: Body } = {},
  ): Promise<Output<N>> {
    this.#guardKeys(input);
    return this.#callIn(await this.#dialect(options.signal), name, input, options);
  }

  async #callIn<N extends OperationName>(
    dialect: Dialect,
    name: N,
    input: Input<N>,
    options: CallOptions & { readonly body?: Body },
  ): Promise<Output<N>> {
    const call = await prepareCall(name, input, { ...options, dialect, answerIsSmall: true });
    return this.#repeat(call, async (response) => {
      await refuseObjectItself(call, response);
      const body = await this.#sender.readText(response);
      // A service can report an error of CopyObject or CompleteMultipartUpload in the body of a 200
      // response.
      if (/^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(body)) {
        throw decodeError({ ...response, status: 500, body }, { dialect, target: input });
      }
      const { status, headers } = response;
      return decodeResponse(name, { status, headers, body }, dialect);
    });
  }

  /**
   * Reads an object. Resolves when the response headers have arrived. For a small object, resolves when all
   * its data has arrived: reading it at once is cheaper than a stream, and a lost connection is retried here.
   */
  async getObject(input: HeadObjectRequest, options: CallOptions = {}): Promise<Streamed> {
    this.#guardKeys(input);
    const dialect = await this.#dialect(options.signal);
    const prepared = { ...options, dialect, answerIsSmall: false };
    const call = await prepareCall('GetObject', input, prepared);
    return this.#repeat(call, async ({ status, headers, body }) => {
      const output = decodeResponse('GetObject', { status, headers }, dialect);
      if (output.range !== undefined || output.info.sizeBytes > MAX_WHOLE_BYTES)
        return { output, body };
      return { output, body, bytes: await body.whole() };
    });
  }

  /**
   * Returns the dialect of the service. If it is unknown, probes the service once for all waiting
   * calls.
   */
  async #dialect(signal?: AbortSignal): Promise<Dialect> {
    const { dialect } = this.#options;
    if (!(dialect instanceof DialectChoice)) return dialect;
    if (dialect.found !== undefined) return dialect.found;
    signal?.throwIfAborted();
    const probe = (each: Dialect) => this.#callIn(each, 'ListBuckets', {}, {});
    return unlessAborted(dialect.find(this.#sender.origin, probe), signal);
  }

  /**
   * Sends HeadBucket and returns the service's time from the `date` header, which error responses
   * also contain. Returns undefined if the header is missing or invalid.
   */
  async serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<Clocks.ServiceTime | undefined> {
    try {
      await this.call('HeadBucket', request, options);
    } catch (error) {
      if (!isStorageError(error)) throw error;
    }
    const now = this.#time.now;
    return now === undefined ? undefined : { now, isTrusted: false };
  }

  /**
   * Waits before retry `number` of a repeatable request, and returns true. Returns false if the
   * request must not be retried, because the client is closed or the retry budget is exhausted.
   */
  async pause(number: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#closing.signal.aborted || !this.#budget.spend()) return false;
    await this.#sleep(backOff(number, Math.random()), signal);
    return true;
  }

  async #repeat<T>(call: Call, read: (response: IncomingResponse) => Promise<T>): Promise<T> {
    const { clock, logger } = this.#options;
    const { name: operation, body, signal } = call;
    const startedAt = clock.monotonic();
    let isInTime = false;
    try {
      for (let number = 1; ; number += 1) {
        const outcome = await this.#attempt(call, read);
        if ('value' in outcome) return outcome.value;
        signal?.throwIfAborted();
        if (this.#learnTime(call, outcome) && !isInTime && body.repeatable) {
          isInTime = true;
          continue;
        }
        const elapsedMs = clock.monotonic() - startedAt;
        const delayMs = this.#delay(call, outcome, { number, elapsedMs });
        if (delayMs === undefined) throw outcome.error;
        logger.debug({ operation, attempt: number, delayMs }, 'calling again');
        await this.#sleep(delayMs, signal);
      }
    } finally {
      body.release();
    }
  }

  /**
   * Runs one attempt within the concurrency limit. A large download counts only until its response headers arrive,
   * because the reader of its body may wait for responses to other requests before it continues.
   */
  async #attempt<T>(
    call: Call,
    read: (response: IncomingResponse) => Promise<T>,
  ): Promise<Outcome<T>> {
    const turn = await this.#limit.turn(call.signal);
    let headers: WireHeaders = [];
    let experience: Experience = 'answered';
    try {
      const response = await this.#sender.send(call, this.#time.offsetMs);
      headers = response.headers;
      this.#time.hear(headers);
      this.#logAnswer(call, response);
      const isSuccess = response.status < 300;
      const value = isSuccess ? await read(response) : await this.#sender.refuse(call, response);
      this.#budget.earn();
      return { value };
    } catch (error) {
      experience = experienceOf(error);
      if (isStorageError(error, ...KEY_REFUSED)) this.#options.onKeyRefused?.();
      return { error, headers };
    } finally {
      turn.end(experience);
    }
  }

  /** Logs the response with its request ID. The service's own log contains the same ID. */
  #logAnswer({ name: operation, dialect }: Call, { status, headers }: IncomingResponse): void {
    const { logger } = this.#options;
    const requestId = headerValue(headers, `${dialect.headerPrefix}request-id`);
    logger.debug({ endpoint: this.#sender.origin, operation, status, requestId }, 'answered');
  }

  /**
   * Returns the delay in milliseconds before the next attempt, or undefined if the call must not be
   * retried.
   */
  #delay(
    call: Call,
    { error, headers }: Failed,
    { number, elapsedMs }: { readonly number: number; readonly elapsedMs: number },
  ): number | undefined {
    const { isIdempotent, isGuarded, body } = call;
    const afterMs = retryAfterMs(headers, this.#options.clock.now() + this.#time.offsetMs);
    const attempt = { number, isIdempotent, isGuarded, repeatable: body.repeatable };
    const delayMs = retryDelay(error, { ...attempt, retryAfterMs: afterMs }, Math.random());
    if (delayMs === undefined || this.#closing.signal.aborted) return undefined;
    const allowedMs = this.#timeouts.repeatMs + transferMs(body.sizeBytes);
    if (elapsedMs + delayMs > allowedMs) return undefined;
    return this.#budget.spend() ? delayMs : undefined;
  }

  /**
   * Returns whether the response shows that this machine's clock is wrong. If it does, later
   * requests are signed with the service's time.
   */
  #learnTime({ request }: Call, { error, headers }: Failed): boolean {
    const { clock, logger } = this.#options;
    const { method } = request;
    if (!this.#time.learn({ error, method, headers }, clock.now())) return false;
    logger.warn(
      { endpoint: this.#sender.origin, offsetMs: this.#time.offsetMs },
      "the service's clock differs from this machine's, so requests are signed with its time; set this machine's clock",
    );
    return true;
  }

  /**
   * Waits `ms` milliseconds. Rejects with the signal's reason, or with TransportError when the
   * client is closed.
   */
  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal;
    return this.#options.clock.sleep(ms, signal ? AbortSignal.any([signal, closing]) : closing);
  }
}

/**
 * Returns what a failed attempt shows about the load on the service. For example, a timeout shows overload, and a lost
 * connection shows nothing.
 */
function experienceOf(error: unknown): Experience {
  if (error instanceof TransportError) return error.code === 'Timeout' ? 'overloaded' : 'neither';
  if (isStorageError(error, 'SlowDown', 'ServiceUnavailable')) return 'overloaded';
  return isStorageError(error) && !isStorageError(error, 'InternalError') ? 'answered' : 'neither';
}
