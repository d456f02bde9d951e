/** Ends connections whose clients take nothing of what was sent to them: each keeps its answer in memory, and others from a place. */

import type { Socket } from 'node:net';

import type { Clock } from '../base/clock.ts';
import { WRITE_STALL_MS } from './listener-limits.ts';

/**
 * Looks now and then at all of them, which costs an answer nothing. Whoever takes no piece between two looks is gone; a piece is at
 * most a page of a listing. Returns what ends the looking.
 */
export function endStalled(sockets: ReadonlySet<Socket>, clock: Clock): () => void {
  let takenBefore = new Map<Socket, number>();
  const look = () => {
    const taken = new Map<Socket, number>();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const bytes = socket.bytesWritten - socket.writableLength;
      if (takenBefore.get(socket) === bytes) socket.destroy();
      else taken.set(socket, bytes);
    }
    takenBefore = taken;
    cancel = clock.after(WRITE_STALL_MS, look);
  };
  let cancel = clock.after(WRITE_STALL_MS, look);
  return () => cancel();
}
