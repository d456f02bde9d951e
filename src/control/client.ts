/** Implements the client of the control protocol. The command line and the dashboard use this client. */

import type { Socket } from 'node:net';

import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';

import { invariant } from '../base/errors.ts';
import { systemClock } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';
import { ByteSource } from './byte-source.ts';
import { ControlError } from './control-error.ts';
import { MAX_MESSAGE_BYTES, openChannel } from './framing.ts';
import type { NOTIFICATIONS } from './first-messages.ts';
import type { DaemonEvent, MethodName, MissedEvents, Params, Result } from './messages.ts';
import { schemasOf } from './method-schemas.ts';
import { openSocket } from './socket.ts';
import { downloadStream, uploadStream } from './streams.ts';
import { PROTOCOL_VERSION, versionMismatch } from './version-mismatch.ts';
import { fromResponseError } from './wire-error.ts';

/** The time limit for the response to `hello`. A working daemon responds immediately. */
const HELLO_TIMEOUT_MS = 10_000;

export interface ConnectOptions {
  readonly socketPath: string;
  /** The name of the client in the daemon's log. */
  readonly clientName: string;
  /**
   * The Holdfast version of the client. If the daemon has the same version, the client does not validate the daemon's
   * status against the schema.
   */
  readonly release?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Called before each request. If it throws, the request is not sent. */
  readonly beforeCall?: (method: MethodName) => void;
  /** Called after each request, whether it succeeded or failed. `ms` is the duration in milliseconds. */
  readonly onAnswer?: (method: MethodName, ms: number) => void;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A client with one connection. If a request fails, the method rejects with `ControlError` or, if the signal was
 * aborted, with the signal's reason.
 */
export interface ControlClient {
  /** The daemon's response to `hello`, the first request of the connection. */
  readonly hello: Result<'hello'>;
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options?: CallOptions,
  ): Promise<Result<M>>;
  /**
   * Subscribes to events. The listeners of `onEvent` receive them. With `after`, the daemon first sends stored events
   * with a higher sequence number. With `types`, the daemon sends only events of these types.
   */
  subscribe(wish?: Params<'events.subscribe'>): Promise<Result<'events.subscribe'>>;
  /** `onEvent`, `onMissed` and `onClose` add a listener. Each returns a function that removes the listener. */
  onEvent(listener: (event: DaemonEvent) => void): () => void;
  onMissed(listener: (missed: MissedEvents) => void): () => void;
  onClose(listener: () => void): () => void;
  /**
   * Yields the bytes of a stream that `objects.get` opened. If the iteration ends without an error, the body is
   * complete.
   */
  download(stream: string, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Sends the bytes of a stream that `objects.put` opened. Resolves when the bytes are durable. */
  upload(stream: string, body: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<void>;
  close(): void;
}

/**
 * Connects to the daemon and performs the handshake. Rejects with ControlError, such as `NotRunning`,
 * `PermissionDenied` or `VersionMismatch`, or with the signal's reason.
 */
export async function connectControl(options: ConnectOptions): Promise<ControlClient> {
  const socket = await openSocket(options.socketPath, options.signal);
  const client = new SocketClient(options, socket);
  try {
    await client.shakeHands();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

class SocketClient implements ControlClient {
  readonly #socketPath: string;
  readonly #socket: Socket;
  readonly #options: ConnectOptions;
  readonly #connection: MessageConnection;
  readonly #events = new Listeners<DaemonEvent>();
  readonly #missed = new Listeners<MissedEvents>();
  readonly #closed = new Listeners<void>();
  #hello: Result<'hello'> | undefined;
  #isSameRelease = false;
  /**
   * The schemas of notifications. They are loaded before the first subscription, because the daemon sends no
   * notifications before that.
   */
  #notifications: typeof NOTIFICATIONS | undefined;

  constructor(options: ConnectOptions, socket: Socket) {
    this.#options = options;
    this.#socketPath = options.socketPath;
    this.#socket = socket;
    const source = new ByteSource(socket);
    this.#connection = openChannel({ socket, source, onViolation: () => this.close() });
    this.#connection.onNotification('event', (event: unknown) =>
      this.#events.notify(this.#known().event.parse(event)),
    );
    this.#connection.onNotification('events.missed', (missed: unknown) =>
      this.#missed.notify(this.#known()['events.missed'].parse(missed)),
    );
    socket.once('close', () => {
      // Rejects all pending requests.
      this.#connection.dispose();
      this.#closed.notify();
    });
    this.#connection.listen();
  }

  get hello(): Result<'hello'> {
    invariant(this.#hello, 'connectControl shakes hands first');
    return this.#hello;
  }

  #known(): typeof NOTIFICATIONS {
    invariant(this.#notifications, 'a client subscribes before the daemon sends notifications');
    return this.#notifications;
  }

  async shakeHands(): Promise<void> {
    const { clientName, release, signal, clock = systemClock } = this.#options;
    let late = false;
    const cancel = clock.after(HELLO_TIMEOUT_MS, () => {
      late = true;
      this.close();
    });
    try {
      const params = { protocol: PROTOCOL_VERSION, client: clientName };
      this.#hello = readHello(await this.#request('hello', params, signal));
    } catch (error) {
      throw late
        ? new ControlError(
            'Disconnected',
            `the daemon runs, but has not responded for ${HELLO_TIMEOUT_MS / 1_000} s`,
          )
        : error;
    } finally {
      cancel();
    }
    const { protocol: daemon, version: daemonRelease } = this.#hello;
    this.#isSameRelease = daemonRelease === release;
    if (daemon === PROTOCOL_VERSION) return;
    throw versionMismatch({ client: PROTOCOL_VERSION, daemon, daemonRelease });
  }

  async call<M extends MethodName>(
    method: M,
    params: Params<M>,
    { signal }: CallOptions = {},
  ): Promise<Result<M>> {
    this.#options.beforeCall?.(method);
    if (method === 'events.subscribe')
      this.#notifications ??= (await import('./first-messages.ts')).NOTIFICATIONS;
    const { onAnswer, clock = systemClock } = this.#options;
    const startedAt = clock.monotonic();
    const answer = await this.#request(method, params, signal).finally(() =>
      onAnswer?.(method, clock.monotonic() - startedAt),
    );
    // The status is not validated, because loading the schema takes longer than the request.
    if (method === 'status' && this.#isSameRelease) return answer as Result<M>;
    const { result } = await schemasOf(method);
    const parsed = result.safeParse(answer);
    if (parsed.success) return parsed.data as Result<M>;
    throw otherShape(method, parsed.error);
  }

  /**
   * Sends a request. If the signal aborts, sends a cancellation to the daemon and rejects without waiting for the
   * response.
   */
  async #request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const cancellation = new CancellationTokenSource();
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      cancellation.cancel();
      aborted.reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      checkSize(method, params);
      const answer = this.#connection.sendRequest<unknown>(method, params, cancellation.token);
      return await Promise.race([answer, aborted.promise]);
    } catch (error) {
      signal?.throwIfAborted();
      throw fromResponseError(method, error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  subscribe(wish: Params<'events.subscribe'> = {}): Promise<Result<'events.subscribe'>> {
    return this.call('events.subscribe', wish);
  }

  onEvent(listener: (event: DaemonEvent) => void): () => void {
    return this.#events.add(listener);
  }

  onMissed(listener: (missed: MissedEvents) => void): () => void {
    return this.#missed.add(listener);
  }

  onClose(listener: () => void): () => void {
    return this.#closed.add(listener);
  }

  download(stream: string, { signal }: CallOptions = {}): AsyncIterable<Uint8Array> {
    return downloadStream({ socketPath: this.#socketPath, stream, signal });
  }

  upload(
    stream: string,
    body: AsyncIterable<Uint8Array>,
    { signal }: CallOptions = {},
  ): Promise<void> {
    return uploadStream({ socketPath: this.#socketPath, stream, signal }, body);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * Validates the response to `hello` by hand, because otherwise `holdfast status` would load the schema only for this
 * check.
 */
function readHello(answer: unknown): Result<'hello'> {
  const { protocol, version, pid, configFile } = (answer ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (Number.isInteger(protocol) && typeof version === 'string' && Number.isInteger(pid))
    return {
      protocol: Number(protocol),
      version,
      pid: Number(pid),
      ...(typeof configFile === 'string' && { configFile }),
    };
  throw otherShape('hello');
}

function otherShape(method: string, cause?: Error): ControlError {
  const message = `the daemon's response to ${method} does not match the control protocol`;
  return new ControlError('Internal', message, { cause });
}

function checkSize(method: string, params: object): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(params));
  if (sizeBytes < MAX_MESSAGE_BYTES - ENVELOPE_BYTES) return;
  throw new ControlError('TooMuch', `the request ${method} is too large: ${sizeBytes} bytes`);
}

/** The maximum size of a request without its parameters: the method name, the ID and the JSON-RPC version. */
const ENVELOPE_BYTES = 256;

class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  add(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        // The JSON-RPC library ignores errors of a listener. Such an error is a defect, so it is thrown again as an
        // uncaught exception, which `main` reports.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
