/**
 * Learns the time of the service when it rejects a request because of this machine's clock, so that
 * a wrong clock does not stop backups.
 */

import { isStorageError } from '../object-store/storage-error.ts';
import { parseHttpDate, parseIsoDate } from '../protocol/dates.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

/**
 * Minimum difference that is corrected. Services reject signatures whose time differs by more than
 * 15 minutes.
 */
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

  /**
   * The `date` header of the last response, in milliseconds since 1970; undefined if it was missing
   * or invalid.
   */
  get now(): number | undefined {
    return this.#now;
  }

  hear(headers: WireHeaders): void {
    this.#now = parseHttpDate(headerValue(headers, 'date') ?? '');
  }

  /**
   * Returns whether the response shows that the signed time was wrong. If so, updates `offsetMs`.
   * `now` is this machine's time in milliseconds since 1970.
   */
  learn(refused: Refused, now: number): boolean {
    const serviceNow = timeIn(refused);
    if (serviceNow === undefined) return false;
    const offsetMs = serviceNow - now;
    if (Math.abs(offsetMs - this.#offsetMs) < REFUSED_FROM_MS) return false;
    this.#offsetMs = offsetMs;
    return true;
  }
}

/**
 * Returns the service's time if a wrong clock may have caused the error. A HEAD response with
 * status 403 states no error code, so its `date` header decides.
 */
function timeIn({ error, method, headers }: Refused): number | undefined {
  const isSkewed = isStorageError(error, 'RequestTimeTooSkewed');
  if (!isSkewed && !(method === 'HEAD' && isStorageError(error, 'AccessDenied'))) return undefined;
  const stated = parseIsoDate(String(error.details['ServerTime']));
  return stated ?? parseHttpDate(headerValue(headers, 'date') ?? '');
}
