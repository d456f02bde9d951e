/**
 * What several services told last. One that does not answer keeps none of the others waiting; what it told before stays, with
 * the reason why it is not told anew.
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

/** Who takes longer is asked again with the next reading. */
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

  /** Those that never answered. */
  get unheard(): readonly string[] {
    return this.#names.filter((name) => !this.#answers.has(name));
  }

  /** Those that answered with no rows. */
  get empty(): readonly string[] {
    return this.#names.filter((name) => {
      const answer = this.#answers.get(name);
      return answer?.rows.length === 0 && answer.problem === undefined;
    });
  }

  /** `eu: reach eu: no route`, of those that did not tell their rows when they were asked last. */
  get problems(): readonly string[] {
    const problems = this.#names.map((name) => this.#answers.get(name)?.problem);
    return problems.filter((problem) => problem !== undefined);
  }

  /** In the order of the names. */
  rows(): Row[] {
    return this.#names.flatMap((name) => this.#answers.get(name)?.rows ?? []);
  }

  /** One that was made just now. */
  add(name: string, row: Row): void {
    this.#answers.set(name, { rows: [...(this.#answers.get(name)?.rows ?? []), row] });
  }

  /** Asks all; `heard` is called with each answer, first with that of the first service, which is listed at the top. */
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
