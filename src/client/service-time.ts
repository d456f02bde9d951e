/** Learns the time of the service when it refuses this machine's, so that a wrong clock stops no backups. */

import { isStorageError } from '../object-store/storage-error.ts';
import { parseHttpDate, parseIsoDate } from '../protocol/dates.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

/** Services refuse signatures whose time differs by more than 15 minutes. */
const REFUSED_FROM_MS = 14 * 60_000;

export interface Refused {
  readonly error: unknown;
  readonly method: string;
  /** Headers of the response. */
  readonly headers: WireHeaders;
}

export class ServiceTime {
  #offsetMs = 0;
  #now: number | undefined;

  /** The service's time minus this machine's, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** The `date` header of the last response, in milliseconds since 1970. */
  get now(): number | undefined {
    return this.#now;
  }

  hear(headers: WireHeaders): void {
    this.#now = parseHttpDate(headerValue(headers, 'date') ?? '');
  }

  /** Returns whether the refusal shows a time that differs from the signed one. `now` is in milliseconds since 1970. */
  learn(refused: Refused, now: number): boolean {
    const serviceNow = timeIn(refused);
    if (serviceNow === undefined) return false;
    const offsetMs = serviceNow - now;
    if (Math.abs(offsetMs - this.#offsetMs) < REFUSED_FROM_MS) return false;
    this.#offsetMs = offsetMs;
    return true;
  }
}

/** The refusal of a HEAD request has no reason, but a date. */
function timeIn({ error, method, headers }: Refused): number | undefined {
  const isSkewed = isStorageError(error, 'RequestTimeTooSkewed');
  if (!isSkewed && !(method === 'HEAD' && isStorageError(error, 'AccessDenied'))) return undefined;
  const stated = parseIsoDate(String(error.details['ServerTime']));
  return stated ?? parseHttpDate(headerValue(headers, 'date') ?? '');
}
