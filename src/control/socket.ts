/** Unix sockets as both ends of the control protocol use them. */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { errorCode, errorMessage } from '../base/errors.ts';
import { ControlError } from './control-error.ts';

/** Throws `NotRunning`, `PermissionDenied` or `Failed`, or the signal's reason. */
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

/** An error of the socket is seen as its end; without a listener it would end the process. */
export function quiet(socket: Socket): Socket {
  return socket.on('error', () => undefined);
}

/** Resolves when the socket takes more, or is closed. */
export async function drained(socket: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]);
  } catch {
    // `once` rejects on an error of the socket, which closes it.
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
          hint: 'each user has a daemon of their own; leave out --home (or HOLDFAST_HOME) to use yours',
          cause,
        },
      );
    default:
      return new ControlError('Failed', `cannot reach the daemon: ${errorMessage(cause)}`, {
        cause,
      });
  }
}
