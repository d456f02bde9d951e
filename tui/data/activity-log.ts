/**
 * The activity entries of all jobs, oldest first. The log records entries while the dashboard runs, even while another
 * screen is visible.
 */

import type { DaemonEvent } from '../../src/control/messages.ts';
import type { DaemonLink } from './daemon-link.ts';

type ActivityEvent = Extract<DaemonEvent['event'], { type: 'activity' }>;

export interface Activity extends Omit<ActivityEvent, 'type'> {
  readonly seq: number;
  readonly at: number;
}

/** An entry from before the event subscription. It has no sequence number from the daemon. */
export type EarlierActivity = Omit<Activity, 'seq'>;

/** The maximum number of entries. The daemon has the same limit. */
const MOST_ACTIVITIES = 10_000;

export class ActivityLog {
  readonly #listeners = new Set<() => void>();
  #entries: Activity[] = [];

  constructor(link: DaemonLink) {
    link.listen(['activity'], (event) => this.#heard(event));
  }

  get entries(): readonly Activity[] {
    return this.#entries;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds entries from before the event subscription, in any order. They get negative sequence numbers. */
  addEarlier(earlier: readonly EarlierActivity[]): void {
    const sorted = earlier.toSorted((a, b) => a.at - b.at);
    const entries = sorted.map((each, index) =>
      Object.assign({ seq: index - sorted.length }, each),
    );
    this.#entries = [...entries, ...this.#entries];
    for (const listener of this.#listeners) listener();
  }

  #heard({ seq, at, event }: DaemonEvent): void {
    if (event.type !== 'activity') return;
    const { type: _type, ...activity } = event;
    this.#entries.push({ ...activity, seq, at });
    if (this.#entries.length > MOST_ACTIVITIES * 1.1)
      this.#entries = this.#entries.slice(-MOST_ACTIVITIES);
    for (const listener of this.#listeners) listener();
  }
}
