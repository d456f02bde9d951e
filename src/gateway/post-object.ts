/** An upload by a form, as browsers send it (semantics B.11.5): a put whose parameters and signature stand in its body. */

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
import { headerValue, type WireHeaders } from '../protocol/wire.ts';
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
  /** What the client addressed: `http://localhost:9010`. */
  readonly origin: string;
  /** Told what the form speaks of as soon as it is known, for errors that come later. */
  readonly onRead: (dialect: Dialect, target: Target) => void;
}

/** Nothing of the file is read before its sender is known and the policy allows all that the form asks for. */
export async function postObject(call: FormCall): Promise<EncodedResponse> {
  const { head, received } = call;
  refuseHeaders(head);
  checkAnnounced(received);
  const contentType = headerValue(head.headers, 'content-type') ?? '';
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
  // Of the address, whatever a field says: else a policy for one bucket would open another (CVE-2023-43040).
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
  const { headers: told, ...rest } = answer({ bucket, key, etag: output.etag, location });
  return { ...rest, headers: [...stored.headers, ...told] };
}

const ANY_LENGTH: LengthRange = { min: 0, max: MAX_UPLOAD_BYTES };

/** Headers are no part of what a policy covers: none may say anything about the object. */
function refuseHeaders({ headers, unified, dialect, query }: RequestHead): void {
  if (headerValue(headers, 'authorization') !== undefined || query.length > 0) {
    throw new StorageError(
      'InvalidArgument',
      'read form: it is signed by its fields alone, not in headers or the query',
    );
  }
  const vendor = unified.find(([name]) => name.startsWith(dialect.headerPrefix));
  if (vendor === undefined) return;
  throw new StorageError(
    'AccessDenied',
    `read form: the header ${vendor[0]} was not signed; a form says it in a field`,
    { details: { HeadersNotSigned: vendor[0] } },
  );
}

/** A form that must be too large is not begun. Throws MissingContentLength, EntityTooLarge. */
function checkAnnounced({ headers }: Received): void {
  const announced = announcedBytes(headers);
  if (announced === undefined) {
    throw new StorageError('MissingContentLength', 'read form: Content-Length is missing');
  }
  if (Number.isFinite(announced) && announced > MAX_UPLOAD_BYTES + MAX_FORM_FRAME_BYTES) {
    throw tooLarge(MAX_UPLOAD_BYTES);
  }
}

/** What a form has around its file, generously. */
const MAX_FORM_FRAME_BYTES = 1024 ** 2;

function bodyOf(
  form: Form,
  {
    range,
    headers,
    dialect,
  }: { readonly range: LengthRange; readonly headers: WireHeaders; readonly dialect: Dialect },
): Body {
  const { checksum } = readDeclaredDigests(headers, dialect);
  return {
    replayable: false,
    ...defined({ checksum: checksum && { algorithm: checksum.algorithm, value: checksum.value } }),
    open: () => within(form.pieces(), range),
  };
}

/** An error of the stream leaves no trace of the object. */
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
  throw new StorageError('EntityTooSmall', `read form: its file has less than ${min} bytes`, {
    details: { ProposedSize: length, MinSizeAllowed: min },
  });
}

function tooLarge(limit: number): StorageError {
  return new StorageError('EntityTooLarge', `read form: its file has more than ${limit} bytes`, {
    details: { MaxSizeAllowed: limit },
  });
}

/** A bucket that the host names is not in the path. */
function pathTo({ bucketOfHost }: RequestHead, target: Required<Target>): string {
  return bucketOfHost === undefined ? formatPath(target) : `/${percentEncodePath(target.key)}`;
}
