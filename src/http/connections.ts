/** Limits the connections of a server: at the limit, an idle connection is closed for a new one. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** The TCP socket, also of a TLS connection. */
  readonly socket: Socket;
  /** Number of requests whose head is complete and whose response is not. */
  requests: number;
}

/**
 * Closes a connection for a new one when the limit is reached, but never a connection with a
 * request in progress. It is used instead of `server.maxConnections`, which refuses new
 * connections: clients that open connections and send half a request line would keep all others
 * out.
 */
export class Connections {
  readonly #limit: number;
  /**
   * Open connections by the address of their peer, which a TLS socket shares with its TCP socket.
   */
  readonly #open = new Map<string, Connection>();
  /** Connections that have not sent a complete request head, the oldest first. */
  readonly #silent = new Set<Connection>();
  /** Connections whose requests all have a response, the longest idle first. */
  readonly #idle = new Set<Connection>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket) => this.#add(socket));
  }

  /**
   * Counts a request as in progress until its response is closed. Must be called when the head of
   * the request is complete.
   */
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
