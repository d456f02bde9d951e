/** How many requests were answered, by operation and status. Since the daemon began. */

export interface RequestCount {
  /** `unknown` for what names no operation of the table. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
}

/** Both are of closed sets, so that it cannot grow beyond some thousand. */
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
