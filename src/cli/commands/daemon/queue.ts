/** Queues items, such as events of the daemon, for a single asynchronous loop that reads them in order. */

/**
 * The maximum length. If the reader is too slow, the oldest items are dropped. The items are only displayed, so this
 * is harmless.
 */
const MAX_QUEUED = 10_000;

export class Queue<T> {
  #items: T[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  push(item: T): void {
    if (this.#ended) return;
    if (this.#items.length === MAX_QUEUED) this.#items.shift();
    this.#items.push(item);
    this.#wake();
  }

  /** Ends the iteration after the items that are already queued. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const [item] = this.#items.splice(0, 1);
      if (item !== undefined) yield item;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
