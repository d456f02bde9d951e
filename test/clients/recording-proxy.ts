/** A proxy in front of a service that records the bytes of every request. */

import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { firstRequest } from '../helpers/recorded-request.ts';
import type { TestCertificate } from '../helpers/certificate.ts';

export interface RecordingProxy {
  readonly port: number;
  /** Returns the requests since the last call of this function, in the order of their start. */
  take(): Buffer[];
  close(): Promise<void>;
}

/** Opens a proxy. With a certificate, clients connect over TLS, but the proxy records and forwards plain HTTP. */
export async function openRecordingProxy(
  servicePort: number,
  certificate?: TestCertificate,
): Promise<RecordingProxy> {
  const slots: { bytes?: Buffer }[] = [];
  const record = (client: Socket): void => {
    const service = connect(servicePort, '127.0.0.1');
    let pending = Buffer.alloc(0);
    let slot: { bytes?: Buffer } | undefined;
    client.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes]);
      while (pending.byteLength > 0) {
        if (slot === undefined) slots.push((slot = {}));
        const request = firstRequest(pending);
        if (request === undefined) return;
        slot.bytes = request.bytes;
        slot = undefined;
        pending = pending.subarray(request.bytes.byteLength);
      }
    });
    // A client that receives an error response early never sends the body of its request.
    client.on('close', () => {
      if (slot !== undefined) slot.bytes = pending;
    });
    client.pipe(service).pipe(client);
    for (const socket of [client, service]) {
      socket.on('error', () => {
        client.destroy();
        service.destroy();
      });
    }
  };
  const server: Server = certificate ? createTlsServer(certificate, record) : createServer(record);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    take: () => slots.splice(0).flatMap(({ bytes }) => bytes ?? []),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
