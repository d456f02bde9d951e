/** Writes HTTP responses. */

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { formatHttpDate } from '../protocol/dates.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { WireHeaders, WireResponse } from '../protocol/wire.ts';
import { WRITE_STALL_MS } from './listener-limits.ts';

/**
 * Sends a response whose body is a text or empty. Responses to HEAD and responses with status 204
 * or 304 consist only of headers. `beforeEnd` is called when everything is written; the response
 * ends when its promise resolves.
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
 * Sends the content of an object in chunks. Requests the next chunk only when the operating system has accepted the
 * previous one, so that a slow client needs memory for only one chunk. Sends the last chunk only after the source has
 * ended without an error, so that a client does not mistake a partial body for a complete one. Throws the error of the
 * source, even after the headers were sent; the caller must then destroy the connection.
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

/**
 * Sends the content of an object that is in memory. Throws Error if the content does not have
 * `sizeBytes` bytes.
 */
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
  throw new Error(`send object: it has ${sentBytes} bytes instead of ${sizeBytes}`);
}

/**
 * Ends the response with `bytes`. Writes a small body as Latin-1 text, the encoding of headers, because Node then joins
 * the headers and the body to one buffer. For a body of bytes, Node would need a second buffer. With UTF-8, Node would
 * encode header bytes beyond ASCII a second time.
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
  /** The value of the `content-length` header. */
  readonly sizeBytes: number;
  /** A signal that is aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * The maximum size of a body that is joined with the headers into one buffer. Up to this size, copying the body costs
 * less than passing a second buffer to the system call.
 */
const MAX_JOINED_BYTES = 16 * 1024;

function flatten(headers: WireResponse['headers']): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
}

/**
 * Writes a chunk. Resolves when the operating system has accepted the whole chunk, so that its memory can be reused.
 * Rejects after WRITE_STALL_MS, and with the signal's reason if the signal is aborted.
 */
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
        new Error(
          `send object: the client did not accept ${chunk.byteLength} bytes within ${WRITE_STALL_MS} ms`,
        ),
      ),
    );
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    response.write(chunk, (error) => {
      // Ignore the error here. The connection is closed after an error, which aborts the signal.
      if (error) return;
      end();
      resolve();
    });
  });
}

/**
 * Returns a function that returns the current value of the `date` header. The value is formatted at most once a second.
 */
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

/** Returns a signal that is aborted if the connection closes before the response has been sent. */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Returns a function that creates unique request IDs. An ID is a random prefix, which is the same
 * in all IDs, followed by a counter.
 */
export function requestIds(): () => string {
  const start = randomBytes(8).toString('hex');
  let count = 0;
  return () => `tx${start}${(++count).toString(16).padStart(10, '0')}`;
}

/** Returns the headers that every response must have (specification, "Endpoints"). */
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
