/**
 * Stores an object that a browser sends as a form (semantics B.11.5). The form contains the parameters and the
 * signature.
 */

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Body } from '../object-store/body.ts';
import type { Caller } from '../object-store/caller.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import {
  answerOfForm,
  dialectOfForm,
  headersOfForm,
  keyOfForm,
} from '../protocol/form/form-upload.ts';
import {
  checkPostPolicy,
  type LengthRange,
  parsePostPolicy,
} from '../protocol/form/post-policy.ts';
import { type Form, readForm } from '../protocol/form/read-form.ts';
import { decodeRequest, encodeResponse, type EncodedResponse } from '../protocol/operations.ts';
import { formatPath, type Target } from '../protocol/paths.ts';
import { percentEncodePath } from '../protocol/percent.ts';
import { readDeclaredDigests } from '../protocol/signing/declared-digests.ts';
import type { Headers } from '../protocol/headers.ts';
import type { AuthenticateForm } from './authenticate.ts';
import { guardCustomerKeys } from './customer-keys.ts';
import type { HeadOptions, RequestHead } from './request-head.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { announcedBytes, type Received } from './request-body.ts';

export interface FormCall {
  readonly head: RequestHead;
  readonly request: IncomingMessage;
  readonly received: Received;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly dialects: HeadOptions['dialects'];
  readonly authenticate: AuthenticateForm;
  readonly customerKeysOverHttp?: boolean | undefined;
  readonly store: (caller: Caller) => ObjectStore;
  /** The scheme, the host and the port of the request: `http://localhost:9010`. */
  readonly origin: string;
  /** Called when the dialect and the target of the form are known, so that later error responses can use them. */
  readonly onRead: (dialect: Dialect, target: Target) => void;
}

/**
 * Stores the file of a form and returns the response. Reads the file only after the caller is authenticated and the
 * POST policy allows every field.
 */
export async function postObject(call: FormCall): Promise<EncodedResponse> {
  const { head, received } = call;
  refuseHeaders(head);
  checkAnnounced(received);
  const contentType = head.headers.get('content-type') ?? '';
  const form = await readForm(received.incoming.read(), contentType);
  try {
    return await storeForm(form, call);
  } finally {
    await form.close();
  }
}

async function storeForm(form: Form, call: FormCall): Promise<EncodedResponse> {
  const { head, signal, clock, dialects } = call;
  const dialect = dialectOfForm(form.fields, dialects);
  call.onRead(dialect, head.target);
  const { caller, policy } = call.authenticate(form.fields, {
    dialect,
    head,
    request: call.request,
  });
  // Use the bucket in the URL instead of a bucket in a form field. Otherwise a policy for one bucket could permit
  // writing to another (CVE-2023-43040).
  const { bucket = '' } = head.target;
  const key = keyOfForm(form.fields, form.filename);
  call.onRead(dialect, { bucket, key });
  const fields = new Map([...form.fields, ['bucket', bucket], ['key', key]]);
  const range =
    policy === undefined
      ? ANY_LENGTH
      : checkPostPolicy(parsePostPolicy(policy), fields, clock.now());
  const answer = answerOfForm(fields);
  const headers = headersOfForm(fields, dialect, dialects);
  guardCustomerKeys({ query: [], unified: headers }, caller, call);
  const target = { bucket, key };
  const input = decodeRequest('PutObject', { target, query: [], headers }, dialect);
  const body = bodyOf(form, { range, headers, dialect });
  const output = await call.store(caller).putObject({ ...input, body }, { signal });
  const stored = encodeResponse('PutObject', { input, output }, dialect);
  const location = call.origin + pathTo(head, target);
  const { headers: answered, ...rest } = answer({ bucket, key, etag: output.etag, location });
  return { ...rest, headers: [...stored.headers, ...answered] };
}

const ANY_LENGTH: LengthRange = { min: 0, max: MAX_UPLOAD_BYTES };

/**
 * Refuses a form with an Authorization header, a query or vendor headers. The POST policy does not cover them, so they
 * must not affect the object.
 */
function refuseHeaders({ headers, unified, dialect, query }: RequestHead): void {
  if (headers.has('authorization') || query.length > 0) {
    throw new StorageError(
      'InvalidArgument',
      'read form: its signature must be in form fields, not in headers or the query',
    );
  }
  const vendor = unified.list.find(([name]) => name.startsWith(dialect.headerPrefix));
  if (vendor === undefined) return;
  throw new StorageError(
    'AccessDenied',
    `read form: the header ${vendor[0]} is not signed; use a form field instead`,
    { details: { HeadersNotSigned: vendor[0] } },
  );
}

/**
 * Checks the size of a form that the Content-Length header states. Throws MissingContentLength if the size is missing,
 * and EntityTooLarge if it is too large.
 */
function checkAnnounced({ headers }: Received): void {
  const announced = announcedBytes(headers);
  if (announced === undefined) {
    throw new StorageError('MissingContentLength', 'read form: Content-Length is missing');
  }
  if (Number.isFinite(announced) && announced > MAX_UPLOAD_BYTES + MAX_FORM_FRAME_BYTES) {
    throw tooLarge(MAX_UPLOAD_BYTES);
  }
}

/** The maximum size of a form without its file. It includes a margin. */
const MAX_FORM_FRAME_BYTES = 1024 ** 2;

function bodyOf(
  form: Form,
  {
    range,
    headers,
    dialect,
  }: { readonly range: LengthRange; readonly headers: Headers; readonly dialect: Dialect },
): Body {
  const { checksum } = readDeclaredDigests(headers, dialect);
  return {
    replayable: false,
    ...defined({ checksum: checksum && { algorithm: checksum.algorithm, value: checksum.value } }),
    open: () => within(form.pieces(), range),
  };
}

/**
 * Yields the chunks of the file. Throws EntityTooLarge or EntityTooSmall if the size of the file is outside the
 * permitted range, so that the object is not stored.
 */
async function* within(
  pieces: AsyncIterable<Uint8Array>,
  { min, max }: LengthRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const limit = Math.min(max, MAX_UPLOAD_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    length += piece.byteLength;
    if (length > limit) throw tooLarge(limit);
    yield piece;
  }
  if (length >= min) return;
  throw new StorageError('EntityTooSmall', `read form: its file has fewer than ${min} bytes`, {
    details: { ProposedSize: length, MinSizeAllowed: min },
  });
}

function tooLarge(limit: number): StorageError {
  return new StorageError('EntityTooLarge', `read form: its file has more than ${limit} bytes`, {
    details: { MaxSizeAllowed: limit },
  });
}

/** Returns the path of the object. Omits the bucket if the host names it. */
function pathTo({ bucketOfHost }: RequestHead, target: Required<Target>): string {
  return bucketOfHost === undefined ? formatPath(target) : `/${percentEncodePath(target.key)}`;
}
