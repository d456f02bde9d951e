/**
 * Accepts connections on the control socket. A connection carries either JSON-RPC requests or the bytes of one
 * stream.
 */

import type { Socket } from 'node:net';

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { ByteSource } from '../../src/control/byte-source.ts';
import { quiet } from '../../src/control/socket.ts';
import { type ConnectionOptions, ControlConnection, type Peer } from './control-connection.ts';
import { listenPrivately } from './control-socket.ts';
import type { Streams } from './streams.ts';

/** The maximum number of open connections. A dashboard and several commands need far fewer. */
export const MAX_CONNECTIONS = 128;
/** The time limit for the first line of a new connection. */
const FIRST_LINE_TIMEOUT_MS = 10_000;
/**
 * The maximum length of the first line. It is longer than `STREAM ` and a token, so that the error can quote an
 * invalid token.
 */
const MAX_FIRST_LINE_BYTES = 256;
/** How long clients have to read the last responses when the server closes. */
const CLOSE_GRACE_MS = 500;

export interface ControlServerOptions extends ConnectionOptions {
  readonly socketPath: string;
  readonly streams: Streams;
  readonly clock: Clock;
}

export interface ControlServer {
  /** Cancels running requests, gives clients `CLOSE_GRACE_MS` to read their responses, and removes the socket. */
  close(): Promise<void>;
}

/** Listens on the control socket. Throws ControlError `Conflict` if another daemon is already listening. */
export async function serveControl(options: ControlServerOptions): Promise<ControlServer> {
  const server = await listenPrivately(options.socketPath);
  const sockets = new Set<Socket>();
  const clients = new Set<ControlConnection>();
  const closing = new AbortController();
  let connections = 0;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    sockets.add(quiet(socket));
    socket.once('close', () => sockets.delete(socket));
    connections += 1;
    const peer = { id: connections, socket, closing: closing.signal };
    serve(options, peer, clients).catch((error: unknown) => {
      options.logger.warn({ reason: errorMessage(error) }, 'control socket: refused a connection');
      socket.destroy();
    });
  });
  return {
    async close() {
      closing.abort();
      options.streams.close();
      const closed = new Promise((resolve) => server.close(resolve));
      const patienceOver = Promise.withResolvers<void>();
      const cancel = options.clock.after(CLOSE_GRACE_MS, () => {
        for (const socket of sockets) socket.destroy();
        patienceOver.resolve();
      });
      const answered = Promise.allSettled([...clients].map((client) => client.answered()));
      await Promise.race([answered, patienceOver.promise]);
      for (const socket of sockets) socket.destroySoon();
      await closed;
      cancel();
    },
  };
}

async function serve(
  options: ControlServerOptions,
  peer: Peer,
  clients: Set<ControlConnection>,
): Promise<void> {
  const { socket } = peer;
  const source = new ByteSource(socket);
  const cancel = options.clock.after(FIRST_LINE_TIMEOUT_MS, () => socket.destroy());
  const firstLine = await source.line(MAX_FIRST_LINE_BYTES).finally(cancel);
  if (firstLine === undefined) return void socket.destroy();
  const token = /^STREAM (.*)$/.exec(firstLine)?.[1];
  if (token !== undefined) return await options.streams.accept(token, socket, source);
  const client = new ControlConnection(options, peer);
  clients.add(client);
  socket.once('close', () => clients.delete(client));
  client.listen(source, firstLine);
}
