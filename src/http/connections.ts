/**
 * Limits the number of connections to a server. At the limit, an idle connection is closed to
 * accept a new one.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** The TCP socket. For a TLS connection, the TCP socket that carries the TLS connection. */
  readonly socket: Socket;
  /** The number of requests in progress: their headers are complete, but their responses are not. */
  requests: number;
}

/**
 * Closes an idle connection when a new one arrives and the limit is reached. Never closes a connection with a request
 * in progress. `server.maxConnections` would refuse new connections instead. Clients that open many connections and
 * send only half a request line on each could then lock out all other clients.
 */
export class Connections {
  readonly #limit: number;
  /**
   * The open connections by the address of their peer, which a TLS socket shares with its TCP
   * socket.
   */
  readonly #open = new Map<string, Connection>();
  /** The connections that have not sent the complete headers of a request, oldest first. */
  readonly #silent = new Set<Connection>();
  /**
   * The connections whose requests all have a response. The connection that has been idle longest
   * is first.
   */
  readonly #idle = new Set<Connection>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket) => this.#add(socket));
  }

  /**
   * Counts a request as in progress until its response is closed. Must be called when the headers of the request are
   * complete.
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
    // A socket has no remote address if the peer has already reset the connection.
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
