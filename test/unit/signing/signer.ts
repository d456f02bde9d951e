/** Signs and verifies requests in one process, for tests of both sides. */

import { amzDialect, type Dialect, svcDialect } from '../../../src/protocol/dialect.ts';
import { EMPTY_SHA256 } from '../../../src/protocol/signing/string-to-sign.ts';
import { signRequest } from '../../../src/protocol/signing/sign-request.ts';
import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import { verifyRequest } from '../../../src/protocol/signing/verify-request.ts';
import type { WireHeaders, WireRequest } from '../../../src/protocol/wire.ts';
import { received } from '../../helpers/received.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);
export const REGION = 'us-east-1';
export const DIALECTS = { svc: svcDialect(), amz: amzDialect };
export const BOTH = [DIALECTS.svc, DIALECTS.amz] as const;
export const KEY = { accessKeyId: 'holdfast:ada@local', secretAccessKey: 's'.repeat(40) };

const keys = new SigningKeys();

export interface SignOverrides {
  readonly request?: Partial<WireRequest>;
  readonly headers?: WireHeaders;
  readonly payloadHash?: string;
  readonly region?: string;
  readonly now?: number;
  readonly credentials?: typeof KEY;
}

/**
 * Signs a PUT request with an empty body in the dialect. `overrides` replaces parts of the request.
 */
export function sign(dialect: Dialect, overrides: SignOverrides = {}): WireRequest {
  return signWithSeed(dialect, overrides).request;
}

export function signWithSeed(dialect: Dialect, overrides: SignOverrides = {}) {
  const unsigned: WireRequest = {
    method: 'PUT',
    path: '/bucket/key',
    query: [],
    ...overrides.request,
    headers: [['host', 'localhost:9010'], ...(overrides.headers ?? [])],
  };
  const { headers, seed } = signRequest(unsigned, {
    dialect,
    region: overrides.region ?? REGION,
    credentials: overrides.credentials ?? KEY,
    keys,
    now: overrides.now ?? NOW,
    payloadHash: overrides.payloadHash ?? EMPTY_SHA256,
  });
  return { request: { ...unsigned, headers }, seed };
}

export function verify(request: WireRequest, now = NOW) {
  return verifyRequest({
    request: received(request, DIALECTS),
    dialects: DIALECTS,
    keys,
    findKey: (accessKeyId) => (accessKeyId === KEY.accessKeyId ? KEY : undefined),
    region: REGION,
    now,
  });
}

/** Returns the error that the verification throws, or undefined if it throws none. */
export function refusal(request: WireRequest, now = NOW): unknown {
  try {
    verify(request, now);
  } catch (error) {
    return error;
  }
  return undefined;
}

export function withHeader(request: WireRequest, name: string, value: string): WireRequest {
  return { ...request, headers: [...request.headers, [name, value]] };
}

export function replaceHeader(
  request: WireRequest,
  name: string,
  change: (value: string) => string | undefined,
): WireRequest {
  const headers = request.headers.flatMap(([each, value]) => {
    const changed = each === name ? change(value) : value;
    return changed === undefined ? [] : [[each, changed] as const];
  });
  return { ...request, headers };
}
