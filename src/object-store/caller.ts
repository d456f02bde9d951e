/** On whose behalf a store acts. `engine.as(caller)` gives a store bound to one. */

import type { Principal } from '../base/principal.ts';

export interface Caller {
  readonly principal: Principal;
  /** Text form of the peer's address; `127.0.0.1` for calls inside the process. */
  readonly sourceIp: string;
  /** Whether the request came over TLS or never left the process. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly authType: 'internal' | 'header' | 'query' | 'form' | 'anonymous';
  /** When the request was signed, milliseconds since 1970. */
  readonly signedAt: number;
}

/** The caller for work that the process does for itself, such as a mirror's job. */
export function internalCaller(principal: Principal, now: number): Caller {
  return {
    principal,
    sourceIp: '127.0.0.1',
    secure: true,
    userAgent: 'holdfast',
    authType: 'internal',
    signedAt: now,
  };
}
