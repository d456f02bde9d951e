/** The messages of the main thread and the hash thread. */

import type { Digests, Hashing } from '../checksums/body-digests.ts';

/** A block of a body. Its memory moves to the thread, and comes back with the reply. */
export interface HashBlock {
  readonly body: Uint8Array;
  /** The bytes that are stored for an encrypted body. */
  readonly sealed: Uint8Array | undefined;
  readonly isEnd: boolean;
}

/** `dropped` is the id of a body that ends early. It has no reply. */
export type HashMessage =
  | { readonly id: number; readonly hashing: Hashing; readonly block: HashBlock }
  | { readonly dropped: number };

/** Sent for each block, in the order of the blocks. */
export interface HashReply {
  readonly block: HashBlock;
  /** After the last block of a body. */
  readonly digests: Digests | undefined;
}

/** What moves between the threads. */
export function memoryOf({ body, sealed }: HashBlock): ArrayBuffer[] {
  return [body.buffer, sealed?.buffer].filter((buffer) => buffer instanceof ArrayBuffer);
}
