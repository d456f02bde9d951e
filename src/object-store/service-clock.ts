/** The service's clock: whoever locks a version should know whether his own agrees with it. */

import type { CallOptions } from './object-store.ts';

export interface ServiceTime {
  /** Milliseconds since 1970; over the wire in whole seconds. */
  readonly now: number;
  /** It follows no clock that jumped ahead, and locks are judged by it: our own store's. */
  readonly isTrusted: boolean;
}

export interface ServiceClock {
  /** As it is now; undefined where the service does not tell. */
  serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ServiceTime | undefined>;
}
