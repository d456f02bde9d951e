/** Listens on a Unix socket with mode 0600. Replaces the socket file that a killed daemon has left behind. */

import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { once } from 'node:events';

import { errorMessage } from '../../src/base/errors.ts';
import { ControlError, isControlError } from '../../src/control/control-error.ts';
import { openSocket } from '../../src/control/socket.ts';

/**
 * Listens on this path in an existing folder. Throws ControlError `Conflict` if a daemon is already listening
 * there, or if the path exists and is not a socket.
 */
export async function listenPrivately(socketPath: string): Promise<Server> {
  await removeStale(socketPath);
  // With `allowHalfOpen`, a peer that has ended its side of the connection can still read the result.
  const server = createServer({ allowHalfOpen: true });
  // `listen` creates the socket synchronously with this umask, so the socket is never accessible to other users.
  const before = process.umask(0o177);
  try {
    server.listen(socketPath);
  } finally {
    process.umask(before);
  }
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = `cannot listen on ${socketPath}: ${errorMessage(error)}`;
    throw new ControlError('Failed', message, { cause: error });
  }
  chmodSync(socketPath, 0o600);
  return server;
}

/** Removes the socket file of a killed daemon. Throws if a daemon accepts connections on it. */
async function removeStale(socketPath: string): Promise<void> {
  const there = lstatSync(socketPath, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isSocket()) throw inTheWay(socketPath, 'the path exists and is not a socket');
  try {
    const socket = await openSocket(socketPath);
    socket.destroy();
  } catch (error) {
    if (!isControlError(error, 'NotRunning')) throw error;
    return rmSync(socketPath, { force: true });
  }
  throw inTheWay(socketPath, 'another daemon already listens there');
}

function inTheWay(socketPath: string, reason: string): ControlError {
  return new ControlError('Conflict', `cannot listen on ${socketPath}: ${reason}`);
}
