/**
 * `OPTIONS`: what a browser asks before a request to another origin (semantics B.9). No bucket has rules for that yet,
 * so every well-formed question is answered with no, whoever asks and whether or not the bucket is there.
 */

import { StorageError } from '../object-store/storage-error.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);

/** Throws InvalidRequest for what is no preflight, else AccessForbidden. */
export function answerPreflight(headers: WireHeaders): never {
  if (!headerValue(headers, 'origin')) throw incomplete('Origin');
  const method = headerValue(headers, 'access-control-request-method');
  if (method === undefined || !METHODS.has(method))
    throw incomplete('Access-Control-Request-Method');
  throw new StorageError('AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.', {
    details: { Method: method, ResourceType: 'BUCKET' },
  });
}

function incomplete(name: string): StorageError {
  return new StorageError(
    'InvalidRequest',
    `Insufficient information. A valid ${name} request header is needed.`,
    { details: { Header: name } },
  );
}
