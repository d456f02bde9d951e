/** A shared memory budget. Requests for bytes wait until enough bytes are free, and are served in order. */

/** Returns the bytes to the memory budget. Further calls do nothing. */
export type GiveBack = () => void;

interface Waiting {
  readonly bytes: number;
  readonly begin: (giveBack: GiveBack) => void;
}

export class ByteBudget {
  readonly #capacityBytes: number;
  readonly #waiting = new Set<Waiting>();
  #takenBytes = 0;

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /**
   * Takes bytes from the memory budget. A request for more than the capacity waits until no bytes are taken. Rejects
   * with the signal's reason if the signal is aborted.
   */
  async take(bytes: number, signal?: AbortSignal): Promise<GiveBack> {
    signal?.throwIfAborted();
    if (this.#waiting.size === 0 && this.#fits(bytes)) return this.#give(bytes);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', stop);
      };
      const waiting: Waiting = { bytes, begin: (giveBack) => (leave(), resolve(giveBack)) };
      const stop = () => {
        leave();
        reject(signal?.reason as Error);
        // Serve the next request, because it may need fewer bytes than the aborted one.
        this.#serve();
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #fits(bytes: number): boolean {
    return this.#takenBytes === 0 || this.#takenBytes + bytes <= this.#capacityBytes;
  }

  #give(bytes: number): GiveBack {
    this.#takenBytes += bytes;
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.#takenBytes -= bytes;
      this.#serve();
    };
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return;
      waiting.begin(this.#give(waiting.bytes));
    }
  }
}
