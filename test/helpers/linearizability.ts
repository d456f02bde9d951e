/**
 * Whether a history of concurrent calls can be told as if each had happened at one moment between its begin and its
 * end (Wing and Gong's search, with the memory that Lowe added). A call without an answer may have happened, or not.
 */

/** What happens when a call is alone: it decides answer and next state. */
export interface SequentialModel<State, Call, Answer> {
  readonly initial: State;
  readonly apply: (state: State, call: Call) => { readonly state: State; readonly answer: Answer };
  /** Equal for equal states. */
  readonly nameOf: (state: State) => string;
  readonly sameAnswer: (expected: Answer, given: Answer) => boolean;
}

export interface Recorded<Call, Answer> {
  readonly call: Call;
  /** In ticks of one counter that all clients share. */
  readonly beginsAt: number;
  /** Absent when no answer came. */
  readonly end?: { readonly at: number; readonly answer: Answer };
}

/** The order in which the calls can have happened; undefined when there is none. */
export function linearize<State, Call, Answer>(
  history: readonly Recorded<Call, Answer>[],
  model: SequentialModel<State, Call, Answer>,
): readonly Call[] | undefined {
  const calls = history.toSorted((a, b) => a.beginsAt - b.beginsAt);
  const dead = new Set<string>();
  const happened = calls.map(() => false);

  const search = (state: State): Call[] | undefined => {
    const open = calls.filter((_, index) => !happened[index]);
    const firstEnd = Math.min(...open.map(({ end }) => end?.at ?? Number.POSITIVE_INFINITY));
    if (firstEnd === Number.POSITIVE_INFINITY) return [];
    const place = `${happened.map(Number).join('')} ${model.nameOf(state)}`;
    if (dead.has(place)) return undefined;
    for (const [index, { call, beginsAt, end }] of calls.entries()) {
      if (beginsAt > firstEnd) break;
      if (happened[index]) continue;
      const next = model.apply(state, call);
      if (end !== undefined && !model.sameAnswer(next.answer, end.answer)) continue;
      happened[index] = true;
      const rest = search(next.state);
      if (rest !== undefined) return [call, ...rest];
      happened[index] = false;
    }
    dead.add(place);
    return undefined;
  };
  return search(model.initial);
}

/** Collects what several clients do at the same time. */
export class HistoryRecorder<Call, Answer> {
  readonly #history: Recorded<Call, Answer>[] = [];
  #ticks = 0;

  get history(): readonly Recorded<Call, Answer>[] {
    return this.#history;
  }

  /** The answer, or undefined when `work` rejects: then nobody knows whether it happened. */
  async record(call: Call, work: () => Promise<Answer>): Promise<Answer | undefined> {
    const beginsAt = ++this.#ticks;
    try {
      const answer = await work();
      this.#history.push({ call, beginsAt, end: { at: ++this.#ticks, answer } });
      return answer;
    } catch {
      this.#history.push({ call, beginsAt });
      return undefined;
    }
  }
}
