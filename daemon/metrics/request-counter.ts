/** Counts the requests since the daemon has started, by operation and HTTP status. */

export interface RequestCount {
  /** `unknown` for a request of an unknown operation. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
}

/** Counters of requests. Operations and statuses are closed sets, so that there are a few thousand counters at most. */
export class RequestCounter {
  readonly #counts = new Map<string, Map<number, number>>();

  count(operation: string | undefined, status: number): void {
    const name = operation ?? 'unknown';
    const byStatus = this.#counts.get(name) ?? new Map<number, number>();
    this.#counts.set(name, byStatus);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  list(): readonly RequestCount[] {
    return [...this.#counts].flatMap(([operation, byStatus]) =>
      [...byStatus].map(([status, count]) => ({ operation, status, count })),
    );
  }
}
