/** A request's body, whole: small, and soon. */

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import { ClusterError } from '../cluster-error.ts';

/** User data is the largest that a request holds. */
export const MAX_BODY_BYTES = 256 * 1024;
const DEADLINE_MS = 30_000;

/** Throws ClusterError `InvalidRequestException` for one that is too large or does not come. */
export async function readBody(request: IncomingMessage, clock: Clock): Promise<Uint8Array> {
  const cancel = clock.after(DEADLINE_MS, () => request.destroy());
  try {
    return await collectUpTo(request, MAX_BODY_BYTES);
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    throw new ClusterError('InvalidRequestException', 'read body: it did not come to its end', {
      cause: error,
    });
  } finally {
    cancel();
  }
}

async function collectUpTo(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new ClusterError('InvalidRequestException', `read body: more than ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
