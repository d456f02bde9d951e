/**
 * Collects rows from several services. A slow service does not delay the others. If a service fails, its earlier rows
 * remain, together with the error message.
 */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';

interface SourcesOptions<Row> {
  readonly clock: Clock;
  readonly ask: (name: string, signal: AbortSignal) => Promise<readonly Row[]>;
}

interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly problem?: string;
}

/** If a service does not answer within this time, it is asked again at the next read. */
export const ANSWER_WITHIN_MS = 15_000;

export class Sources<Row> {
  readonly #options: SourcesOptions<Row>;
  readonly #answers = new Map<string, Answer<Row>>();
  #names: readonly string[];

  constructor(names: readonly string[], options: SourcesOptions<Row>) {
    this.#names = names;
    this.#options = options;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** The services that have not answered yet. */
  get unheard(): readonly string[] {
    return this.#names.filter((name) => !this.#answers.has(name));
  }

  /** The services that answered without rows. */
  get empty(): readonly string[] {
    return this.#names.filter((name) => {
      const answer = this.#answers.get(name);
      return answer?.rows.length === 0 && answer.problem === undefined;
    });
  }

  /** The errors of services whose last request failed, such as `eu: reach eu: no route`. */
  get problems(): readonly string[] {
    const problems = this.#names.map((name) => this.#answers.get(name)?.problem);
    return problems.filter((problem) => problem !== undefined);
  }

  /** Returns the rows of all services, in the order of the services. */
  rows(): Row[] {
    return this.#names.flatMap((name) => this.#answers.get(name)?.rows ?? []);
  }

  /** Adds a row that was created after the last read. */
  add(name: string, row: Row): void {
    this.#answers.set(name, { rows: [...(this.#answers.get(name)?.rows ?? []), row] });
  }

  /**
   * Reads the rows of all services. Calls `heard` after each answer, but not before the first service in the list has
   * answered.
   */
  async read(names: readonly string[], signal: AbortSignal, heard: () => void): Promise<void> {
    this.#names = names;
    const [first] = names;
    const asked = names.map(async (name) => {
      this.#answers.set(name, await this.#answerOf(name, signal));
      if (first !== undefined && this.#answers.has(first)) heard();
    });
    await Promise.all(asked);
  }

  async #answerOf(name: string, signal: AbortSignal): Promise<Answer<Row>> {
    const { clock, ask } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(ANSWER_WITHIN_MS, () => late.abort());
    try {
      return { rows: await ask(name, AbortSignal.any([signal, late.signal])) };
    } catch (error) {
      signal.throwIfAborted();
      const seconds = ANSWER_WITHIN_MS / 1_000;
      const reason = late.signal.aborted ? `no answer within ${seconds} s` : errorMessage(error);
      return { rows: this.#answers.get(name)?.rows ?? [], problem: `${name}: ${reason}` };
    } finally {
      cancel();
    }
  }
}
