/** Defines how to read the service's clock. A caller compares it with its own clock before it locks a version. */

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
