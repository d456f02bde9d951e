/**
 * Limits the number of concurrent requests to one service. The limit grows additively while this
 * brings more responses, and is halved when the service is overloaded. Waiting requests start in
 * the order of arrival.
 */

import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';
import { Growth } from './growth.ts';

export interface Concurrency {
  /** Maximum number of requests in progress. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

/** What the end of a request shows about the load of the service. */
export type Experience = 'answered' | 'overloaded' | 'neither';

export interface Turn {
  end(experience: Experience): void;
}

/** Initial limit of concurrent requests. */
const FIRST_LIMIT = 16;
/** Minimum limit: with two, one request that hangs does not block all others. */
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
   * Whether each response raises the limit by one. Ends at the first overload, or when raising the
   * limit had no effect.
   */
  #isStarting = true;
  /**
   * Number of decreases because of overload. A request that started before a decrease cannot cause
   * another one.
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
   * Resolves when the request may start. Rejects with the signal's reason if it is aborted before,
   * or with the reason of `close`.
   */
  async turn(signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    if (this.#waiting.size === 0 && this.#running < Math.floor(this.#limit)) return this.#begin();
    return this.#wait(signal);
  }

  /** Rejects waiting and later calls of `turn` with `reason`. */
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
   * Raises the limit after a response if the limit was reached. Restores the previous limit if
   * raising it had no effect.
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
