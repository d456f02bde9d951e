/**
 * Implements JSON-RPC over a socket with a limit on the message size. A message consists of `Content-Length: N`, an
 * empty line, and N bytes of JSON.
 */

import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import {
  AbstractMessageReader,
  createMessageConnection,
  SocketMessageWriter,
} from 'vscode-jsonrpc/node';
import type { DataCallback, Disposable, Message, MessageConnection } from 'vscode-jsonrpc/node';

import { errorMessage } from '../base/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { ControlError } from './control-error.ts';
import { drained } from './socket.ts';

/**
 * The maximum message size. The largest legitimate response, a page of 1,000 keys of 1 KiB with escapes, is below 7
 * MiB.
 */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/**
 * The maximum length of a header line. It allows `Content-Length: 8388608`, and a `Content-Type` header that some
 * libraries add.
 */
const MAX_HEADER_LINE_BYTES = 256;
const MAX_HEADER_LINES = 4;

export interface ChannelOptions {
  readonly socket: Socket;
  readonly source: ByteSource;
  /** The first header line, if the daemon has already read it to determine the protocol of the connection. */
  readonly firstLine?: string;
  /** Called when the peer violates the protocol. The socket is closed after this call. */
  readonly onViolation: (error: ControlError) => void;
}

/**
 * Creates a JSON-RPC connection. The caller registers its handlers and then calls `listen()`. Disposing of the
 * connection closes the socket.
 */
export function openChannel(options: ChannelOptions): MessageConnection {
  const writer = new SocketMessageWriter(options.socket, { contentTypeEncoder: boundedJson });
  return createMessageConnection(new BoundedReader(options), writer);
}

const boundedJson = {
  name: 'application/json',
  async encode(message: Message): Promise<Uint8Array> {
    const bytes = Buffer.from(JSON.stringify(message));
    if (bytes.byteLength > MAX_MESSAGE_BYTES) throw tooLarge(bytes.byteLength);
    return bytes;
  },
};

class BoundedReader extends AbstractMessageReader {
  readonly #options: ChannelOptions;

  constructor(options: ChannelOptions) {
    super();
    this.#options = options;
  }

  override listen(callback: DataCallback): Disposable {
    void this.#read(callback);
    return { dispose: () => this.#options.socket.destroy() };
  }

  async #read(callback: DataCallback): Promise<void> {
    const { socket, source, firstLine, onViolation } = this.#options;
    try {
      for (let first = firstLine; ; first = undefined) {
        const message = await readMessage(source, first);
        if (!message) break;
        callback(message);
        await this.#pace();
      }
    } catch (error) {
      // A lost connection appears as the end of the stream, so every error here is a protocol violation by the peer.
      onViolation(violation(error));
    }
    socket.destroySoon();
    this.fireClose();
  }

  /**
   * Reads one message per turn of the event loop, and no message while responses are waiting to be sent. So a flood of
   * messages stays in the kernel's buffer.
   */
  async #pace(): Promise<void> {
    await setImmediate();
    const { socket } = this.#options;
    if (socket.writableNeedDrain) await drained(socket);
  }
}

async function readMessage(
  source: ByteSource,
  firstLine: string | undefined,
): Promise<Message | undefined> {
  const sizeBytes = await readHeader(source, firstLine);
  if (sizeBytes === undefined) return undefined;
  if (sizeBytes > MAX_MESSAGE_BYTES) throw tooLarge(sizeBytes);
  const body = await source.exactly(sizeBytes);
  if (!body) return undefined;
  const message: unknown = JSON.parse(body.toString('utf8'));
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new ControlError('BadMessage', 'invalid message: it is not a JSON object');
  }
  return message as Message;
}

/** Reads the headers of a message and returns the size of its body. Returns undefined at the end of the stream. */
async function readHeader(
  source: ByteSource,
  firstLine: string | undefined,
): Promise<number | undefined> {
  let sizeBytes: number | undefined;
  for (let lines = 0; lines <= MAX_HEADER_LINES; lines += 1) {
    const given = lines === 0 ? firstLine : undefined;
    const line = given ?? (await source.line(MAX_HEADER_LINE_BYTES));
    if (line === undefined) return undefined;
    if (line === '') break;
    const size = /^content-length: *(\d{1,10})$/i.exec(line)?.[1];
    if (size) sizeBytes = Number(size);
  }
  if (sizeBytes !== undefined) return sizeBytes;
  throw new ControlError('BadMessage', 'invalid message: its header has no Content-Length');
}

function tooLarge(sizeBytes: number): ControlError {
  const message = `the message is too large: ${sizeBytes} bytes; the maximum is ${MAX_MESSAGE_BYTES}`;
  return new ControlError('TooMuch', message);
}

function violation(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError('BadMessage', `invalid message: ${errorMessage(error)}`, {
    cause: error,
  });
}
