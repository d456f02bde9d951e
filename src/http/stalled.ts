/**
 * Closes connections whose clients do not read the response. Each such connection occupies memory and counts toward
 * MAX_CONNECTIONS.
 */

import type { Socket } from 'node:net';

import type { Clock } from '../base/clock.ts';
import { WRITE_STALL_MS } from './listener-limits.ts';

/**
 * Checks all connections every WRITE_STALL_MS, so that responses do not need individual timers.
 * Closes a connection if the operating system accepted no bytes of a pending write between two
 * checks. Returns a function that ends the checks.
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
