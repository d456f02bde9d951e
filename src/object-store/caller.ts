/** On whose behalf a store acts. `engine.as(caller)` gives a store bound to one. */

import type { Principal } from '../base/principal.ts';

export interface Caller {
  readonly principal: Principal;
  /** The client's address as text; `127.0.0.1` for calls inside the process, empty when a trusted proxy sent none that can be parsed. */
  readonly sourceIp: string;
  /** Whether the request came over TLS or never left the process. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly authType: 'internal' | 'header' | 'query' | 'form' | 'anonymous';
  /** When the request was signed, milliseconds since 1970. */
  readonly signedAt: number;
  /** When the store is asked, milliseconds since 1970: the store says so itself. */
  readonly askedAt?: number;
  /** What policies may ask of a request that came over the wire. */
  readonly wire?: WireFacts;
}

interface WireFacts {
  readonly referer?: string;
  /** `TLSv1.3`; absent without TLS. */
  readonly tlsVersion?: string;
  /** `AWS4-HMAC-SHA256`, or `AWS` of the version before; absent for a request without a signature. */
  readonly signatureVersion?: string;
  /** What was said of the body's SHA-256, as it was said. */
  readonly contentSha256?: string;
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
