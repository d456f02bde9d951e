/** A raw HTTP/1.1 client. It sends exactly the given bytes and returns complete responses. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /**
   * Header names and values in the order of the response. Names are in lower case, and a name can
   * occur several times.
   */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  header(name: string): string | undefined;
  text(): string;
}

/** One HTTP connection. Each call of `answer` returns the next response. */
export class HttpSocket {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #arrived: Buffer[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Connects to a port on 127.0.0.1, or uses an existing connection. */
  constructor(to: number | Socket) {
    this.#socket = typeof to === 'number' ? connect(to, '127.0.0.1') : to;
    this.#socket.on('data', (bytes) => {
      this.#arrived.push(bytes);
      this.#wake?.();
    });
    const end = () => {
      this.#ended = true;
      this.#wake?.();
    };
    this.#socket.on('end', end).on('close', end).on('error', end);
  }

  async connected(): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect');
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Closes the sending side of the connection. A response can still arrive. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resets the TCP connection by sending RST. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Returns all bytes that arrive until the service closes the connection. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more();
    this.#gather();
    return this.#received.toString('latin1');
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /**
   * Waits until the status line and the headers of the next response have arrived. A later call of `answer` still
   * returns that response.
   */
  async answerHead(): Promise<void> {
    await this.#indexAfter('\r\n\r\n');
  }

  /**
   * Returns the next response. The response to a `HEAD` request has no body. Throws an error if the
   * connection closes before the end of the response.
   */
  async answer(method = 'GET'): Promise<RawAnswer> {
    const head = await this.#take(await this.#indexAfter('\r\n\r\n'));
    const [statusLine = '', ...lines] = head.toString('latin1').trimEnd().split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
    const status = Number(statusLine.split(' ')[1]);
    const header = (name: string) => headers.find(([each]) => each === name)?.[1];
    const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
    const body = hasBody
      ? await this.#take(Number(header('content-length') ?? 0))
      : Buffer.alloc(0);
    return { status, headers, body, header, text: () => body.toString('utf8') };
  }

  #gather(): void {
    if (this.#arrived.length > 0) {
      this.#received = Buffer.concat([this.#received, ...this.#arrived.splice(0)]);
    }
  }

  async #indexAfter(mark: string): Promise<number> {
    for (;;) {
      this.#gather();
      const index = this.#received.indexOf(mark);
      if (index !== -1) return index + mark.length;
      await this.#more();
    }
  }

  async #take(lengthBytes: number): Promise<Buffer> {
    for (this.#gather(); this.#received.length < lengthBytes; this.#gather()) await this.#more();
    const taken = this.#received.subarray(0, lengthBytes);
    this.#received = this.#received.subarray(lengthBytes);
    return taken;
  }

  async #more(): Promise<void> {
    if (this.#ended && this.#arrived.length === 0)
      throw new Error(`the connection ended: ${this.#received.toString('latin1')}`);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
