/** The service's clock: whoever locks a version should know whether his own agrees with it. */

import type { CallOptions } from './object-store.ts';

export interface ServiceClock {
  /**
   * As it is now, milliseconds since 1970; over the wire in whole seconds. Undefined where the service does not tell.
   * Ours tells the time by which it judges locks.
   */
  serviceTime(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<number | undefined>;
}
