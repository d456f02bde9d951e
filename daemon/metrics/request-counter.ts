/** Counts the requests since the daemon started, by operation and HTTP status. */

export interface RequestCount {
  /** The operation. `unknown` if the request has an unknown operation. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
}

/**
 * Counters of requests. There are at most a few thousand counters, because the sets of operations and statuses are
 * fixed.
 */
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
