/**
 * Stores the latest events of this daemon in memory. Events are numbered, and each subscriber reads them at its own
 * pace.
 */

import type { Clock } from '../../src/base/clock.ts';
import type {
  ActivityLevel,
  DaemonEvent,
  EventType,
  MissedEvents,
} from '../../src/control/messages.ts';

/**
 * The maximum number of events. It is enough for a dashboard that reconnects after some minutes of a busy first backup.
 */
export const EVENTS_KEPT = 10_000;
/** The maximum total size of the events. The status of a job with 100 problems takes about 20 KB. */
const EVENT_BYTES_KEPT = 32 * 1024 * 1024;

export type EventBody = DaemonEvent['event'];

/** Receives events. Both methods resolve when the subscriber is ready for the next call. */
export interface Subscriber {
  event(event: DaemonEvent): Promise<void>;
  missed(missed: MissedEvents): Promise<void>;
}

/** Returns whether a subscriber wants an event with these properties. */
export type Wants = (event: EventFacts) => boolean;

export interface EventFacts {
  readonly type: EventType;
  readonly seq: number;
  /** The level of an event. Present for events of type `activity`. */
  readonly level?: ActivityLevel;
}

export interface Following {
  /** The sequence number after which the subscriber receives events. */
  readonly after: number;
  readonly wants: Wants;
  readonly signal: AbortSignal;
  /** When this signal aborts, the subscriber still receives all existing events, and then `follow` returns. */
  readonly ending?: AbortSignal | undefined;
}

interface Kept {
  readonly event: DaemonEvent;
  readonly facts: EventFacts;
  readonly sizeBytes: number;
}

export interface EventLogOptions {
  readonly clock: Clock;
  readonly eventsKept?: number;
  readonly bytesKept?: number;
}

/**
 * An event log of limited size. A subscriber has a position in this log instead of a queue. If the events at its
 * position were deleted before it has read them, the subscriber is notified and continues with the oldest event.
 */
export class EventLog {
  readonly #clock: Clock;
  readonly #eventsKept: number;
  readonly #bytesKept: number;
  readonly #kept = new Map<number, Kept>();
  #keptBytes = 0;
  #latest: number;
  #oldest: number;
  /** Callbacks of subscribers that have received all events and are waiting for the next event. */
  readonly #waiting = new Set<() => void>();
  readonly #wanted = new Set<Wants>();
  /** The sequence number of the latest event of each kind. `appendNewest` replaces that event. */
  readonly #newest = new Map<string, number>();

  constructor(options: EventLogOptions) {
    this.#clock = options.clock;
    this.#eventsKept = options.eventsKept ?? EVENTS_KEPT;
    this.#bytesKept = options.bytesKept ?? EVENT_BYTES_KEPT;
    // Sequence numbers start at the current time, so that the daemon recognizes numbers that an earlier daemon process
    // assigned.
    this.#latest = this.#clock.now();
    this.#oldest = this.#latest + 1;
  }

  /**
   * The sequence number of the latest event. Before the first event, it is the number before that of the first event.
   */
  get latest(): number {
    return this.#latest;
  }

  /** Returns whether a subscriber wants new events of this type. */
  isWanted(type: EventType): boolean {
    for (const wants of this.#wanted) if (wants({ type, seq: this.#latest + 1 })) return true;
    return false;
  }

  /**
   * Appends an event and deletes the previous event of the same kind. A subscriber that has not read the previous event
   * skips it.
   */
  appendNewest(kind: string, body: EventBody): void {
    this.#forget(this.#newest.get(kind));
    this.#newest.set(kind, this.append(body).seq);
  }

  append(body: EventBody): DaemonEvent {
    const event: DaemonEvent = { seq: this.#latest + 1, at: this.#clock.now(), event: body };
    const sizeBytes = JSON.stringify(event).length;
    this.#kept.set(event.seq, { event, facts: factsOf(event), sizeBytes });
    this.#latest = event.seq;
    this.#keptBytes += sizeBytes;
    while (this.#kept.size > this.#eventsKept || this.#overBytes()) this.#forgetOldest();
    this.#wake();
    return event;
  }

  /**
   * Returns whether events after number `after` are missing, either because the events were deleted or because an
   * earlier daemon process assigned the number.
   */
  hasMissed(after: number): boolean {
    return after < this.#oldest - 1 || after > this.#latest;
  }

  /**
   * Sends the events after number `after` that the subscriber wants, until `signal` aborts or the subscriber throws.
   * After `ending` aborts, returns when all existing events have been sent. Returns the number of the last event that
   * was sent or skipped.
   */
  async follow(
    subscriber: Subscriber,
    { after, wants, signal, ending }: Following,
  ): Promise<number> {
    for (const each of [signal, ending])
      each?.addEventListener('abort', () => this.#wake(), { once: true });
    this.#wanted.add(wants);
    try {
      return await this.#send(subscriber, { after, wants, signal, ending });
    } finally {
      this.#wanted.delete(wants);
    }
  }

  async #send(
    subscriber: Subscriber,
    { after, wants, signal, ending }: Following,
  ): Promise<number> {
    let last = this.hasMissed(after) ? this.#oldest - 1 : after;
    while (!signal.aborted) {
      const next = this.#kept.get(last + 1);
      if (next) {
        if (wants(next.facts)) await subscriber.event(next.event);
        last += 1;
      } else if (last < this.#latest && last + 1 >= this.#oldest) {
        // `appendNewest` has replaced this event with a later event.
        last += 1;
      } else if (last < this.#latest) {
        await subscriber.missed({ after: last, next: this.#oldest });
        last = this.#oldest - 1;
      } else if (ending?.aborted) {
        break;
      } else {
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve);
        });
      }
    }
    return last;
  }

  /** Makes waiting subscribers read the log again. */
  #wake(): void {
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }

  /** Returns whether the events exceed the size limit. The latest event is always kept, regardless of its size. */
  #overBytes(): boolean {
    return this.#keptBytes > this.#bytesKept && this.#kept.size > 1;
  }

  #forgetOldest(): void {
    this.#forget(this.#oldest);
    this.#oldest += 1;
  }

  #forget(seq: number | undefined): void {
    const kept = seq === undefined ? undefined : this.#kept.get(seq);
    if (!kept) return;
    this.#keptBytes -= kept.sizeBytes;
    this.#kept.delete(kept.event.seq);
  }
}

function factsOf({ seq, event }: DaemonEvent): EventFacts {
  return event.type === 'activity'
    ? { type: event.type, seq, level: event.level }
    : { type: event.type, seq };
}
