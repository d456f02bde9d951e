/** Declares the messages between the main thread and the hash thread. */

import type { Digests, Hashing } from '../checksums/body-digests.ts';

/** A block of a body. Its memory is transferred to the hash thread, and back with the reply. */
export interface HashBlock {
  readonly body: Uint8Array;
  /** The encrypted bytes of a body that is stored encrypted. */
  readonly sealed: Uint8Array | undefined;
  readonly isEnd: boolean;
}

/** A block of the body with this id, or the id of a body that ends early. Only a block has a reply. */
export type HashMessage =
  | { readonly id: number; readonly hashing: Hashing; readonly block: HashBlock }
  | { readonly dropped: number };

/** The reply to a block. Replies have the order of the blocks. */
export interface HashReply {
  readonly block: HashBlock;
  /** Present after the last block of a body. */
  readonly digests: Digests | undefined;
}

/** Returns the buffers of a block, which are transferred between the threads. */
export function memoryOf({ body, sealed }: HashBlock): ArrayBuffer[] {
  return [body.buffer, sealed?.buffer].filter((buffer) => buffer instanceof ArrayBuffer);
}
