/** The service's clock, which a caller compares with its own before it locks a version. */

import type { CallOptions } from './object-store.ts';

export interface ServiceTime {
  /** Milliseconds since 1970; a remote service reports whole seconds. */
  readonly now: number;
  /** True for the embedded store: its time does not follow a clock that jumped ahead, and its locks depend on it. */
  readonly isTrusted: boolean;
}

export interface ServiceClock {
  /** Returns the current time; undefined if the service does not report it. */
  serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ServiceTime | undefined>;
}
