/** Hinted paths or keys, each with the time of its first hint. They count until a round has planned them. */

export class Hints {
  readonly #pending = new Map<string, number>();
  /** Taken by a round that has not planned them yet, and not hinted again since. */
  readonly #taken = new Map<string, number>();

  /** Returns whether the name was new, or had already been taken by a round. */
  add(name: string, now: number): boolean {
    if (this.#pending.has(name)) return false;
    this.#pending.set(name, now);
    this.#taken.delete(name);
    return true;
  }

  /** Forgets the pending hints except the oldest, which shows how far the job is behind. */
  keepOldest(): void {
    const [oldest] = this.#pending;
    this.#pending.clear();
    if (oldest) this.#pending.set(...oldest);
  }

  take(): ReadonlyMap<string, number> {
    const taken = new Map(this.#pending);
    this.#pending.clear();
    for (const [name, since] of taken) this.#taken.set(name, since);
    return taken;
  }

  /** The round has planned what it took. */
  planned(): void {
    this.#taken.clear();
  }

  /** Number of hints that the next round can take. */
  get pending(): number {
    return this.#pending.size;
  }

  get count(): number {
    return this.#taken.size + this.#pending.size;
  }

  *names(): Iterable<string> {
    yield* this.#taken.keys();
    yield* this.#pending.keys();
  }

  has(name: string): boolean {
    return this.#pending.has(name) || this.#taken.has(name);
  }

  oldestSince(): number | undefined {
    const [oldestTaken] = this.#taken.values();
    const [oldest] = this.#pending.values();
    return oldestTaken ?? oldest;
  }
}
