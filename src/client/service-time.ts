/** The service's own time, learnt when it refuses ours: a machine with a wrong clock still keeps its backups. */

import { isStorageError } from '../object-store/storage-error.ts';
import { parseHttpDate, parseIsoDate } from '../protocol/dates.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

/** Services refuse beyond fifteen minutes. */
const REFUSED_FROM_MS = 14 * 60_000;

export interface Refused {
  readonly error: unknown;
  readonly method: string;
  /** Of the answer. */
  readonly headers: WireHeaders;
}

export class ServiceTime {
  #offsetMs = 0;
  #toldAt: number | undefined;

  /** What to add to this machine's time to get the service's. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Of the last answer that had a date, milliseconds since 1970, in whole seconds. */
  get toldAt(): number | undefined {
    return this.#toldAt;
  }

  hear(headers: WireHeaders): void {
    this.#toldAt = parseHttpDate(headerValue(headers, 'date') ?? '');
  }

  /** Whether the refusal told another time than the one it was signed with. `now`: milliseconds since 1970. */
  learn(refused: Refused, now: number): boolean {
    const serviceNow = toldTime(refused);
    if (serviceNow === undefined) return false;
    const offsetMs = serviceNow - now;
    if (Math.abs(offsetMs - this.#offsetMs) < REFUSED_FROM_MS) return false;
    this.#offsetMs = offsetMs;
    return true;
  }
}

/** A refused HEAD tells no reason, but its date does. */
function toldTime({ error, method, headers }: Refused): number | undefined {
  const isSkewed = isStorageError(error, 'RequestTimeTooSkewed');
  if (!isSkewed && !(method === 'HEAD' && isStorageError(error, 'AccessDenied'))) return undefined;
  const told = parseIsoDate(String(error.details['ServerTime']));
  return told ?? parseHttpDate(headerValue(headers, 'date') ?? '');
}
