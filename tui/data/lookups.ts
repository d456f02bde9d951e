/**
 * Facts that are asked for one row at a time, and only of the rows that somebody looks at: a list tells names and sizes,
 * what else there is to know of a thing is a question of its own.
 */

import type { Clock } from '../../src/base/clock.ts';
import { isAbort } from '../../src/base/errors.ts';

interface LookupsOptions<Subject, Fact> {
  readonly clock: Clock;
  readonly id: (subject: Subject) => string;
  readonly ask: (subject: Subject, signal: AbortSignal) => Promise<Fact>;
  readonly changed: () => void;
}

/** While a list is scrolled, no row is asked for. Requests start after this pause. */
const STILL_MS = 120;
const MOST_AT_ONCE = 4;
const MOST_KEPT = 5_000;

export class Lookups<Subject, Fact> {
  readonly #options: LookupsOptions<Subject, Fact>;
  /** Undefined if the request failed. */
  readonly #facts = new Map<string, Fact | undefined>();
  /** What need not be asked for again. */
  readonly #fresh = new Set<string>();
  #wanted: readonly Subject[] = [];
  #asking = new Map<string, AbortController>();
  #cancelWait: (() => void) | undefined;

  constructor(options: LookupsOptions<Subject, Fact>) {
    this.#options = options;
  }

  of(subject: Subject): Fact | undefined {
    return this.#facts.get(this.#options.id(subject));
  }

  /** Sets the rows that are visible now. */
  want(subjects: readonly Subject[]): void {
    this.#wanted = subjects.filter((each) => !this.#fresh.has(this.#options.id(each)));
    if (this.#wanted.length === 0 || this.#cancelWait) return;
    this.#cancelWait = this.#options.clock.after(STILL_MS, () => {
      this.#cancelWait = undefined;
      this.#askNext();
    });
  }

  /** Things may have changed: what is known stays until it is asked for again. */
  expire(): void {
    this.#fresh.clear();
  }

  /** Ends all requests, because the list is no longer visible. */
  stop(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#wanted = [];
    for (const asking of this.#asking.values()) asking.abort();
    this.#asking = new Map();
  }

  #askNext(): void {
    const { id } = this.#options;
    for (const subject of this.#wanted) {
      if (this.#asking.size >= MOST_AT_ONCE) return;
      const subjectId = id(subject);
      if (this.#fresh.has(subjectId) || this.#asking.has(subjectId)) continue;
      void this.#ask(subject, subjectId);
    }
  }

  async #ask(subject: Subject, id: string): Promise<void> {
    const asking = new AbortController();
    this.#asking.set(id, asking);
    const fact = await this.#answer(subject, asking.signal);
    if (this.#asking.get(id) !== asking) return;
    this.#asking.delete(id);
    if (fact !== STOPPED) this.#keep(id, fact);
    this.#options.changed();
    this.#askNext();
  }

  /** A failed request leaves a blank in the row. An action on the row reports the reason. */
  async #answer(subject: Subject, signal: AbortSignal): Promise<Fact | undefined | typeof STOPPED> {
    try {
      return await this.#options.ask(subject, signal);
    } catch (error) {
      return isAbort(error) ? STOPPED : undefined;
    }
  }

  #keep(id: string, fact: Fact | undefined): void {
    this.#facts.set(id, fact);
    this.#fresh.add(id);
    if (this.#facts.size <= MOST_KEPT) return;
    const [oldest] = this.#facts.keys();
    if (oldest === undefined) return;
    this.#facts.delete(oldest);
    this.#fresh.delete(oldest);
  }
}

const STOPPED = Symbol('stopped');
