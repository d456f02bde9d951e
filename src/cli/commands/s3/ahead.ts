/** Reads a listing ahead of the processing of its items, so that the totals are known early. */

/** The maximum number of items that are read ahead. They need about 20 MB of memory. */
const MAX_AHEAD = 100_000;

interface Sized {
  readonly sizeBytes: number;
}

type Totals =
  | { readonly scanned: number }
  | { readonly totalFiles: number; readonly totalBytes: number };

/** Yields the items of a source in their original order. It can be consumed only once. */
export class Ahead<T extends Sized> implements AsyncIterable<T> {
  readonly #source: AsyncIterable<T> | Iterable<T>;
  #waiting: T[] = [];
  /** The index of the next item in `#waiting`. */
  #next = 0;
  #files = 0;
  #bytes = 0;
  #isComplete = false;
  #isClosed = false;
  /** Wakes the reader or the consumer, whichever is waiting for the other. */
  #wake = Promise.withResolvers<void>();

  constructor(source: AsyncIterable<T> | Iterable<T>) {
    this.#source = source;
  }

  /**
   * Returns the number of items found so far. When all items are known, returns their number and total size.
   */
  totals(): Totals {
    if (!this.#isComplete) return { scanned: this.#files };
    return { totalFiles: this.#files, totalBytes: this.#bytes };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    let isReading = true;
    const reading = this.#readAll().finally(() => {
      isReading = false;
      this.#wakeUp();
    });
    // An error of the listing is thrown below, after the items that precede it. Before that, it must not cause an
    // unhandled rejection.
    reading.catch(() => undefined);
    try {
      for (;;) {
        const item = this.#take();
        if (item) yield item;
        else if (isReading) await this.#wake.promise;
        else return await reading;
      }
    } finally {
      this.#isClosed = true;
      this.#wakeUp();
    }
  }

  #take(): T | undefined {
    const item = this.#waiting[this.#next];
    if (item) this.#next += 1;
    if (this.#next < this.#waiting.length) return item;
    this.#waiting = [];
    this.#next = 0;
    this.#wakeUp();
    return item;
  }

  async #readAll(): Promise<void> {
    for await (const item of this.#source) {
      if (this.#isClosed) return;
      this.#files += 1;
      this.#bytes += item.sizeBytes;
      this.#waiting.push(item);
      this.#wakeUp();
      while (this.#waiting.length >= MAX_AHEAD && !this.#isClosed) await this.#wake.promise;
    }
    this.#isComplete = true;
  }

  #wakeUp(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
