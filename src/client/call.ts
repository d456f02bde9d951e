/** One call through all its attempts: what is asked, and what may be done when it fails. */

import type { Body } from '../object-store/body.ts';
import type { CallOptions } from '../object-store/object-store.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { encodeRequest, type Input, type OperationName } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import type { WireHeaders, WireRequest } from '../protocol/wire.ts';
import { NO_BODY, objectBody, type OutgoingBody, textBody } from './outgoing-body.ts';

/** What a call is about, and which version of it or of what it copies. */
export interface CallTarget extends Target {
  readonly versionId?: string;
  readonly source?: { readonly versionId?: string };
}

export interface Call {
  readonly name: OperationName;
  readonly dialect: Dialect;
  readonly target: CallTarget;
  /** Without what signing adds. */
  readonly request: WireRequest;
  /** To be released when the call is over. */
  readonly body: OutgoingBody;
  /** Else it is an object's bytes. */
  readonly answerIsSmall: boolean;
  /** Made twice it does what it does once, also when the first may have been done. */
  readonly isIdempotent: boolean;
  /** A write with conditions. */
  readonly isGuarded: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface PrepareOptions extends CallOptions {
  readonly dialect: Dialect;
  readonly body?: Body;
  readonly answerIsSmall: boolean;
}

/** Beside all that is read. */
const IDEMPOTENT: ReadonlySet<OperationName> = new Set([
  'PutBucketVersioning',
  'PutObjectLegalHold',
  'PutObjectLockConfiguration',
  'PutObjectRetention',
  'UploadPart',
]);

/** Reads as much of the body as signing needs. */
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

/** The object's own Content-Encoding stands beside the framing's. */
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
