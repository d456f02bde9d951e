/** Implements the client of streams. Each stream uses a separate connection for the bytes of one object. */

import type { Socket } from 'node:net';

import { errorMessage } from '../base/errors.ts';
import { ByteSource } from './byte-source.ts';
import { ControlError, isControlError } from './control-error.ts';
import { openSocket } from './socket.ts';
import { receiveBody, receiveVerdict, sendBody, sendFailure } from './stream-frames.ts';

export interface StreamAddress {
  readonly socketPath: string;
  readonly stream: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the bytes of a stream. It can be iterated only once, because a stream can be used only once. If the
 * iteration ends early, the connection is closed and the daemon stops sending.
 */
export async function* downloadStream(address: StreamAddress): AsyncGenerator<Uint8Array, void> {
  const { socket, release } = await openStream(address);
  try {
    yield* receiveBody(new ByteSource(socket));
  } catch (error) {
    address.signal?.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}

/**
 * Sends the bytes of a stream. Resolves when the daemon confirms that the bytes are durable. Rejects with the failure
 * of either side.
 */
export async function uploadStream(
  address: StreamAddress,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { socket, release } = await openStream(address);
  const failures: unknown[] = [];
  void sendBody(socket, body).catch(async (error: unknown) => {
    // If the daemon rejects an upload, the daemon stops reading the stream. Its response contains the reason.
    if (isControlError(error, 'Disconnected')) return;
    failures.push(error);
    await sendFailure(socket, bodyFailure(error)).catch(() => undefined);
  });
  try {
    await receiveVerdict(new ByteSource(socket));
  } catch (error) {
    address.signal?.throwIfAborted();
    throw failures[0] ?? error;
  } finally {
    // `sendBody` may still be waiting for data from the source of the body. It detects the closed socket at the next
    // chunk.
    release();
  }
}

async function openStream({ socketPath, stream, signal }: StreamAddress) {
  const socket: Socket = await openSocket(socketPath, signal);
  const stop = () => void socket.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  socket.write(`STREAM ${stream}\n`);
  const release = () => {
    signal?.removeEventListener('abort', stop);
    socket.destroy();
  };
  return { socket, release };
}

function bodyFailure(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError('Failed', `cannot read the data to send: ${errorMessage(error)}`);
}
