/** JSON-RPC on a socket, each message bounded: `Content-Length: N`, an empty line, N bytes of JSON. */

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

/** The largest honest answer, a page of 1,000 keys of 1 KiB with escapes, is below 7 MiB. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** `Content-Length: 8388608`, and room for a `Content-Type` that some libraries add. */
const MAX_HEADER_LINE_BYTES = 256;
const MAX_HEADER_LINES = 4;

export interface ChannelOptions {
  readonly socket: Socket;
  readonly source: ByteSource;
  /** The first header line, when it was read to find out what the peer speaks. */
  readonly firstLine?: string;
  /** The peer broke the protocol; the socket is closed after this call. */
  readonly onViolation: (error: ControlError) => void;
}

/** To be given its handlers, and then `listen()`. Disposing it closes the socket. */
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
      // A lost connection reads as its end: what is thrown is the peer's doing.
      onViolation(violation(error));
    }
    socket.destroySoon();
    this.fireClose();
  }

  /** One message a turn, as they are handled, and none while answers wait: a flood stays in the kernel. */
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
    throw new ControlError('BadRequest', 'read message: it is not a JSON object');
  }
  return message as Message;
}

/** The size of the body that follows; undefined at the end of the stream. */
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
  throw new ControlError('BadRequest', 'read message: its header has no Content-Length');
}

function tooLarge(sizeBytes: number): ControlError {
  const message = `read or write message: ${sizeBytes} bytes, at most ${MAX_MESSAGE_BYTES} are allowed`;
  return new ControlError('TooMuch', message);
}

function violation(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError('BadRequest', `read message: ${errorMessage(error)}`, { cause: error });
}
