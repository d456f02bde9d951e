/** The one place that puts an answer on the wire. */

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { formatHttpDate } from '../protocol/dates.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { WireHeaders, WireResponse } from '../protocol/wire.ts';
import { WRITE_STALL_MS } from './listener-limits.ts';

/**
 * An answer whose body, if any, is text; HEAD and statuses without a body send the headers alone. `beforeEnd`
 * runs when all has been written, and the end of the answer waits for it.
 */
export async function sendText(
  response: ServerResponse,
  answer: WireResponse & { readonly body?: string },
  beforeEnd?: () => Promise<unknown>,
): Promise<void> {
  const { status, headers, body } = answer;
  const flat = flatten(headers);
  const hasBody = status !== 204 && status !== 304 && response.req.method !== 'HEAD';
  const text = hasBody ? asBytes(body ?? '') : '';
  if (hasBody) flat.push('content-length', String(text.length));
  response.writeHead(status, flat);
  if (beforeEnd === undefined) {
    endWith(response, text);
    return;
  }
  if (text !== '') response.write(text, 'latin1');
  else response.flushHeaders();
  await beforeEnd();
  response.end();
}

/**
 * Sends an object's bytes, one chunk at a time: it asks for a chunk only when the system has taken the one before, so that
 * a client that reads slowly holds one chunk of memory here. The last chunk leaves only after the source has ended well, so
 * that a body which fails midway is never taken for a whole one. Throws what the source throws, when the headers
 * are gone already: the caller destroys the connection.
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

/** The same of bytes that are in memory. */
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

function endWithBytes(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined || bytes.byteLength > MAX_JOINED_BYTES) response.end(bytes);
  else endWith(response, latin1Of(bytes));
}

/**
 * One character a byte, as headers are: Node writes both together in the encoding of the body, and would encode header
 * bytes beyond ASCII once more with a text in UTF-8.
 */
function asBytes(text: string): string {
  return latin1Of(Buffer.from(text, 'utf8'));
}

function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

export interface Sending {
  readonly body: AsyncIterable<Uint8Array>;
  /** What the headers announce. */
  readonly sizeBytes: number;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Up to this size a copy is cheaper than a second buffer in the system call. */
const MAX_JOINED_BYTES = 16 * 1024;

/** Text leaves in one write with the headers, where bytes, even none, would be a vector of two. One character a byte. */
function endWith(response: ServerResponse, text: string): void {
  if (text === '') response.end();
  else response.end(text, 'latin1');
}

function flatten(headers: WireResponse['headers']): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
}

/** Resolves when the system has taken all of the chunk, whose memory may be overwritten then. */
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

/** The `date` header, made once a second. */
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

/** Aborts when the connection ends before the answer has left. */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Unique among all answers: a random start for each process, then a count. */
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
