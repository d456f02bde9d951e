/** What events bring, in order, for a loop to take. */

/** A loop that is too slow loses the oldest: the daemon has the truth, this is only shown. */
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

  /** What is queued is still taken. */
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
