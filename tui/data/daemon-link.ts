/**
 * Maintains the connection to the daemon, reports the connection state and sends requests. Screens never use the socket
 * directly.
 */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { ControlError, isControlError } from '../../src/control/control-error.ts';
import type { DaemonEvent, MethodName, Params, Result } from '../../src/control/messages.ts';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 8_000;
/**
 * The retry interval while no socket exists. A connection attempt to a missing socket fails at once and costs almost
 * nothing, so the dashboard can retry often and find a new daemon quickly.
 */
const ABSENT_RETRY_MS = 500;

/** The reasons for a missing connection. Each reason requires a different action from the user. */
export type DownKind = 'not running' | 'no permission' | 'other version' | 'lost';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'up'; readonly since: number }
  | {
      readonly kind: 'down';
      readonly why: DownKind;
      readonly message: string;
      readonly hint?: string | undefined;
      readonly since: number;
      /** The time of the next connection attempt. */
      readonly retryAt: number;
    };

export type EventType = DaemonEvent['event']['type'];

interface Wish {
  readonly types: readonly EventType[];
  readonly onEvent: (event: DaemonEvent) => void;
}

interface DaemonLinkOptions {
  readonly connect: () => Promise<ControlClient>;
  readonly clock: Clock;
  /** Calls `started` whenever a daemon may have started. Call the returned function to stop. */
  readonly watch?: (started: () => void) => () => void;
}

export class DaemonLink {
  readonly #options: DaemonLinkOptions;
  readonly #wishes = new Set<Wish>();
  readonly #stateListeners = new Set<(state: LinkState) => void>();
  #state: LinkState = { kind: 'connecting' };
  #client: ControlClient | undefined;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #connecting: Promise<void> | undefined;
  /** Stops watching the socket's directory. Defined only while no daemon runs. */
  #stopWatching: (() => void) | undefined;
  #closed = false;
  #subscribed = '';
  /**
   * The sequence number of the last received event. After a reconnection, the daemon sends the later events, so no
   * activity is lost. A restarted daemon uses higher numbers.
   */
  #seq: number | undefined;

  constructor(options: DaemonLinkOptions) {
    this.#options = options;
  }

  get state(): LinkState {
    return this.#state;
  }

  get isUp(): boolean {
    return this.#state.kind === 'up';
  }

  /** Returns why no request can be sent now, or undefined if the connection is up. */
  get whyDown(): string | undefined {
    if (this.#state.kind === 'up') return undefined;
    return this.#state.kind === 'connecting' ? 'connecting to the daemon' : 'the daemon is down';
  }

  /** The text that a list shows before its first load. */
  get unreadText(): string {
    return this.#state.kind === 'down' ? 'not loaded: the daemon is down' : 'loading';
  }

  /** Calls the listener after each change of the connection state. Call the returned function to stop. */
  onState(listener: (state: LinkState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => void this.#stateListeners.delete(listener);
  }

  /**
   * Calls `onEvent` for each event of these types. Call the returned function to stop, for example when the screen is
   * hidden.
   */
  listen(types: readonly EventType[], onEvent: (event: DaemonEvent) => void): () => void {
    const wish = { types, onEvent };
    this.#wishes.add(wish);
    this.#subscribe();
    return () => {
      this.#wishes.delete(wish);
      this.#subscribe();
    };
  }

  /** Sends a request. Rejects with a `ControlError`; its code is `Disconnected` while no daemon runs. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Result<M>> {
    return this.client().then((client) => client.call(method, params, options));
  }

  /** Returns the control client, which streams need. Rejects without a connection. */
  async client(): Promise<ControlClient> {
    if (this.#client) return this.#client;
    throw new ControlError('Disconnected', this.whyDown ?? 'the daemon is down');
  }

  /** Connects immediately, without waiting for the retry delay. */
  async connect(): Promise<void> {
    this.#cancelRetry?.();
    if (this.#closed || this.#client) return;
    this.#connecting ??= this.#tryOnce().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  async #tryOnce(): Promise<void> {
    try {
      const client = await this.#options.connect();
      if (this.#closed) return client.close();
      this.#took(client);
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#unwatch();
    this.#client?.close();
    this.#client = undefined;
  }

  #unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #took(client: ControlClient): void {
    this.#unwatch();
    this.#client = client;
    this.#retryMs = FIRST_RETRY_MS;
    this.#subscribed = '';
    client.onEvent((event) => this.#heard(event));
    client.onMissed(() => this.#reportState());
    client.onClose(() => this.#lost(client));
    // The subscription is sent before the listeners send their requests, so that no change after a response is missed.
    this.#catchUp(client);
    this.#subscribe();
    this.#set({ kind: 'up', since: this.#options.clock.now() });
  }

  /** Requests the earlier activity that the daemon stores. The subscription then continues from there. */
  #catchUp(client: ControlClient): void {
    if (![...this.#wishes].some(({ types }) => types.includes('activity'))) return;
    client.subscribe({ after: this.#seq ?? 0, types: ['activity'] }).catch(() => client.close());
  }

  #heard(event: DaemonEvent): void {
    this.#seq = event.seq;
    for (const { types, onEvent } of this.#wishes) {
      if (types.includes(event.event.type)) onEvent(event);
    }
  }

  #lost(client: ControlClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#down('lost', 'the daemon ended the connection');
  }

  #failed(error: unknown): void {
    if (isControlError(error, 'NotRunning')) return this.#down('not running', error.message, error);
    if (isControlError(error, 'PermissionDenied')) {
      return this.#down('no permission', error.message, error);
    }
    if (isControlError(error, 'VersionMismatch')) {
      return this.#down('other version', error.message, error);
    }
    this.#down('lost', errorMessage(error), error);
  }

  #down(why: DownKind, message: string, error?: unknown): void {
    if (this.#closed) return;
    const { clock } = this.#options;
    const before = this.#state;
    const now = clock.now();
    const since = before.kind === 'down' ? before.since : now;
    const hint = isControlError(error) ? error.hint : undefined;
    const retryMs = this.#nextRetryMs(why);
    this.#stopWatching ??= this.#options.watch?.(() => void this.connect());
    this.#cancelRetry = clock.after(retryMs, () => void this.connect());
    this.#state = { kind: 'down', why, message, hint, since, retryAt: now + retryMs };
    // A retry that fails for the same reason needs no redraw.
    const isNews = before.kind !== 'down' || before.why !== why || before.message !== message;
    if (isNews) this.#reportState();
  }

  /**
   * Returns the delay before the next connection attempt. The back-off limits the load on a daemon that responds but
   * refuses the connection.
   */
  #nextRetryMs(why: DownKind): number {
    if (why === 'not running') {
      this.#retryMs = FIRST_RETRY_MS;
      return ABSENT_RETRY_MS;
    }
    const retryMs = this.#retryMs;
    this.#retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    return retryMs;
  }

  /** Sends one subscription for the event types that all listeners need. */
  #subscribe(): void {
    const types = [...new Set([...this.#wishes].flatMap((wish) => wish.types))].sort();
    const wanted = types.join(' ');
    if (!this.#client || wanted === this.#subscribed || wanted === '') return;
    this.#subscribed = wanted;
    const client = this.#client;
    // Without events, the stores would become stale, so a connection that cannot subscribe is closed.
    client.subscribe({ types }).catch(() => client.close());
  }

  #set(state: LinkState): void {
    this.#state = state;
    this.#reportState();
  }

  #reportState(): void {
    for (const listener of this.#stateListeners) listener(this.#state);
  }
}
