/**
 * Declares the caller of a request, whose permissions the store checks. `engine.as(caller)` returns a store for one caller.
 */

import type { Principal } from '../base/principal.ts';

export interface Caller {
  readonly principal: Principal;
  /** The client's address: `127.0.0.1` for calls inside the process, empty if a trusted proxy sent none that can be parsed. */
  readonly sourceIp: string;
  /** Whether the request came over TLS or never left the process. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly authType: 'internal' | 'header' | 'query' | 'form' | 'anonymous';
  /** When the request was signed, in milliseconds since 1970. */
  readonly signedAt: number;
  /** When the store received the call, in milliseconds since 1970. The store sets it. */
  readonly askedAt?: number;
  /** Values of a network request for the conditions of bucket policies. */
  readonly wire?: WireFacts;
}

interface WireFacts {
  readonly referer?: string;
  /** For example `TLSv1.3`. Absent without TLS. */
  readonly tlsVersion?: string;
  /** `AWS4-HMAC-SHA256`, or `AWS` for signature version 2. Absent for an unsigned request. */
  readonly signatureVersion?: string;
  /** The value of the content-sha256 header, verbatim. */
  readonly contentSha256?: string;
}

/** Returns the caller for operations that the process itself starts, such as those of a job. */
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
