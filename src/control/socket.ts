/** Helpers for the Unix sockets of the control protocol, for both the client and the daemon. */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { errorCode, errorMessage } from '../base/errors.ts';
import { ControlError } from './control-error.ts';

/**
 * Connects to the daemon's socket. Rejects with ControlError `NotRunning`, `PermissionDenied` or `Failed`, or with the
 * signal's reason.
 */
export async function openSocket(socketPath: string, signal?: AbortSignal): Promise<Socket> {
  signal?.throwIfAborted();
  const socket = quiet(connect({ path: socketPath, allowHalfOpen: true }));
  try {
    await once(socket, 'connect', signal ? { signal } : {});
    return socket;
  } catch (error) {
    socket.destroy();
    signal?.throwIfAborted();
    throw connectError(socketPath, error);
  }
}

/**
 * Ignores `error` events of the socket and returns the socket. An error also closes the socket. Without a listener, it
 * would end the process.
 */
export function quiet(socket: Socket): Socket {
  return socket.on('error', () => undefined);
}

/** Resolves when the socket accepts more data or is closed. */
export async function drained(socket: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]);
  } catch {
    // `once` rejects if the socket fails. The error also closes the socket.
  } finally {
    over.abort();
  }
}

function connectError(socketPath: string, cause: unknown): ControlError {
  switch (errorCode(cause)) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return new ControlError('NotRunning', 'Holdfast is not running', {
        hint: 'start it with `holdfast up`',
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new ControlError(
        'PermissionDenied',
        `cannot reach the daemon: ${socketPath} belongs to another user`,
        {
          hint: 'each user has their own daemon; to use yours, omit --home and HOLDFAST_HOME',
          cause,
        },
      );
    default:
      return new ControlError('Failed', `cannot reach the daemon: ${errorMessage(cause)}`, {
        cause,
      });
  }
}
