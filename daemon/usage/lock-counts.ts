/**
 * Counts the locked versions of a bucket by mode and by the day on which their retention ends. It has no
 * side effects.
 */

import { DAY_MS } from '../../src/base/durations.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { RetentionMode } from '../../src/object-store/object-store.ts';

export interface Amount {
  versions: number;
  bytes: number;
}

export class LockCounts {
  readonly modes: Readonly<Record<RetentionMode, Amount>> = {
    COMPLIANCE: none(),
    GOVERNANCE: none(),
  };
  /** The versions with a legal hold, with or without a retention. */
  readonly held = none();
  /** The versions by the UTC day on which their retention ends, in milliseconds since 1970. */
  readonly days = new Map<number, Amount>();
  readonly #now: number;

  /** Creates empty counts for retentions that end after `now`, in milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  add({ sizeBytes, retention, legalHold }: ListedVersion): void {
    if (legalHold) addTo(this.held, sizeBytes);
    if (!retention || retention.retainUntil <= this.#now) return;
    addTo(this.modes[retention.mode], sizeBytes);
    const day = Math.floor(retention.retainUntil / DAY_MS) * DAY_MS;
    const ofDay = this.days.get(day) ?? none();
    this.days.set(day, ofDay);
    addTo(ofDay, sizeBytes);
  }
}

function none(): Amount {
  return { versions: 0, bytes: 0 };
}

function addTo(amount: Amount, bytes: number): void {
  amount.versions += 1;
  amount.bytes += bytes;
}
