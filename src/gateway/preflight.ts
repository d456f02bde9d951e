/**
 * Responds to CORS preflight requests (`OPTIONS`), and creates the CORS headers of other responses (semantics B.9).
 * CORS decides which scripts can read a response, but grants no permissions to a caller.
 */

import { CORS_METHODS, type CorsRule } from '../object-store/cors.ts';
import { corsGrant, type CorsGrant } from '../object-store/rules/cors.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { EncodedResponse } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import type { Headers } from '../protocol/headers.ts';
import type { WireHeaders } from '../protocol/wire.ts';

/**
 * The maximum number of headers in a preflight request. Each header is compared with every header of every rule, even
 * for unauthenticated clients. Browsers request about a dozen headers.
 */
const MAX_REQUESTED_HEADERS = 100;

/**
 * The `Vary` header. It prevents caches from returning the response to a request in which these headers have other
 * values.
 */
const VARY = [
  'vary',
  'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
] as const;

/**
 * Returns the response to a preflight request. Throws InvalidRequest if the request is not a preflight request, and
 * AccessForbidden if no CORS rule matches. The error is the same for a bucket without rules and a bucket that does not
 * exist.
 */
export function answerPreflight(
  { headers, target }: { readonly headers: Headers; readonly target: Target },
  rules: readonly CorsRule[],
): EncodedResponse {
  const origin = headers.get('origin');
  if (!origin) throw incomplete('Origin');
  const method = headers.get('access-control-request-method');
  if (!CORS_METHODS.some((each) => each === method) || method === undefined) {
    throw incomplete('Access-Control-Request-Method');
  }
  const requested = requestedHeaders(headers);
  const grant =
    requested.length > MAX_REQUESTED_HEADERS
      ? undefined
      : corsGrant(rules, { origin, method, headers: requested });
  if (grant === undefined) throw forbidden(method, target, rules);
  const granted: WireHeaders = [
    ...grantHeaders(grant),
    ...(requested.length > 0
      ? [['access-control-allow-headers', requested.join(', ')] as const]
      : []),
    ...(grant.maxAgeSeconds === undefined
      ? []
      : [['access-control-max-age', String(grant.maxAgeSeconds)] as const]),
    VARY,
  ];
  return { status: 200, headers: granted };
}

/**
 * Returns the CORS headers of a response or error response. If no CORS rule matches, the browser hides the response
 * from scripts.
 */
export function corsHeaders(
  { method, headers }: { readonly method: string; readonly headers: Headers },
  rules: readonly CorsRule[],
): WireHeaders {
  if (rules.length === 0) return [];
  const origin = headers.get('origin');
  const grant = origin ? corsGrant(rules, { origin, method }) : undefined;
  return grant === undefined ? [VARY] : [...grantHeaders(grant), VARY];
}

function grantHeaders({ origin, credentials, methods, exposeHeaders }: CorsGrant): WireHeaders {
  const headers: (readonly [string, string])[] = [
    ['access-control-allow-origin', origin],
    ['access-control-allow-methods', methods.join(', ')],
  ];
  if (credentials) headers.push(['access-control-allow-credentials', 'true']);
  if (exposeHeaders.length > 0) {
    headers.push(['access-control-expose-headers', exposeHeaders.join(', ')]);
  }
  return headers;
}

function requestedHeaders(headers: Headers): readonly string[] {
  return (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** Returns the error for a request that no CORS rule allows. If the bucket has no rules, the message is that of S3. */
function forbidden(method: string, target: Target, rules: readonly CorsRule[]): StorageError {
  const reason =
    rules.length === 0
      ? 'CORS is not enabled for this bucket.'
      : 'This CORS request is not allowed: no rule of the bucket allows this origin, method and headers.';
  return new StorageError('AccessForbidden', `CORSResponse: ${reason}`, {
    details: { Method: method, ResourceType: target.key === undefined ? 'BUCKET' : 'OBJECT' },
  });
}

function incomplete(name: string): StorageError {
  return new StorageError(
    'InvalidRequest',
    `Insufficient information. A valid ${name} request header is needed.`,
    { details: { Header: name } },
  );
}
