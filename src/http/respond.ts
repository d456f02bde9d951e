/** Writes responses. */

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { formatHttpDate } from '../protocol/dates.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { WireHeaders, WireResponse } from '../protocol/wire.ts';
import { WRITE_STALL_MS } from './listener-limits.ts';

/**
 * Sends a response whose body, if any, is text. Responses to HEAD, and of a status without a body, have headers only.
 * `beforeEnd` runs when everything is written, and the response ends after it.
 */
export async function sendText(
  response: ServerResponse,
  answer: WireResponse & { readonly body?: string },
  beforeEnd?: () => Promise<unknown>,
): Promise<void> {
  const { status, headers, body } = answer;
  const flat = flatten(headers);
  const hasBody = status !== 204 && status !== 304 && response.req.method !== 'HEAD';
  const bytes = Buffer.from(hasBody ? (body ?? '') : '');
  if (hasBody) flat.push('content-length', String(bytes.byteLength));
  response.writeHead(status, flat);
  if (beforeEnd === undefined) {
    endWithBytes(response, bytes);
    return;
  }
  if (bytes.byteLength > 0) response.write(bytes);
  else response.flushHeaders();
  await beforeEnd();
  response.end();
}

/**
 * Sends the content of an object in chunks. It reads a chunk only when the system has taken the previous one, so a slow
 * client holds one chunk of memory. It sends the last chunk only after the source has ended without an error, so that the
 * client never takes a partial body for a whole one. Throws the error of the source, also after the headers were sent: the
 * caller then destroys the connection.
 */
export async function sendBytes(
  response: ServerResponse,
  answer: WireResponse,
  sending: Sending,
): Promise<void> {
  const { body, sizeBytes } = sending;
  let sentBytes = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of body) {
    sentBytes += chunk.byteLength;
    if (sentBytes >= sizeBytes) {
      last ??= chunk;
    } else {
      if (!response.headersSent) response.writeHead(answer.status, flatten(answer.headers));
      await written(response, chunk, sending);
    }
  }
  checkSent(sentBytes, sizeBytes);
  if (!response.headersSent) response.writeHead(answer.status, flatten(answer.headers));
  endWithBytes(response, last);
}

/** Sends content that is in memory. */
export function sendWhole(
  response: ServerResponse,
  answer: WireResponse,
  { bytes, sizeBytes }: { readonly bytes: Uint8Array; readonly sizeBytes: number },
): void {
  checkSent(bytes.byteLength, sizeBytes);
  response.writeHead(answer.status, flatten(answer.headers));
  endWithBytes(response, bytes);
}

function checkSent(sentBytes: number, sizeBytes: number): void {
  if (sentBytes === sizeBytes) return;
  throw new Error(`send object: ${sentBytes} bytes came instead of ${sizeBytes}`);
}

/**
 * Writes small bodies as text of one character for each byte, as in headers: Node joins both into one buffer in the encoding of
 * the body. Bytes would be a second buffer, and UTF-8 would encode header bytes beyond ASCII again.
 */
function endWithBytes(response: ServerResponse, bytes: Uint8Array = NO_BYTES): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength === 0) response.end();
  else if (byteLength > MAX_JOINED_BYTES) response.end(bytes);
  else response.end(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'), 'latin1');
}

const NO_BYTES = new Uint8Array(0);

export interface Sending {
  readonly body: AsyncIterable<Uint8Array>;
  /** The `content-length` of the response. */
  readonly sizeBytes: number;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Up to this size, a copy is cheaper than a second buffer in the system call. */
const MAX_JOINED_BYTES = 16 * 1024;

function flatten(headers: WireResponse['headers']): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
}

/** Resolves when the system has taken the whole chunk, so that its memory can be reused. */
function written(
  response: ServerResponse,
  chunk: Uint8Array,
  { signal, clock }: Sending,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener('abort', abort);
      cancel();
    };
    const stop = (reason: Error) => {
      end();
      reject(reason);
    };
    const abort = () => stop(signal.reason as Error);
    const cancel = clock.after(WRITE_STALL_MS, () =>
      stop(
        new Error(`send object: ${chunk.byteLength} bytes were not taken in ${WRITE_STALL_MS} ms`),
      ),
    );
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    response.write(chunk, (error) => {
      // After an error the connection closes, which aborts the signal.
      if (error) return;
      end();
      resolve();
    });
  });
}

/** Returns the value of the `date` header, which it formats once a second. */
export function dateHeader(clock: Clock): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = formatHttpDate(now * 1000);
    }
    return text;
  };
}

/** Aborts if the connection closes before the response is sent. */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Returns unique request ids: a random number of this process, then a count. */
export function requestIds(): () => string {
  const start = randomBytes(8).toString('hex');
  let count = 0;
  return () => `tx${start}${(++count).toString(16).padStart(10, '0')}`;
}

/** Returns the headers of every response (specification, "Endpoints"). */
export function commonHeaders(
  { headerPrefix }: Dialect,
  requestId: string,
  date: string,
): WireHeaders {
  return [
    [`${headerPrefix}request-id`, requestId],
    ['date', date],
  ];
}
