/** How much of requests' documents this process keeps in memory at once, and who waits for how long. */

import { ByteBudget } from '../base/byte-budget.ts';
import type { Clock } from '../base/clock.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { DOCUMENT_WAIT_MS, MAX_DOCUMENT_MEMORY_BYTES, MAX_WHOLE_BYTES } from './limits.ts';

/** Over all listeners and services. What is parsed takes some times as much, of one document at a time. */
export const DOCUMENT_MEMORY = new ByteBudget(MAX_DOCUMENT_MEMORY_BYTES);

interface Waiting {
  /** Of the client. */
  readonly signal?: AbortSignal;
  readonly clock: Clock;
}

/**
 * Calls `read` when there is room for a document of so many bytes, in the order of asking; nothing is read of it before. A
 * small one needs no room: what each connection may hold of those is bounded by their number. Throws SlowDown.
 */
export async function inDocumentMemory<T>(
  bytes: number,
  waiting: Waiting,
  read: () => Promise<T>,
): Promise<T> {
  if (bytes <= MAX_WHOLE_BYTES) return read();
  const giveBack = await roomFor(bytes, waiting);
  try {
    return await read();
  } finally {
    giveBack();
  }
}

async function roomFor(bytes: number, { signal, clock }: Waiting) {
  const patience = new AbortController();
  const cancel = clock.after(DOCUMENT_WAIT_MS, () =>
    patience.abort(new StorageError('SlowDown', 'read document: too many are read at once')),
  );
  try {
    const signals = [patience.signal, ...(signal ? [signal] : [])];
    return await DOCUMENT_MEMORY.take(bytes, AbortSignal.any(signals));
  } finally {
    cancel();
  }
}
