/** How much of requests' documents this process keeps in memory at once, and who waits for how long. */

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
  /** What each sender has of it, or waits for, so that many requests of one sender keep no other one out. */
  readonly shares = new Map<string, ByteBudget>();

  constructor() {
    super(MAX_DOCUMENT_MEMORY_BYTES);
  }
}

/** Over all listeners. What is parsed takes some times as much, of one document at a time. */
export const DOCUMENT_MEMORY = new DocumentMemory();

interface Sender {
  readonly caller: Pick<Caller, 'principal' | 'sourceIp'>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Calls `read` when there is room for a document of so many bytes, in the order of asking; nothing is read of it before. A
 * small one needs no room: what each connection may hold of those is bounded by their number. Throws SlowDown.
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
