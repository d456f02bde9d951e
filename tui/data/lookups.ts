/**
 * Loads details that a listing does not contain, such as locks. The details of each row need a separate request, so
 * they are loaded only for visible rows.
 */

import type { Clock } from '../../src/base/clock.ts';
import { isAbort } from '../../src/base/errors.ts';

interface LookupsOptions<Subject, Fact> {
  readonly clock: Clock;
  readonly id: (subject: Subject) => string;
  readonly ask: (subject: Subject, signal: AbortSignal) => Promise<Fact>;
  readonly changed: () => void;
}

/** The user must stop scrolling for this time before details are requested. */
const STILL_MS = 120;
const MOST_AT_ONCE = 4;
const MOST_KEPT = 5_000;

export class Lookups<Subject, Fact> {
  readonly #options: LookupsOptions<Subject, Fact>;
  /** The loaded details by row id. A value is undefined if the request failed. */
  readonly #facts = new Map<string, Fact | undefined>();
  /** The ids of rows whose details are current, so that they need no new request. */
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

  /** Sets the rows that are visible now, whose details are to be loaded. */
  want(subjects: readonly Subject[]): void {
    this.#wanted = subjects.filter((each) => !this.#fresh.has(this.#options.id(each)));
    if (this.#wanted.length === 0 || this.#cancelWait) return;
    this.#cancelWait = this.#options.clock.after(STILL_MS, () => {
      this.#cancelWait = undefined;
      this.#askNext();
    });
  }

  /** Marks all loaded details as stale. They remain visible until the next request replaces them. */
  expire(): void {
    this.#fresh.clear();
  }

  /** Cancels all requests, because the list is no longer visible. */
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

  /**
   * Requests the details of a row. Returns undefined if the request fails, and the row shows a blank. An action on the
   * row reports the reason.
   */
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
