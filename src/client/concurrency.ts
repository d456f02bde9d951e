/**
 * Limits the number of concurrent requests to a service. The limit grows additively as long as this increases the rate
 * of responses. It is halved when the service is overloaded. Waiting requests start in order of arrival.
 */

import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';
import { Growth } from './growth.ts';

export interface Concurrency {
  /** The maximum number of requests in progress. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

/** What the end of a request shows about the load on the service. */
export type Experience = 'answered' | 'overloaded' | 'neither';

export interface Turn {
  end(experience: Experience): void;
}

/** The initial limit of concurrent requests. */
const FIRST_LIMIT = 16;
/** The minimum limit. With a limit of two, a single hanging request does not block all other requests. */
const LEAST_LIMIT = 2;

interface Waiting {
  readonly begin: (turn: Turn) => void;
  readonly fail: (error: Error) => void;
}

export class AdaptiveLimit {
  readonly #most: number;
  readonly #growth: Growth;
  readonly #waiting = new Set<Waiting>();
  #limit: number;
  #running = 0;
  /**
   * Whether each response raises the limit by one. This initial phase ends at the first overload,
   * or when raising the limit has no effect.
   */
  #isStarting = true;
  /**
   * How often the limit was decreased because of overload. A request that started before a decrease
   * cannot cause another decrease.
   */
  #epoch = 0;
  #closed: Error | undefined;

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#growth = new Growth(clock);
    this.#limit = Math.min(FIRST_LIMIT, most);
  }

  get state(): Concurrency {
    return {
      limit: Math.floor(this.#limit),
      running: this.#running,
      waiting: this.#waiting.size,
    };
  }

  /**
   * Resolves when the request may start. Rejects with the signal's reason if the signal aborts
   * first, or with the reason of `close`.
   */
  async turn(signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    if (this.#waiting.size === 0 && this.#running < Math.floor(this.#limit)) return this.#begin();
    return this.#wait(signal);
  }

  /** Rejects waiting and future calls of `turn` with `reason`. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const { fail } of this.#waiting) fail(reason);
  }

  #wait(signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        unlisten?.();
      };
      const waiting: Waiting = {
        begin: (turn) => (leave(), resolve(turn)),
        fail: (error) => (leave(), reject(error)),
      };
      const unlisten = signal && onAbort(signal, () => waiting.fail(signal.reason as Error));
      this.#waiting.add(waiting);
    });
  }

  #begin(): Turn {
    this.#running += 1;
    const epoch = this.#epoch;
    let isOver = false;
    return {
      end: (experience) => {
        if (isOver) return;
        isOver = true;
        if (experience === 'answered') this.#grow();
        if (experience === 'overloaded' && epoch === this.#epoch) this.#shrink();
        this.#running -= 1;
        this.#admit();
      },
    };
  }

  /**
   * Raises the limit after a response, if the limit was reached. Restores the previous limit if the
   * last increase had no effect.
   */
  #grow(): void {
    const limit = Math.floor(this.#limit);
    if (this.#running < limit) return this.#growth.idle();
    const back = this.#growth.answered(limit);
    if (back !== undefined) {
      this.#isStarting = false;
      this.#limit = back;
    }
    if (!this.#growth.allows(limit)) return;
    this.#limit = Math.min(this.#most, this.#limit + (this.#isStarting ? 1 : 1 / this.#limit));
  }

  #shrink(): void {
    this.#isStarting = false;
    this.#growth.forget();
    this.#epoch += 1;
    this.#limit = Math.max(LEAST_LIMIT, this.#limit / 2);
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#running >= Math.floor(this.#limit)) return;
      waiting.begin(this.#begin());
    }
  }
}
