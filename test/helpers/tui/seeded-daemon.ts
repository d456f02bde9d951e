/**
 * Fake daemon with fixed data for tests of the dashboard. It validates parameters and results with
 * the real schemas. Calling a method that has no configured answer is an error.
 */

import { ControlError } from '../../../src/control/control-error.ts';
import { METHODS } from '../../../src/control/messages.ts';
import type { DaemonEvent, MethodName, Params, Result } from '../../../src/control/messages.ts';
import type { ControlClient } from '../../../src/control/client.ts';

export type Answers = {
  readonly [M in MethodName]?: (params: Params<M>) => Result<M> | Promise<Result<M>>;
};

export interface Asked {
  readonly method: MethodName;
  readonly params: unknown;
}

export class SeededDaemon {
  /** All calls that the daemon received, in order. */
  readonly asked: Asked[] = [];
  #answers: Answers;
  readonly #clients = new Set<SeededClient>();
  readonly #streams = new Map<string, Uint8Array>();
  #seq = 0;
  /** Error with which new connections fail. Undefined while the daemon accepts connections. */
  down: Error | undefined;

  constructor(answers: Answers) {
    this.#answers = { 'alerts.list': () => ({ alerts: [] }), ...answers };
  }

  connections = 0;

  readonly connect = async (): Promise<ControlClient> => {
    this.connections += 1;
    if (this.down) throw this.down;
    const client = new SeededClient(this);
    this.#clients.add(client);
    return client;
  };

  /** Closes all connections. New connections fail with `error`. */
  stop(error: Error = new ControlError('NotRunning', 'Holdfast is not running')): void {
    this.down = error;
    for (const client of this.#clients) client.close();
  }

  /** Replaces the answer to calls of a method. */
  replace<M extends MethodName>(method: M, answer: NonNullable<Answers[M]>): void {
    this.#answers = { ...this.#answers, [method]: answer };
  }

  emit(event: DaemonEvent['event'], at = 0): void {
    this.#seq += 1;
    for (const client of this.#clients) client.deliver({ seq: this.#seq, at, event });
  }

  /**
   * Creates a download stream with these bytes, or with these objects as lines of JSON. Returns the
   * token of the stream.
   */
  offer(body: string | Uint8Array | readonly object[]): string {
    const token = `stream-${this.#streams.size}`;
    const rows = () =>
      (body as readonly object[]).map((row) => `${JSON.stringify(row)}\n`).join('');
    const isBytes = typeof body === 'string' || body instanceof Uint8Array;
    this.#streams.set(token, Buffer.from(isBytes ? body : rows()));
    return token;
  }

  /** Receives the bytes that the dashboard sends to an upload stream. */
  onUpload: (stream: string, bytes: Uint8Array) => void = (stream) => {
    throw new ControlError('NotFound', `stream ${stream}: there is none`);
  };

  take(stream: string, bytes: Uint8Array): void {
    this.onUpload(stream, bytes);
  }

  streamed(token: string): Uint8Array {
    const bytes = this.#streams.get(token);
    if (!bytes) throw new ControlError('NotFound', `stream ${token}: the seeded daemon has none`);
    return bytes;
  }

  forget(client: SeededClient): void {
    this.#clients.delete(client);
  }

  /** Returns the parameters of the last call of a method. */
  lastOf<M extends MethodName>(method: M): Params<M> | undefined {
    return this.asked.findLast((each) => each.method === method)?.params as Params<M> | undefined;
  }

  async answer<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    METHODS[method].params.parse(params);
    this.asked.push({ method, params });
    if (method === 'events.subscribe') return { seq: this.#seq, missed: false } as Result<M>;
    const answer = this.#answers[method];
    if (!answer)
      throw new ControlError('NotFound', `${method}: the seeded daemon does not know it`);
    return METHODS[method].result.parse(await answer(params)) as Result<M>;
  }
}

class SeededClient implements ControlClient {
  readonly hello = { protocol: 2, version: '0.0.0', pid: 1 };
  readonly #daemon: SeededDaemon;
  readonly #events = new Set<(event: DaemonEvent) => void>();
  readonly #closed = new Set<() => void>();

  constructor(daemon: SeededDaemon) {
    this.#daemon = daemon;
  }

  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Result<M>> {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    return Promise.race([this.#daemon.answer(method, params), aborted]);
  }

  subscribe(wish: Params<'events.subscribe'> = {}): Promise<Result<'events.subscribe'>> {
    return this.call('events.subscribe', wish);
  }

  deliver(event: DaemonEvent): void {
    for (const listener of this.#events) listener(event);
  }

  onEvent(listener: (event: DaemonEvent) => void): () => void {
    this.#events.add(listener);
    return () => void this.#events.delete(listener);
  }

  onMissed(): () => void {
    return () => undefined;
  }

  onClose(listener: () => void): () => void {
    this.#closed.add(listener);
    return () => void this.#closed.delete(listener);
  }

  async *download(stream: string): AsyncIterable<Uint8Array> {
    yield this.#daemon.streamed(stream);
  }

  async upload(stream: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    this.#daemon.take(stream, Buffer.concat(chunks));
  }

  close(): void {
    this.#daemon.forget(this);
    for (const listener of this.#closed) listener();
    this.#closed.clear();
  }
}
