/** Reads the whole body of a request. Limits the size of the body and the time for reading it. */

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import { DocumentMemory, inDocumentMemory } from '../../http/document-memory.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Caller } from '../caller.ts';
import { ClusterError } from '../cluster-error.ts';

/** The maximum size of a body. The largest field is the user data of a node group. */
export const MAX_BODY_BYTES = 256 * 1024;
const DEADLINE_MS = 30_000;

/**
 * The memory for request bodies. It is separate from the memory of the storage gateway, because
 * these requests are not authenticated yet.
 */
export const CLUSTER_BODY_MEMORY = new DocumentMemory();

export interface Sender {
  /** The user that owns the access key of the request. The signature has not been verified yet. */
  readonly principal: Caller;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called when memory for the body is available and reading starts. */
  readonly onBegin: () => void;
}

/**
 * Returns the whole body of a request. Throws ClusterError `InvalidRequestException` if the body is
 * too large, has no declared length, or does not arrive completely. Throws `ThrottlingException` if
 * too many bodies are being read.
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

/**
 * Returns the value of `Content-Length`, or 0 if it is absent. Rejects chunked bodies: parsing 64
 * KiB of one-byte chunks takes milliseconds of CPU time, and unauthenticated clients could send
 * them.
 */
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
  return new ClusterError(
    'InvalidRequestException',
    'read body: the connection ended before the last byte',
    {
      cause,
    },
  );
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
