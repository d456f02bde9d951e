/** The service's clock, which a caller compares with its own before it locks a version. */

import type { CallOptions } from './object-store.ts';

export interface ServiceTime {
  /** Milliseconds since 1970; over the wire in whole seconds. */
  readonly now: number;
  /** It follows no clock that jumped ahead, and locks are judged by it: our own store's. */
  readonly isTrusted: boolean;
}

export interface ServiceClock {
  /** Returns the current time; undefined if the service does not report it. */
  serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ServiceTime | undefined>;
}
