/** The last events of this daemon, numbered: what subscribers follow, each at their own pace. */

import type { Clock } from '../src/base/clock.ts';
import type {
  ActivityLevel,
  DaemonEvent,
  EventType,
  MissedEvents,
} from '../src/control/messages.ts';

/** Enough for a dashboard that was away for minutes of a busy first mirror. */
export const EVENTS_KEPT = 10_000;
/** A job's status with its hundred problems has some 20 KB: the number of events alone bounds nothing. */
const EVENT_BYTES_KEPT = 32 * 1024 * 1024;

export type EventBody = DaemonEvent['event'];

/** Both resolve when the subscriber can take the next one. */
export interface Subscriber {
  event(event: DaemonEvent): Promise<void>;
  missed(missed: MissedEvents): Promise<void>;
}

/** Whether a subscriber is to be told such an event. */
export type Wants = (event: EventFacts) => boolean;

export interface EventFacts {
  readonly type: EventType;
  readonly seq: number;
  /** Of an activity. */
  readonly level?: ActivityLevel;
}

export interface Following {
  readonly after: number;
  readonly wants: Wants;
  readonly signal: AbortSignal;
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
 * Subscribers have no queue of their own but a place in this log: one that is too slow finds its
 * place gone, is told so, and goes on with the oldest event that is left.
 */
export class EventLog {
  readonly #clock: Clock;
  readonly #eventsKept: number;
  readonly #bytesKept: number;
  readonly #kept = new Map<number, Kept>();
  #keptBytes = 0;
  #latest: number;
  #oldest: number;
  /** Followers that have told all there is. */
  readonly #waiting = new Set<() => void>();
  readonly #wanted = new Set<Wants>();
  /** Numbers of the events that the next one of their kind takes the place of. */
  readonly #newest = new Map<string, number>();

  constructor(options: EventLogOptions) {
    this.#clock = options.clock;
    this.#eventsKept = options.eventsKept ?? EVENTS_KEPT;
    this.#bytesKept = options.bytesKept ?? EVENT_BYTES_KEPT;
    // The time as the first number: one from an earlier daemon is recognised as gone, not mistaken for ours.
    this.#latest = this.#clock.now();
    this.#oldest = this.#latest + 1;
  }

  /** The number of the last event, or the one before the first. */
  get latest(): number {
    return this.#latest;
  }

  /** Whether somebody is to be told events of that type from now on. */
  isWanted(type: EventType): boolean {
    for (const wants of this.#wanted) if (wants({ type, seq: this.#latest + 1 })) return true;
    return false;
  }

  /** In place of the last one of the same kind: who was not told that one yet never is. */
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

  /** Whether the events after number `after` are not all here: forgotten, or another daemon's. */
  hasMissed(after: number): boolean {
    return after < this.#oldest - 1 || after > this.#latest;
  }

  /**
   * Tells the subscriber each event after number `after` that it wants, until the signal aborts or it throws; once
   * `ending` has aborted, until all is told. Resolves with the number of the last event that it has dealt with.
   */
  async follow(
    subscriber: Subscriber,
    { after, wants, signal, ending }: Following,
  ): Promise<number> {
    for (const each of [signal, ending])
      each?.addEventListener('abort', () => this.#wake(), { once: true });
    this.#wanted.add(wants);
    try {
      return await this.#tell(subscriber, { after, wants, signal, ending });
    } finally {
      this.#wanted.delete(wants);
    }
  }

  async #tell(
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
        // A newer one of its kind is there.
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

  /** Whoever waits looks again. */
  #wake(): void {
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }

  /** The last one stays, however large it is. */
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
