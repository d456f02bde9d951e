/**
 * Encodes a body as frames on a stream connection, so that the receiver can distinguish its end from an abort. A frame
 * is one letter, the size of the payload in 4 bytes (big-endian), and the payload.
 *
 *   D  bytes of the body
 *   E  the end: the total number of bytes of the body, 8 bytes big-endian. The body is complete only with this frame.
 *   F  a failure: JSON `{message, data}`. No frame follows it.
 */

import type { Socket } from 'node:net';

import type { ByteSource } from './byte-source.ts';
import { ControlError } from './control-error.ts';
import { drained } from './socket.ts';
import { fromWire, toWire } from './wire-error.ts';

/** The maximum payload of a frame. Larger chunks of a body are split. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** The maximum number of bytes per read. A socket returns no more at once. */
const READ_BYTES = 64 * 1024;
const HEADER_BYTES = 5;
const END_BYTES = 8;

type Kind = 'D' | 'E' | 'F';

interface FrameHeader {
  readonly kind: Kind;
  readonly sizeBytes: number;
}

/**
 * Sends a body and its end frame. If the body fails, sends no end frame and rejects with the body's error. Rejects
 * with `Disconnected` if the connection is lost.
 */
export async function sendBody(socket: Socket, body: AsyncIterable<Uint8Array>): Promise<void> {
  let total = 0;
  for await (const chunk of body) {
    for (let start = 0; start < chunk.byteLength; start += MAX_FRAME_BYTES) {
      await send(socket, 'D', chunk.subarray(start, start + MAX_FRAME_BYTES));
    }
    total += chunk.byteLength;
  }
  await sendEnd(socket, total);
}

export async function sendEnd(socket: Socket, totalBytes: number): Promise<void> {
  const payload = Buffer.alloc(END_BYTES);
  payload.writeBigUInt64BE(BigInt(totalBytes));
  await send(socket, 'E', payload);
}

export async function sendFailure(socket: Socket, error: ControlError): Promise<void> {
  await send(socket, 'F', Buffer.from(JSON.stringify(toWire(error))));
}

/**
 * Yields the bytes of a body. Ends after the end frame, whose count must match the number of received bytes. Throws
 * otherwise.
 */
export async function* receiveBody(source: ByteSource): AsyncGenerator<Uint8Array, void> {
  let total = 0;
  for (;;) {
    const { kind, sizeBytes } = await frameHeader(source);
    if (kind === 'E') return checkEnd(await payloadOf(source, sizeBytes), total);
    if (kind === 'F') throw await failureOf(source, sizeBytes);
    for (let missing = sizeBytes; missing > 0;) {
      const bytes = (await source.some(Math.min(missing, READ_BYTES))) ?? cutOff();
      missing -= bytes.byteLength;
      total += bytes.byteLength;
      yield bytes;
    }
  }
}

/** Waits until the peer confirms that it has received the body. Throws the failure that the peer reports. */
export async function receiveVerdict(source: ByteSource): Promise<void> {
  for await (const bytes of receiveBody(source)) {
    throw new ControlError('BadMessage', `invalid stream: ${bytes.byteLength} unexpected bytes`);
  }
}

async function send(socket: Socket, kind: Kind, payload: Uint8Array): Promise<void> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(kind, 'latin1');
  header.writeUInt32BE(payload.byteLength, 1);
  if (socket.destroyed || socket.writableEnded) cutOff();
  socket.cork();
  socket.write(header);
  const flowing = socket.write(payload);
  socket.uncork();
  if (!flowing && !socket.destroyed) await drained(socket);
}

async function frameHeader(source: ByteSource): Promise<FrameHeader> {
  const header = (await source.exactly(HEADER_BYTES)) ?? cutOff();
  const kind = header.toString('latin1', 0, 1);
  const sizeBytes = header.readUInt32BE(1);
  if (sizeBytes > MAX_FRAME_BYTES || (kind !== 'D' && kind !== 'E' && kind !== 'F')) {
    throw new ControlError('BadMessage', 'invalid stream: the data is not a frame');
  }
  return { kind, sizeBytes };
}

async function payloadOf(source: ByteSource, sizeBytes: number): Promise<Buffer> {
  return (await source.exactly(sizeBytes)) ?? cutOff();
}

function checkEnd(payload: Buffer, totalBytes: number): void {
  const said = payload.byteLength === END_BYTES ? payload.readBigUInt64BE() : -1n;
  if (said === BigInt(totalBytes)) return;
  throw new ControlError(
    'BadMessage',
    `incomplete stream: ${totalBytes} bytes received, ${said} sent`,
  );
}

async function failureOf(source: ByteSource, sizeBytes: number): Promise<ControlError> {
  const payload = await payloadOf(source, sizeBytes);
  return fromWire(jsonOf(payload)) ?? new ControlError('Internal', 'the stream failed');
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function cutOff(): never {
  throw new ControlError('Disconnected', 'the stream ended early');
}
