/**
 * Defines the caller of a request, whose permissions the store checks. `engine.as(caller)` returns the store for one
 * caller.
 */

import type { Principal } from '../base/principal.ts';

export interface Caller {
  readonly principal: Principal;
  /**
   * The client's IP address. `127.0.0.1` for calls inside this process; empty if a trusted proxy sent no valid address.
   */
  readonly sourceIp: string;
  /** Whether the request came over TLS or was made inside this process. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly authType: 'internal' | 'header' | 'query' | 'form' | 'anonymous';
  /** The time at which the request was signed, in milliseconds since 1970. */
  readonly signedAt: number;
  /** The time at which the store received the call, in milliseconds since 1970. Set by the store. */
  readonly askedAt?: number;
  /** Values of a network request that policy conditions can compare. */
  readonly wire?: WireFacts;
}

interface WireFacts {
  readonly referer?: string;
  /** The TLS version, for example `TLSv1.3`. Absent for a request without TLS. */
  readonly tlsVersion?: string;
  /** The signature version: `AWS4-HMAC-SHA256`, or `AWS` for version 2. Absent for an unsigned request. */
  readonly signatureVersion?: string;
  /** The unchanged value of the content-sha256 header. */
  readonly contentSha256?: string;
}

/** Returns the caller for operations that this process itself starts, such as those of a job. */
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
