/**
 * Limits the memory for XML and JSON documents in request bodies, in total and for each sender, and the time for which
 * a request waits for memory.
 */

import { principalId } from '../base/principal.ts';
import { ByteBudget } from '../base/byte-budget.ts';
import type { Clock } from '../base/clock.ts';
import type { Caller } from '../object-store/caller.ts';
import { StorageError } from '../object-store/storage-error.ts';
import {
  DOCUMENT_WAIT_MS,
  MAX_DOCUMENT_MEMORY_BYTES,
  MAX_SENDERS_DOCUMENT_BYTES,
  MAX_WHOLE_BYTES,
} from './listener-limits.ts';

export class DocumentMemory extends ByteBudget {
  /**
   * The memory that each sender uses, by principal ID or IP address. The limit of each share prevents one sender from
   * blocking other senders.
   */
  readonly shares = new Map<string, ByteBudget>();

  constructor() {
    super(MAX_DOCUMENT_MEMORY_BYTES);
  }
}

/**
 * The memory budget for documents in request bodies, which all listeners share. A parsed document needs several times
 * its size, but only one document is parsed at a time.
 */
export const DOCUMENT_MEMORY = new DocumentMemory();

interface Sender {
  readonly caller: Pick<Caller, 'principal' | 'sourceIp'>;
  /** A signal that is aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Calls `read` when enough memory for the document is free, and returns its result. Calls are served in order. Small
 * documents need no memory from this budget, because the number of connections limits them. Throws SlowDown after
 * DOCUMENT_WAIT_MS, and the signal's reason if the signal is aborted first.
 */
export async function inDocumentMemory<T>(
  bytes: number,
  { caller, signal: gone, clock }: Sender,
  read: () => Promise<T>,
  memory: DocumentMemory = DOCUMENT_MEMORY,
): Promise<T> {
  if (bytes <= MAX_WHOLE_BYTES) return read();
  const patience = new AbortController();
  const stopWaiting = clock.after(DOCUMENT_WAIT_MS, () => patience.abort(tooMany()));
  const signal = AbortSignal.any([gone, patience.signal]);
  const sender = nameOf(caller);
  const share = memory.shares.get(sender) ?? new ByteBudget(MAX_SENDERS_DOCUMENT_BYTES);
  memory.shares.set(sender, share);
  const within = async (budget: ByteBudget, then: () => Promise<T>) => {
    const giveBack = await budget.take(bytes, signal);
    return then().finally(giveBack);
  };
  try {
    return await within(share, () =>
      within(memory, () => {
        stopWaiting();
        return read();
      }),
    );
  } finally {
    stopWaiting();
    if (share.takenBytes === 0) memory.shares.delete(sender);
  }
}

function nameOf({ principal, sourceIp }: Sender['caller']): string {
  return principal.kind === 'user' ? principalId(principal) : sourceIp;
}

function tooMany(): StorageError {
  return new StorageError(
    'SlowDown',
    'read request body: too many requests with a body are in progress',
  );
}
