/**
 * TCP proxy to a local port. It counts the bytes that clients send to the service, and can
 * interrupt the network.
 */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export class CountingProxy {
  readonly #to: number;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<{ readonly bytes: number; readonly reached: () => void }>();
  #server: Server;
  #sentBytes = 0;

  private constructor(to: number) {
    this.#to = to;
    this.#server = this.#listener();
  }

  static async open(to: number): Promise<CountingProxy> {
    const proxy = new CountingProxy(to);
    await proxy.#listen(0);
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Number of bytes that clients have sent. It includes bytes that the service did not receive. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Resolves when clients have sent at least `bytes` bytes in total. */
  async sent(bytes: number): Promise<void> {
    if (this.#sentBytes >= bytes) return;
    await new Promise<void>((reached) => this.#waiting.add({ bytes, reached }));
  }

  /**
   * Closes all connections and refuses new connections. Returns a function that accepts connections
   * again.
   */
  async cut(): Promise<() => Promise<void>> {
    const port = this.#port;
    await this.close();
    return async () => {
      this.#server = this.#listener();
      await this.#listen(port);
    };
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #listener(): Server {
    return createServer((socket) => this.#accept(socket));
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  #accept(near: Socket): void {
    const far = connect(this.#to, '127.0.0.1');
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      // Socket errors are expected, because tests break connections on purpose.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    near.on('data', (bytes: Buffer) => {
      this.#count(bytes.length);
      if (!far.write(bytes)) near.pause();
    });
    far.on('drain', () => near.resume());
    far.pipe(near);
  }

  #count(bytes: number): void {
    this.#sentBytes += bytes;
    for (const each of this.#waiting) {
      if (each.bytes > this.#sentBytes) continue;
      this.#waiting.delete(each);
      each.reached();
    }
  }
}
