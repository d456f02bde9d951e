/** Paths or keys that may have changed, with the time of the first hint. A hint counts until a round has planned it. */

export class Hints {
  readonly #pending = new Map<string, number>();
  /** Hints that a round took and has not planned yet, unless they were added again since. */
  readonly #taken = new Map<string, number>();

  /** Adds a hint. Returns whether the name is new or was already taken by a round. */
  add(name: string, now: number): boolean {
    if (this.#pending.has(name)) return false;
    this.#pending.set(name, now);
    this.#taken.delete(name);
    return true;
  }

  /** Drops all pending hints except the oldest, whose age is the lag of the job. */
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

  /** Drops hints that were taken, all or these, after a round has planned them. */
  planned(names: Iterable<string> = [...this.#taken.keys()]): void {
    for (const name of names) this.#taken.delete(name);
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
