/**
 * A daemon of given data for tests of what is drawn. It answers by the methods' own schemas, so that it cannot have a
 * shape that the real one has not. What it does not know is an error that names the method.
 */

import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { METHODS } from '../../../src/control/messages.ts';
import type {
  DaemonEvent,
  EventType,
  MethodName,
  Params,
  Result,
} from '../../../src/control/messages.ts';
import type { ControlClient } from '../../../src/control/client.ts';

export type Answers = {
  readonly [M in MethodName]?: (params: Params<M>) => Result<M> | Promise<Result<M>>;
};

export interface Asked {
  readonly method: MethodName;
  readonly params: unknown;
}

export class SeededDaemon {
  /** All that it was asked, the latest last. */
  readonly asked: Asked[] = [];
  readonly #answers: Answers;
  readonly #clients = new Set<SeededClient>();
  #seq = 0;
  /** What a connection is refused with. */
  down: Error | undefined;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  readonly connect = async (): Promise<ControlClient> => {
    if (this.down) throw this.down;
    const client = new SeededClient(this);
    this.#clients.add(client);
    return client;
  };

  /** Ends all connections, and refuses new ones with `error`. */
  stop(error: Error = new ControlError('NotRunning', 'reach the daemon: none is running')): void {
    this.down = error;
    for (const client of this.#clients) client.close();
  }

  emit(event: DaemonEvent['event'], at = 0): void {
    this.#seq += 1;
    for (const client of this.#clients) client.tell({ seq: this.#seq, at, event });
  }

  forget(client: SeededClient): void {
    this.#clients.delete(client);
  }

  /** The parameters of the last call of a method. */
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

  call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    return this.#daemon.answer(method, params);
  }

  subscribe(after?: number, types?: readonly EventType[]): Promise<Result<'events.subscribe'>> {
    return this.call('events.subscribe', defined({ after, types: types && [...types] }));
  }

  tell(event: DaemonEvent): void {
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

  // oxlint-disable-next-line require-yield
  async *download(stream: string): AsyncIterable<Uint8Array> {
    throw new ControlError('NotFound', `stream ${stream}: the seeded daemon has none`);
  }

  upload(stream: string): Promise<void> {
    return Promise.reject(new ControlError('NotFound', `stream ${stream}: there is none`));
  }

  close(): void {
    this.#daemon.forget(this);
    for (const listener of this.#closed) listener();
    this.#closed.clear();
  }
}
