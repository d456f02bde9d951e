/** Keeps the latest events of this daemon in memory, numbered. Each subscriber reads them at its own pace. */

import type { Clock } from '../../src/base/clock.ts';
import type {
  ActivityLevel,
  DaemonEvent,
  EventType,
  MissedEvents,
} from '../../src/control/messages.ts';

/** Enough events for a dashboard that reconnects after minutes of a busy first mirror. */
export const EVENTS_KEPT = 10_000;
/** Events are limited by size too, since the status of a job with 100 problems has about 20 KB. */
const EVENT_BYTES_KEPT = 32 * 1024 * 1024;

export type EventBody = DaemonEvent['event'];

/** Receives events. Both methods resolve when the subscriber is ready for the next call. */
export interface Subscriber {
  event(event: DaemonEvent): Promise<void>;
  missed(missed: MissedEvents): Promise<void>;
}

/** Returns whether a subscriber receives an event with these facts. */
export type Wants = (event: EventFacts) => boolean;

export interface EventFacts {
  readonly type: EventType;
  readonly seq: number;
  /** Present for events of type `activity`. */
  readonly level?: ActivityLevel;
}

export interface Following {
  /** Sequence number. The subscriber receives the events after it. */
  readonly after: number;
  readonly wants: Wants;
  readonly signal: AbortSignal;
  /** When it aborts, the subscriber still receives all events that exist, and `follow` returns. */
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
 * Event log with a bounded size. A subscriber has a position in this log and no queue. If the events at its position
 * were deleted before it has read them, it is notified and continues with the oldest event.
 */
export class EventLog {
  readonly #clock: Clock;
  readonly #eventsKept: number;
  readonly #bytesKept: number;
  readonly #kept = new Map<number, Kept>();
  #keptBytes = 0;
  #latest: number;
  #oldest: number;
  /** Callbacks of followers that have sent all events and wait for the next one. */
  readonly #waiting = new Set<() => void>();
  readonly #wanted = new Set<Wants>();
  /** Sequence numbers by kind. `appendNewest` replaces the event with this number. */
  readonly #newest = new Map<string, number>();

  constructor(options: EventLogOptions) {
    this.#clock = options.clock;
    this.#eventsKept = options.eventsKept ?? EVENTS_KEPT;
    this.#bytesKept = options.bytesKept ?? EVENT_BYTES_KEPT;
    // Numbers start with the current time, so that numbers of an earlier daemon are recognized as such.
    this.#latest = this.#clock.now();
    this.#oldest = this.#latest + 1;
  }

  /** Sequence number of the latest event. If no event exists yet, the number before that of the first event. */
  get latest(): number {
    return this.#latest;
  }

  /** Returns whether a subscriber receives new events of this type. */
  isWanted(type: EventType): boolean {
    for (const wants of this.#wanted) if (wants({ type, seq: this.#latest + 1 })) return true;
    return false;
  }

  /** Appends an event and deletes the previous one of its kind. Subscribers that have not read that one skip it. */
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

  /** Returns whether events after number `after` are missing: they were deleted, or the number is of another daemon. */
  hasMissed(after: number): boolean {
    return after < this.#oldest - 1 || after > this.#latest;
  }

  /**
   * Sends the events after number `after` that the subscriber wants, until `signal` aborts or the subscriber throws.
   * After `ending` has aborted, it returns when all existing events are sent. Returns the number of the last event
   * that was sent or skipped.
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
        // `appendNewest` has replaced this event by a later one.
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

  /** Lets waiting followers check the log again. */
  #wake(): void {
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }

  /** Returns whether the events are too large. The latest event is kept, whatever its size. */
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
