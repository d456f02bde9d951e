/** Paths or keys that a round is to examine, each with the time of its first hint: known until a round has planned them. */

export class Hints {
  readonly #waiting = new Map<string, number>();
  /** Taken by a round that has not planned them yet; those that were hinted again since are not among them. */
  readonly #atHand = new Map<string, number>();

  /** Returns whether it was not known before, or is at hand. */
  add(name: string, now: number): boolean {
    if (this.#waiting.has(name)) return false;
    this.#waiting.set(name, now);
    this.#atHand.delete(name);
    return true;
  }

  /** Forgets those that wait, but for the oldest, which is how far the job is behind. */
  keepOldest(): void {
    const [oldest] = this.#waiting;
    this.#waiting.clear();
    if (oldest) this.#waiting.set(...oldest);
  }

  take(): ReadonlyMap<string, number> {
    const taken = new Map(this.#waiting);
    this.#waiting.clear();
    for (const [name, since] of taken) this.#atHand.set(name, since);
    return taken;
  }

  /** The round has planned what it took. */
  planned(): void {
    this.#atHand.clear();
  }

  /** How many the next round can take. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get count(): number {
    return this.#atHand.size + this.#waiting.size;
  }

  *names(): Iterable<string> {
    yield* this.#atHand.keys();
    yield* this.#waiting.keys();
  }

  has(name: string): boolean {
    return this.#waiting.has(name) || this.#atHand.has(name);
  }

  oldestSince(): number | undefined {
    const [atHand] = this.#atHand.values();
    const [oldest] = this.#waiting.values();
    return atHand ?? oldest;
  }
}
