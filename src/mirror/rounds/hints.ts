/**
 * Stores hints: paths or keys that may have changed, each with the time when it was first reported. A hint is kept
 * until a round has planned its path or key.
 */

import { least } from '../../base/least.ts';

export class Hints {
  readonly #pending = new Map<string, number>();
  /** Hints that a running full round postponed to the next round, unless they were added again since then. */
  readonly #postponed = new Map<string, number>();
  /** Hints that a round took but has not planned yet, unless they were added again since then. */
  readonly #taken = new Map<string, number>();

  /** Adds a hint. Returns true if the name is new, was postponed, or was already taken by a round. */
  add(name: string, now: number): boolean {
    if (this.#pending.has(name)) return false;
    this.#pending.set(name, this.#postponed.get(name) ?? now);
    this.#postponed.delete(name);
    this.#taken.delete(name);
    return true;
  }

  /**
   * Drops all hints that no round has taken, except the oldest. The oldest stays, because its age is reported as the
   * job's lag.
   */
  keepOldest(): void {
    const [oldest] = [...this.#postponed, ...this.#pending];
    this.#postponed.clear();
    this.#pending.clear();
    if (oldest) this.#pending.set(...oldest);
  }

  take(): ReadonlyMap<string, number> {
    const taken = new Map([...this.#postponed, ...this.#pending]);
    this.#postponed.clear();
    this.#pending.clear();
    for (const [name, since] of taken) this.#taken.set(name, since);
    return taken;
  }

  /** Takes up to `count` hints, excluding postponed ones. */
  takeNew(count: number): ReadonlyMap<string, number> {
    const taken = new Map<string, number>();
    for (const [name, since] of this.#pending) {
      if (taken.size === count) break;
      taken.set(name, since);
    }
    for (const [name, since] of taken) {
      this.#pending.delete(name);
      this.#taken.set(name, since);
    }
    return taken;
  }

  /** Postpones taken hints to the next round. */
  postpone(names: Iterable<string>): void {
    for (const name of names) {
      const since = this.#taken.get(name);
      if (since !== undefined) this.#postponed.set(name, since);
      this.#taken.delete(name);
    }
  }

  /** Drops the given taken hints after a round has planned them. By default, drops all taken hints. */
  planned(names: Iterable<string> = [...this.#taken.keys()]): void {
    for (const name of names) this.#taken.delete(name);
  }

  /** Number of hints that are neither postponed nor taken by a round. */
  get fresh(): number {
    return this.#pending.size;
  }

  /** Number of hints that the next round can take. */
  get pending(): number {
    return this.#postponed.size + this.#pending.size;
  }

  get count(): number {
    return this.#taken.size + this.pending;
  }

  *names(): Iterable<string> {
    yield* this.#taken.keys();
    yield* this.#postponed.keys();
    yield* this.#pending.keys();
  }

  has(name: string): boolean {
    return this.isQueued(name) || this.#taken.has(name);
  }

  isQueued(name: string): boolean {
    return this.#pending.has(name) || this.#postponed.has(name);
  }

  oldestSince(): number | undefined {
    const oldest = [this.#taken, this.#postponed, this.#pending].flatMap((hints) => {
      const [first] = hints.values();
      return first ?? [];
    });
    return oldest.length === 0 ? undefined : least(oldest);
  }
}
