/**
 * Runs a TCP proxy that delays data by half of the round-trip time in each direction: `delay-server.ts PORT
 * MILLISECONDS`. It does not limit the bandwidth.
 */

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { answerBench } from './answering.ts';

const [port, roundTripMs] = process.argv.slice(2).map(Number);
const delayMs = (roundTripMs ?? 0) / 2;
/** The buffer size in bytes. It exceeds the amount of data that a connection sends in one round trip. */
const MAX_DELAYED_BYTES = 16 * 2 ** 20;

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const service = connect({
    port: port ?? 0,
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  });
  delay(client, service);
  delay(service, client);
});

function delay(from: Socket, to: Socket): void {
  let delayedBytes = 0;
  from.on('data', (bytes: Buffer) => {
    delayedBytes += bytes.length;
    if (delayedBytes > MAX_DELAYED_BYTES) from.pause();
    setTimeout(() => {
      delayedBytes -= bytes.length;
      if (delayedBytes <= MAX_DELAYED_BYTES) from.resume();
      to.write(bytes);
    }, delayMs);
  });
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => to.destroy());
}

server.listen(0, '127.0.0.1', () => answerBench([(server.address() as AddressInfo).port]));
