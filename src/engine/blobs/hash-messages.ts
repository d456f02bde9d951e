/** Defines the messages between the main thread and the hash thread. */

import type { Digests, Hashing } from '../checksums/body-digests.ts';

/** A block of a body. Its memory is transferred to the hash thread and returns with the reply. */
export interface HashBlock {
  readonly body: Uint8Array;
  /** The encrypted bytes; undefined if the body is stored unencrypted. */
  readonly sealed: Uint8Array | undefined;
  readonly isEnd: boolean;
}

/**
 * Either the next block of the body with this ID, or the ID of a body that ended early. The thread replies only to
 * blocks.
 */
export type HashMessage =
  | { readonly id: number; readonly hashing: Hashing; readonly block: HashBlock }
  | { readonly dropped: number };

/** The reply to a block. The replies to a body's blocks arrive in the order of the blocks. */
export interface HashReply {
  readonly block: HashBlock;
  /** The digests of the whole body, in the reply to its last block; otherwise undefined. */
  readonly digests: Digests | undefined;
}

/** Returns the buffers of a block, so that they can be transferred to another thread. */
export function memoryOf({ body, sealed }: HashBlock): ArrayBuffer[] {
  return [body.buffer, sealed?.buffer].filter((buffer) => buffer instanceof ArrayBuffer);
}
