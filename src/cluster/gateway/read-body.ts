/** A request's body, whole: small, and soon. */

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import { DocumentMemory, inDocumentMemory } from '../../http/document-memory.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Caller } from '../caller.ts';
import { ClusterError } from '../cluster-error.ts';

/** User data is the largest that a request holds. */
export const MAX_BODY_BYTES = 256 * 1024;
const DEADLINE_MS = 30_000;

/** Apart from the storage gateway's: what is read here is of senders whose signature is not verified yet. */
export const CLUSTER_BODY_MEMORY = new DocumentMemory();

export interface Sender {
  /** Whom the request claims to be from. */
  readonly principal: Caller;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called when there is room, before the body is read. */
  readonly onBegin: () => void;
}

/**
 * Throws ClusterError `InvalidRequestException` for a body that is too large or does not come, `ThrottlingException` when too many are
 * read at once.
 */
export async function readBody(
  request: IncomingMessage,
  { principal, signal, clock, onBegin }: Sender,
): Promise<Uint8Array> {
  const bytes = announcedBytes(request);
  const sender = { caller: { principal, sourceIp: '' }, signal, clock };
  try {
    return await inDocumentMemory(
      bytes,
      sender,
      () => (onBegin(), collect(request, clock)),
      CLUSTER_BODY_MEMORY,
    );
  } catch (error) {
    if (signal.aborted) throw incomplete(error);
    if (!isStorageError(error, 'SlowDown')) throw error;
    throw new ClusterError('ThrottlingException', error.message, { cause: error });
  }
}

/** Chunks are refused: 64 KiB of chunks with one byte each take milliseconds of CPU, and anyone can send them. */
function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined)
    throw new ClusterError('InvalidRequestException', 'read body: Content-Length is missing');
  const bytes = Number(headers['content-length'] ?? 0);
  if (bytes > MAX_BODY_BYTES) throw tooLarge();
  return bytes;
}

async function collect(request: IncomingMessage, clock: Clock): Promise<Uint8Array> {
  const cancel = clock.after(DEADLINE_MS, () => request.destroy());
  try {
    return await collectAll(request);
  } catch (error) {
    throw error instanceof ClusterError ? error : incomplete(error);
  } finally {
    cancel();
  }
}

function incomplete(cause: unknown): ClusterError {
  return new ClusterError('InvalidRequestException', 'read body: it did not come to its end', {
    cause,
  });
}

function tooLarge(): ClusterError {
  return new ClusterError(
    'InvalidRequestException',
    `read body: more than ${MAX_BODY_BYTES} bytes`,
  );
}

async function collectAll(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
