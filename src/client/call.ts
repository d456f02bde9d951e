/**
 * Prepares the call of an operation. It encodes the request, reads as much of the body as signing
 * requires, and determines whether a retry is safe.
 */

import type { Body } from '../object-store/body.ts';
import type { CallOptions } from '../object-store/object-store.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { encodeRequest, type Input, type OperationName } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import type { WireHeaders, WireRequest } from '../protocol/wire.ts';
import { NO_BODY, objectBody, type OutgoingBody, textBody } from './outgoing-body.ts';

/**
 * The bucket or object of a call, and its version ID. For a copy, also the version ID of the
 * source.
 */
export interface CallTarget extends Target {
  readonly versionId?: string;
  readonly source?: { readonly versionId?: string };
}

export interface Call {
  readonly name: OperationName;
  readonly dialect: Dialect;
  readonly target: CallTarget;
  /** The request before signing. It includes the headers of the body. */
  readonly request: WireRequest;
  /** The request body. The caller of `prepareCall` releases it when the call ends. */
  readonly body: OutgoingBody;
  /** Whether the response is small, such as an XML document. If not, the response contains the bytes of an object. */
  readonly answerIsSmall: boolean;
  /** Whether the call may be repeated even if an earlier attempt may have succeeded. */
  readonly isIdempotent: boolean;
  /** Whether the request, or any object in a bulk delete, has conditions such as `If-Match`. */
  readonly isGuarded: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface PrepareOptions extends CallOptions {
  readonly dialect: Dialect;
  readonly body?: Body;
  readonly answerIsSmall: boolean;
}

/** Write operations that may be repeated. GET and HEAD operations may always be repeated. */
const IDEMPOTENT: ReadonlySet<OperationName> = new Set([
  'PutBucketVersioning',
  'PutObjectLegalHold',
  'PutObjectLockConfiguration',
  'PutObjectRetention',
  'UploadPart',
]);

/**
 * Returns the call with its encoded request. Throws the errors of `objectBody`, which reads as much
 * of the body as signing requires.
 */
export async function prepareCall<N extends OperationName>(
  name: N,
  input: Input<N>,
  { dialect, body: given, answerIsSmall, signal }: PrepareOptions,
): Promise<Call> {
  signal?.throwIfAborted();
  const { body: text, ...request } = encodeRequest(name, input, dialect);
  const { method } = request;
  const body = await outgoing(given, text, dialect, signal);
  return {
    name,
    dialect,
    target: input,
    request: { ...request, headers: withBodyHeaders(request, body) },
    body,
    answerIsSmall,
    isIdempotent: method === 'GET' || method === 'HEAD' || IDEMPOTENT.has(name),
    isGuarded: isGuarded(input),
    signal,
  };
}

function isGuarded(input: object): boolean {
  if ('objects' in input && Array.isArray(input.objects)) return input.objects.some(isGuarded);
  return 'conditions' in input && input.conditions !== undefined;
}

async function outgoing(
  body: Body | undefined,
  text: string | undefined,
  dialect: Dialect,
  signal: AbortSignal | undefined,
): Promise<OutgoingBody> {
  if (body !== undefined) return objectBody(body, dialect, signal);
  return text === undefined ? NO_BODY : textBody(text);
}

/**
 * Combines the headers of the request and of the body. If both have a Content-Encoding, a single
 * header contains both values, with that of the chunk framing first.
 */
function withBodyHeaders({ headers }: WireRequest, body: OutgoingBody): WireHeaders {
  const own = headers.find(([name]) => name === 'content-encoding');
  if (own === undefined) return [...headers, ...body.headers];
  return [
    ...headers.filter((header) => header !== own || !body.headers.some(isEncoding)),
    ...body.headers.map(([name, value]): readonly [string, string] =>
      name === 'content-encoding' ? [name, `${value},${own[1]}`] : [name, value],
    ),
  ];
}

function isEncoding([name]: readonly [string, string]): boolean {
  return name === 'content-encoding';
}
