/**
 * Defines how to read the service's clock. Before a caller locks a version, it compares this clock with its own clock.
 */

import type { CallOptions } from './object-store.ts';

export interface ServiceTime {
  /** The service's time in milliseconds since 1970. A remote service reports whole seconds. */
  readonly now: number;
  /**
   * Whether the service's time does not follow a wall clock that jumps ahead. True only for the embedded store, whose
   * locks depend on this time.
   */
  readonly isTrusted: boolean;
}

export interface ServiceClock {
  /** Returns the service's current time, or undefined if the service does not report it. */
  serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ServiceTime | undefined>;
}
