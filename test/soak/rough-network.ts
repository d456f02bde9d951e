/** A way between a mirror and its service that goes wrong as told: connections break, answers are lost, 503 comes. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * `pass` all is well; `break` ends connections after some bytes of the request; `lose answers` lets the request
 * through and ends the connection when the answer comes; `busy` answers 503; `refuse` ends them at once; `stall`
 * takes what is sent and says nothing.
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
/** Small enough that a request of several packets is cut in the middle. */
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

  /** To a port of this machine. */
  static async open(to: number): Promise<RoughNetwork> {
    const network = new RoughNetwork(to);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on, also for connections that stand: they end where they would go on as before. */
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
    // What breaks is meant to.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** When the head of the request has come: before, a client takes it for no answer to it. */
function answerBusy(socket: Socket): void {
  let read = '';
  socket.on('data', (bytes: Buffer) => {
    read += bytes.toString('latin1');
    if (read.includes('\r\n\r\n')) socket.end(SLOW_DOWN.join('\r\n'));
  });
}
