/**
 * Sends events to the subscribed client. If the client subscribes again, the new subscription replaces the old one
 * without losing events.
 */

import type { Logger } from '../../src/base/logger.ts';
import { ACTIVITY_LEVELS } from '../../src/control/handshake.ts';
import type { EventType, Params, Result } from '../../src/control/messages.ts';
import type { EventLog, Subscriber, Wants } from './event-log.ts';

export interface SubscriptionOptions {
  readonly events: EventLog;
  readonly logger: Logger;
  /** Aborts when the client has disconnected. */
  readonly gone: AbortSignal;
  /** When this signal aborts, the client still receives the existing events, and then the subscription ends. */
  readonly ending: AbortSignal;
  readonly send: (method: 'event' | 'events.missed', params: object) => Promise<void>;
}

/**
 * The state at the end of a subscription: the number of its last event, and which later events it would have sent.
 */
interface End {
  readonly seq: number;
  readonly wants: Wants;
}

/** Frequent event types. Only a client that lists them in `types` receives them. */
const BY_NAME: ReadonlySet<EventType> = new Set<EventType>(['job.transfers']);

export class Subscription {
  readonly #options: SubscriptionOptions;
  #current: AbortController | undefined;
  /** The end of the latest subscription. Never rejects. */
  #end: Promise<End | undefined> = Promise.resolve(undefined);

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  renew({ after, ...wish }: Params<'events.subscribe'>): Result<'events.subscribe'> {
    const { events } = this.#options;
    const seq = events.latest;
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    const asked = wantsOf(wish);
    const before = this.#end;
    this.#end = before.then((end) => {
      // The previous subscription may have unsent events. The new subscription sends those of them that it also
      // selects.
      const owed = after === undefined && end !== undefined && end.seq < seq ? end : undefined;
      const wants: Wants = owed
        ? (event) => asked(event) && (event.seq > seq || owed.wants(event))
        : asked;
      return this.#follow(after ?? owed?.seq ?? seq, wants, current.signal);
    });
    return { seq, missed: after !== undefined && events.hasMissed(after) };
  }

  /** Resolves when all events of the subscription have been sent, or the client has disconnected. */
  async drained(): Promise<void> {
    await this.#end;
  }

  async #follow(after: number, wants: Wants, current: AbortSignal): Promise<End | undefined> {
    const { events, logger, gone, ending, send } = this.#options;
    const signal = AbortSignal.any([current, gone]);
    const subscriber: Subscriber = {
      event: (event) => send('event', event),
      missed: (missed) => send('events.missed', missed),
    };
    try {
      return { seq: await events.follow(subscriber, { after, wants, signal, ending }), wants };
    } catch (error) {
      // Sending to a disconnected client is expected to fail.
      if (!signal.aborted) logger.debug({ err: error }, 'subscription: cannot send an event');
      return undefined;
    }
  }
}

function wantsOf({ types, activityLevel = 'info' }: Params<'events.subscribe'>): Wants {
  const named = types && new Set<EventType>(types);
  const levels = new Set(ACTIVITY_LEVELS.slice(ACTIVITY_LEVELS.indexOf(activityLevel)));
  return ({ type, level }) =>
    (named ? named.has(type) : !BY_NAME.has(type)) && (level === undefined || levels.has(level));
}
