/** A Unix socket that only its owner may connect to, in the place of one that a dead daemon left. */

import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { once } from 'node:events';

import { errorMessage } from '../src/base/errors.ts';
import { ControlError, isControlError } from '../src/control/control-error.ts';
import { openSocket } from '../src/control/socket.ts';

/** The folder must be there. Throws ControlError `Conflict` when a daemon listens there, or when something else is in the way. */
export async function listenPrivately(socketPath: string): Promise<Server> {
  await removeStale(socketPath);
  // Half-open: a peer that has sent all still reads the verdict.
  const server = createServer({ allowHalfOpen: true });
  // The socket is made by `listen` itself, in this turn: at no moment is it open to others.
  const before = process.umask(0o177);
  try {
    server.listen(socketPath);
  } finally {
    process.umask(before);
  }
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = `listen on ${socketPath}: ${errorMessage(error)}`;
    throw new ControlError('Failed', message, { cause: error });
  }
  chmodSync(socketPath, 0o600);
  return server;
}

/** A socket file outlives a kill -9. Only one that nobody answers on is removed. */
async function removeStale(socketPath: string): Promise<void> {
  const there = lstatSync(socketPath, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isSocket()) throw inTheWay(socketPath, 'something that is not a socket is there');
  try {
    const socket = await openSocket(socketPath);
    socket.destroy();
  } catch (error) {
    if (!isControlError(error, 'NotRunning')) throw error;
    return rmSync(socketPath, { force: true });
  }
  throw inTheWay(socketPath, 'a daemon listens there already');
}

function inTheWay(socketPath: string, reason: string): ControlError {
  return new ControlError('Conflict', `listen on ${socketPath}: ${reason}`);
}
