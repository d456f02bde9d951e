/** Who holds which access key: what a gateway asks before it believes a signature. */

import type { UserPrincipal } from '../base/principal.ts';

export interface AccessKey {
  /** `project:user@customer` (specification, "Authentication" 4), perhaps with a suffix for further keys. */
  readonly accessKeyId: string;
  /** Never to be logged or shown but to its holder. */
  readonly secretAccessKey: string;
  readonly principal: UserPrincipal;
}

export interface Identity {
  /** Cheap: it is asked on every request. */
  findKey(accessKeyId: string): AccessKey | undefined;
}
