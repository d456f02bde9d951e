/**
 * Checks whether a history of concurrent calls is linearizable. It uses the search of Wing and Gong
 * with the cache of Lowe. A call without a response may or may not have taken effect.
 */

/**
 * Sequential specification of a service. It returns the response and the next state for one call at
 * a time.
 */
export interface SequentialModel<State, Call, Answer> {
  readonly initial: State;
  readonly apply: (state: State, call: Call) => { readonly state: State; readonly answer: Answer };
  /** Returns a string that is equal for equal states. */
  readonly nameOf: (state: State) => string;
  readonly sameAnswer: (expected: Answer, given: Answer) => boolean;
}

export interface Recorded<Call, Answer> {
  readonly call: Call;
  /** Start of the call, as the value of a counter that all clients share. */
  readonly beginsAt: number;
  /** End of the call. Undefined if the client received no response. */
  readonly end?: { readonly at: number; readonly answer: Answer };
}

/**
 * Returns an order in which the calls can have taken effect, or undefined if no such order exists.
 */
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

export class HistoryRecorder<Call, Answer> {
  readonly #history: Recorded<Call, Answer>[] = [];
  #ticks = 0;

  get history(): readonly Recorded<Call, Answer>[] {
    return this.#history;
  }

  /**
   * Returns the response. Returns undefined if `work` rejects; the call may still have taken
   * effect.
   */
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
