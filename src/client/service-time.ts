/**
 * Determines the service's time when the service rejects a request because this machine's clock is wrong. Later
 * requests are signed with the service's time, so that a wrong clock does not stop backups.
 */

import { isStorageError } from '../object-store/storage-error.ts';
import { parseHttpDate, parseIsoDate } from '../protocol/dates.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

/**
 * The minimum clock difference that is corrected. Services reject a signature whose time differs by
 * more than 15 minutes.
 */
const REFUSED_FROM_MS = 14 * 60_000;

export interface Refused {
  readonly error: unknown;
  readonly method: string;
  /** The headers of the response that rejected the request. */
  readonly headers: WireHeaders;
}

export class ServiceTime {
  #offsetMs = 0;
  #now: number | undefined;

  /** The service's time minus this machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * The `date` header of the last response, in milliseconds since 1970. Undefined if it was missing
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
 * Returns the service's time if a wrong clock may have caused the error. A 403 response to HEAD
 * contains no error code, so only its `date` header can show this.
 */
function timeIn({ error, method, headers }: Refused): number | undefined {
  const isSkewed = isStorageError(error, 'RequestTimeTooSkewed');
  if (!isSkewed && !(method === 'HEAD' && isStorageError(error, 'AccessDenied'))) return undefined;
  const stated = parseIsoDate(String(error.details['ServerTime']));
  return stated ?? parseHttpDate(headerValue(headers, 'date') ?? '');
}
