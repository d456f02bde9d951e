/** Limits the connections of a server: at the limit, an idle connection is closed for a new one. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** Of TLS, the one that carries it. */
  readonly socket: Socket;
  /** Whose head is complete and whose answer is not. */
  requests: number;
}

/**
 * Used instead of `server.maxConnections`, which refuses new connections: some hundred connections with half a request line
 * would keep all clients out. A connection with a request in progress is never closed for a new one.
 */
export class Connections {
  readonly #limit: number;
  /** By the address of the peer, which a TLS socket shares with the socket that carries it. */
  readonly #open = new Map<string, Connection>();
  /** Without a complete request head so far, the oldest first. */
  readonly #silent = new Set<Connection>();
  /** With every request answered, the longest idle first. */
  readonly #idle = new Set<Connection>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** To be called for each request, when its head is complete. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(peerOf(socket));
    if (connection === undefined) return;
    connection.requests += 1;
    this.#silent.delete(connection);
    this.#idle.delete(connection);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && !connection.socket.destroyed) this.#idle.add(connection);
    });
  }

  #add(socket: Socket): void {
    // The peer has no address once it has reset the connection.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    if (this.#open.size >= this.#limit && !this.#closeOne()) return void socket.destroy();
    const peer = peerOf(socket);
    const connection: Connection = { socket, requests: 0 };
    this.#open.set(peer, connection);
    this.#silent.add(connection);
    socket.once('close', () => this.#remove(peer, connection));
  }

  #closeOne(): boolean {
    const [connection] = this.#silent.size > 0 ? this.#silent : this.#idle;
    if (connection === undefined) return false;
    this.#remove(peerOf(connection.socket), connection);
    connection.socket.destroy();
    return true;
  }

  #remove(peer: string, connection: Connection): void {
    if (this.#open.get(peer) === connection) this.#open.delete(peer);
    this.#silent.delete(connection);
    this.#idle.delete(connection);
  }
}

function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
