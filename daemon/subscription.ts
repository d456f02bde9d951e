/** Which events one client is told, and from where: a later wish takes the place of an earlier one, and loses nothing. */

import type { Logger } from '../src/base/logger.ts';
import { ACTIVITY_LEVELS } from '../src/control/handshake.ts';
import type { EventType, Params, Result } from '../src/control/messages.ts';
import type { EventLog, Subscriber, Wants } from './event-log.ts';

export interface SubscriptionOptions {
  readonly events: EventLog;
  readonly logger: Logger;
  /** Aborts when nobody is there to be told. */
  readonly gone: AbortSignal;
  /** Aborts when the client is to be told what has happened, and no more. */
  readonly ending: AbortSignal;
  readonly send: (method: 'event' | 'events.missed', params: object) => Promise<void>;
}

/** Where one wish ended: the number of the last event dealt with, and what it would have told of those behind. */
interface End {
  readonly told: number;
  readonly wants: Wants;
}

/** Told of only to who names them: they come often, and only some screens show them. */
const BY_NAME: ReadonlySet<EventType> = new Set<EventType>(['job.transfers']);

export class Subscription {
  readonly #options: SubscriptionOptions;
  #current: AbortController | undefined;
  /** Of the last wish; never rejects. */
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
      // What the older one had not told yet, this one tells where both want it.
      const owed = after === undefined && end !== undefined && end.told < seq ? end : undefined;
      const wants: Wants = owed
        ? (event) => asked(event) && (event.seq > seq || owed.wants(event))
        : asked;
      return this.#follow(after ?? owed?.told ?? seq, wants, current.signal);
    });
    return { seq, missed: after !== undefined && events.hasMissed(after) };
  }

  /** Resolves when the client has been told all that it wants, or is gone. */
  async told(): Promise<void> {
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
      return { told: await events.follow(subscriber, { after, wants, signal, ending }), wants };
    } catch (error) {
      // A client that is gone cannot be told anything.
      if (!signal.aborted) logger.debug({ err: error }, 'a subscription ended');
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
