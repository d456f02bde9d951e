/** Limits the memory of documents in requests, in total and for each sender, and how long a request waits for it. */

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
   * Memory that each sender uses, by principal ID or IP address. Its limit prevents one sender from
   * keeping others out.
   */
  readonly shares = new Map<string, ByteBudget>();

  constructor() {
    super(MAX_DOCUMENT_MEMORY_BYTES);
  }
}

/**
 * The memory that all listeners share. A parsed document takes several times its size, but only one
 * is parsed at a time.
 */
export const DOCUMENT_MEMORY = new DocumentMemory();

interface Sender {
  readonly caller: Pick<Caller, 'principal' | 'sourceIp'>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Calls `read` when there is memory for the document, in the order of calls, and returns its
 * result. Small documents need no memory here, because the number of connections bounds them.
 * Throws SlowDown after DOCUMENT_WAIT_MS, and the signal's reason when it is aborted before.
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
  return new StorageError('SlowDown', 'read document: too many are read at once');
}
