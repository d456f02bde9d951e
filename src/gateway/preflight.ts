/**
 * CORS in answers (semantics B.9): what a browser is told that asks before a request to another origin (`OPTIONS`), and
 * what it is told with the answer to the request itself. It decides what scripts may see, never what a caller may do.
 */

import { CORS_METHODS, type CorsRule } from '../object-store/cors.ts';
import { corsGrant, type CorsGrant } from '../object-store/rules/cors.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { EncodedResponse } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import { headerValue, type WireHeaders, type WireRequest } from '../protocol/wire.ts';

/** Each is compared with each header of each rule, for whoever asks. Browsers name a dozen. */
const MAX_REQUESTED_HEADERS = 100;

/** For caches: the answer is another one where the asker is. */
const VARY = [
  'vary',
  'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
] as const;

/**
 * Throws InvalidRequest for what is no preflight, and AccessForbidden where no rule matches: in the same way for a
 * bucket that has no rules and for one that is not there.
 */
export function answerPreflight(
  { headers, target }: { readonly headers: WireHeaders; readonly target: Target },
  rules: readonly CorsRule[],
): EncodedResponse {
  const origin = headerValue(headers, 'origin');
  if (!origin) throw incomplete('Origin');
  const method = headerValue(headers, 'access-control-request-method');
  if (!CORS_METHODS.some((each) => each === method) || method === undefined) {
    throw incomplete('Access-Control-Request-Method');
  }
  const requested = requestedHeaders(headers);
  const grant =
    requested.length > MAX_REQUESTED_HEADERS
      ? undefined
      : corsGrant(rules, { origin, method, headers: requested });
  if (grant === undefined) throw forbidden(method, target, rules);
  const told: WireHeaders = [
    ...grantHeaders(grant),
    ...(requested.length > 0
      ? [['access-control-allow-headers', requested.join(', ')] as const]
      : []),
    ...(grant.maxAgeSeconds === undefined
      ? []
      : [['access-control-max-age', String(grant.maxAgeSeconds)] as const]),
    VARY,
  ];
  return { status: 200, headers: told };
}

/** With the answer to a request, an error or not. Where no rule matches, the browser shows it to no script. */
export function corsHeaders(
  { method, headers }: Pick<WireRequest, 'headers' | 'method'>,
  rules: readonly CorsRule[],
): WireHeaders {
  if (rules.length === 0) return [];
  const origin = headerValue(headers, 'origin');
  const grant = origin ? corsGrant(rules, { origin, method }) : undefined;
  return grant === undefined ? [VARY] : [...grantHeaders(grant), VARY];
}

function grantHeaders({ origin, credentials, methods, exposeHeaders }: CorsGrant): WireHeaders {
  const told: (readonly [string, string])[] = [
    ['access-control-allow-origin', origin],
    ['access-control-allow-methods', methods.join(', ')],
  ];
  if (credentials) told.push(['access-control-allow-credentials', 'true']);
  if (exposeHeaders.length > 0) {
    told.push(['access-control-expose-headers', exposeHeaders.join(', ')]);
  }
  return told;
}

function requestedHeaders(headers: WireHeaders): readonly string[] {
  return (headerValue(headers, 'access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** In the words of the protocol. */
function forbidden(method: string, target: Target, rules: readonly CorsRule[]): StorageError {
  const reason =
    rules.length === 0
      ? 'CORS is not enabled for this bucket.'
      : 'This CORS request is not allowed: no rule of the bucket has this origin, method and these headers.';
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
