/**
 * Stores the recent values of a metric at four resolutions in a fixed amount of memory: an hour in minutes, a day in
 * periods of 15 minutes, a week in periods of two hours, and 30 days in periods of eight hours.
 */

import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { windowStart } from './grid.ts';

/** How the values of a period are combined into one value. */
export type Combine = 'last' | 'largest' | 'sum';

interface Span {
  readonly stepMs: number;
  readonly points: number;
}

export type SpanName = 'hour' | 'day' | 'week' | 'month';

export const SPANS: Readonly<Record<SpanName, Span>> = {
  hour: { stepMs: MINUTE_MS, points: 60 },
  day: { stepMs: 15 * MINUTE_MS, points: 96 },
  week: { stepMs: 2 * HOUR_MS, points: 84 },
  month: { stepMs: 8 * HOUR_MS, points: 90 },
};

interface Ring extends Span {
  /** The index of this ring's first slot in the array of all slots. */
  readonly offset: number;
}

const RINGS = ringsOf(SPANS);

/** The number of values of a series at all resolutions. */
export const POINTS = Object.values(SPANS).reduce((sum, { points }) => sum + points, 0);

/** The values of consecutive periods, oldest first. */
export interface RecentValues {
  /** The start of the first period in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  /** The end of the last complete minute. The last period contains values up to this time. */
  readonly to: number;
  /** The values of the periods. Undefined for a period without a value. */
  readonly values: readonly (number | undefined)[];
}

export class RecentPoints {
  readonly #combine: Combine;
  /** The ring buffers of all resolutions. NaN means that the period has no value. */
  readonly #points: Float64Array;
  #sampledAt: number | undefined;

  /**
   * Creates an empty series or restores a stored one. `stored` contains the points that `bytes`
   * returned at `sampledAt`.
   */
  constructor(combine: Combine, stored?: { readonly sampledAt: number; readonly bytes: Buffer }) {
    this.#combine = combine;
    this.#points = new Float64Array(POINTS).fill(NaN);
    if (stored) this.#restore(stored.sampledAt, stored.bytes);
  }

  /** When the last value was added, in milliseconds since 1970. */
  get sampledAt(): number | undefined {
    return this.#sampledAt;
  }

  /** Adds a value that covers the time up to `at`. The value belongs to the period that contains `at`. */
  add(at: number, value: number): void {
    for (const ring of Object.values(RINGS)) {
      const index = indexOf(ring, at);
      this.#advance(ring, index);
      const slot = slotOf(ring, index);
      const known = this.#points[slot] ?? NaN;
      this.#points[slot] = Number.isNaN(known) ? value : combined(this.#combine, known, value);
    }
    this.#sampledAt = at;
  }

  /** Returns the periods of the span up to `now`. */
  read(span: SpanName, now: number): RecentValues {
    const ring = RINGS[span];
    const { stepMs, points } = ring;
    const to = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const first = indexOf(ring, to) - points + 1;
    const newest = this.#sampledAt === undefined ? -Infinity : indexOf(ring, this.#sampledAt);
    const values = Array.from({ length: points }, (_, place) => {
      const index = first + place;
      // If the index is outside the ring, its slot contains the value of another period.
      if (index > newest || index <= newest - points) return undefined;
      const value = this.#points[slotOf(ring, index)] ?? NaN;
      return Number.isNaN(value) ? undefined : value;
    });
    return { from: first * stepMs, stepMs, to, values };
  }

  /**
   * Returns all points as 64-bit little-endian floats: the spans one after another, each with its oldest point first.
   */
  bytes(): Buffer {
    const bytes = Buffer.alloc(POINTS * Float64Array.BYTES_PER_ELEMENT);
    let at = 0;
    for (const slot of this.#slots()) at = bytes.writeDoubleLE(this.#points[slot] ?? NaN, at);
    return bytes;
  }

  #restore(sampledAt: number, bytes: Buffer): void {
    this.#sampledAt = sampledAt;
    let at = 0;
    for (const slot of this.#slots()) {
      this.#points[slot] = bytes.readDoubleLE(at);
      at += Float64Array.BYTES_PER_ELEMENT;
    }
  }

  /** Yields the slots of all spans in order, each span with its oldest period first. */
  *#slots(): Generator<number> {
    const sampledAt = this.#sampledAt ?? 0;
    for (const ring of Object.values(RINGS)) {
      const newest = indexOf(ring, sampledAt);
      for (let age = ring.points - 1; age >= 0; age -= 1) yield slotOf(ring, newest - age);
    }
  }

  /**
   * Clears the periods between the last value and `index`. If the clock was set back, clears the
   * periods after `index`, so that a wrong clock does not stop the series.
   */
  #advance(ring: Ring, index: number): void {
    if (this.#sampledAt === undefined) return;
    const newest = indexOf(ring, this.#sampledAt);
    const [after, last] = index > newest ? [newest, index] : [index, newest];
    const count = Math.min(last - after, ring.points);
    for (let age = 0; age < count; age += 1) this.#points[slotOf(ring, last - age)] = NaN;
  }
}

function combined(combine: Combine, known: number, value: number): number {
  if (combine === 'sum') return known + value;
  return combine === 'largest' ? Math.max(known, value) : value;
}

/** Returns the number of the period (counted from 1970) that a value sampled at `at` belongs to. */
function indexOf({ stepMs }: Span, at: number): number {
  return windowStart(at, stepMs) / stepMs;
}

function slotOf({ offset, points }: Ring, index: number): number {
  return offset + (((index % points) + points) % points);
}

function ringsOf(spans: Readonly<Record<SpanName, Span>>): Readonly<Record<SpanName, Ring>> {
  const { hour, day, week, month } = spans;
  let end = 0;
  const ring = (span: Span) => {
    const offset = end;
    end += span.points;
    return { ...span, offset };
  };
  return { hour: ring(hour), day: ring(day), week: ring(week), month: ring(month) };
}

/** The size of a series' stored points in bytes. */
export const POINTS_BYTES = POINTS * Float64Array.BYTES_PER_ELEMENT;

/** The longest age that any span covers. Older values are discarded. */
export const OLDEST_MS = SPANS.month.stepMs * SPANS.month.points;
