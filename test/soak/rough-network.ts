/**
 * A proxy between a job and its service that causes network faults: broken connections, lost responses and 503 errors.
 */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * The network faults. `break` closes a connection after some bytes of the request. `lose answers` forwards the request,
 * and closes the connection when the response arrives. `busy` returns 503. `refuse` closes a connection at once.
 * `stall` accepts the request and sends no response.
 */
export const TROUBLES = ['break', 'lose answers', 'busy', 'refuse', 'stall'] as const;
export type Trouble = (typeof TROUBLES)[number];

const SLOW_DOWN = [
  'HTTP/1.1 503 Slow Down',
  'content-type: application/xml',
  'content-length: 46',
  'connection: close',
  '',
  '<Error><Code>SlowDown</Code><Message/></Error>',
];
/** `break` closes a connection after this number of request bytes. A request that spans several packets is longer. */
const BREAKS_AFTER_BYTES = 900;

export class RoughNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #to: number;
  #trouble: Trouble | undefined;

  private constructor(to: number) {
    this.#to = to;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Opens a proxy to a port on the local machine. */
  static async open(to: number): Promise<RoughNetwork> {
    const network = new RoughNetwork(to);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Sets the fault for new and open connections. `busy`, `refuse` and undefined (no fault) also close all open
   * connections.
   */
  set(trouble: Trouble | undefined): void {
    this.#trouble = trouble;
    if (trouble === 'busy' || trouble === 'refuse' || trouble === undefined) this.#endAll();
  }

  async close(): Promise<void> {
    this.#endAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(near: Socket): void {
    this.#keep(near);
    if (this.#trouble === 'refuse') return void near.destroy();
    if (this.#trouble === 'busy') return answerBusy(near);
    const far = connect(this.#to, '127.0.0.1');
    this.#keep(far);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    near.on('close', end);
    far.on('close', end);
    let sent = 0;
    near.on('data', (bytes: Buffer) => {
      if (this.#trouble === 'stall') return;
      sent += bytes.length;
      if (this.#trouble === 'break' && sent > BREAKS_AFTER_BYTES) return end();
      if (!far.write(bytes)) near.pause();
    });
    far.on('drain', () => near.resume());
    far.on('data', (bytes: Buffer) => {
      if (this.#trouble === 'lose answers') return end();
      if (this.#trouble !== 'stall' && !near.write(bytes)) far.pause();
    });
    near.on('drain', () => far.resume());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    // Connection errors are intended here, so they are ignored.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/**
 * Returns 503 after receiving the request headers. If the response came earlier, a client would not relate it to its
 * request.
 */
function answerBusy(socket: Socket): void {
  let read = '';
  socket.on('data', (bytes: Buffer) => {
    read += bytes.toString('latin1');
    if (read.includes('\r\n\r\n')) socket.end(SLOW_DOWN.join('\r\n'));
  });
}
