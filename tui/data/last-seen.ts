/**
 * Returns texts that say when the shown state was last known. They are needed while the daemon is down, because the
 * state may have changed since then.
 */

import type { Clock } from '../../src/base/clock.ts';
import { clockText, dayText, minuteText } from '../../src/text/time.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { StatusStore } from './status-store.ts';

interface Stores {
  readonly clock: Clock;
  readonly link: DaemonLink;
  readonly status: StatusStore;
}

/**
 * Returns a text such as `last seen 10:42` if the daemon is down and the dashboard still shows its last known state.
 */
export function lastSeenText({ clock, link: { state }, status }: Stores): string | undefined {
  if (state.kind !== 'down' || !status.current) return undefined;
  const { since } = state;
  const isToday = dayText(since) === dayText(clock.now());
  return `last seen ${isToday ? clockText(since).slice(0, 5) : minuteText(since)}`;
}

/** Returns the text of a state, such as `in sync`. While the daemon is down, returns `last seen 10:42: in sync`. */
export function knownText(text: string, stores: Stores): string {
  const seen = lastSeenText(stores);
  if (seen === undefined) return text;
  return text === '' ? seen : `${seen}: ${text}`;
}

/**
 * Returns the title of a pane that shows a state, such as `Health`. While the daemon is down, adds when the state was
 * last known.
 */
export function knownTitle(title: string, stores: Stores): string {
  const seen = lastSeenText(stores);
  return seen === undefined ? title : `${title}, ${seen}`;
}
