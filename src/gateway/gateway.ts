/** An ObjectStore as an HTTP service, in both dialects on one port. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Identity } from '../identity/identity.ts';
import type { Caller } from '../object-store/caller.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Dialects } from '../protocol/header-families.ts';
import { exchangeHandler } from './exchange.ts';
import {
  CLOSE_GRACE_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
} from './limits.ts';

export interface GatewayOptions {
  /** The store as one caller may use it. */
  readonly store: (caller: Caller) => ObjectStore;
  readonly identity: Identity;
  readonly dialects: Dialects;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly region: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  readonly host: string;
  /** The port that it listens on. */
  readonly port: number;
  readonly url: string;
  /** Takes no new requests, ends idle connections at once and all others after a short grace. */
  close(): Promise<void>;
}

type GatewayErrorCode = 'AddressNotAvailable' | 'ListenFailed' | 'PortInUse';

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Listens when it resolves. Throws GatewayError, naming host and port. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Uploads are long: a body is watched for progress instead.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    insecureHTTPParser: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  const { handle, isAnswering } = exchangeHandler({
    ...options,
    url,
    isClosing: () => !server.listening,
  });
  const serve = (expecting: boolean) => (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response, expecting);
  server.on('request', serve(false));
  server.on('checkContinue', serve(true));
  server.on('clientError', (error: Error, socket: Socket) => {
    // Written into an answer that is under way, the status would be taken for the object's bytes.
    if (isAnswering(socket)) socket.destroy();
    else refuseMalformed(error, socket);
  });
  server.on('error', (error) =>
    options.logger.error({ error: errorMessage(error) }, 'gateway failed'),
  );
  return { host: options.host, port, url, close: () => close(server, options.clock) };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(cause, `${host}:${port}`)));
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function listenError(cause: Error, address: string): GatewayError {
  switch (errorCode(cause)) {
    case 'EADDRINUSE':
      return new GatewayError(
        'PortInUse',
        `listen on ${address}: the port is in use; choose another one, or stop what listens there`,
        { cause },
      );
    case 'EADDRNOTAVAIL':
      return new GatewayError(
        'AddressNotAvailable',
        `listen on ${address}: this machine has no such address`,
        {
          cause,
        },
      );
    default:
      return new GatewayError('ListenFailed', `listen on ${address}: ${cause.message}`, { cause });
  }
}

/** What is no HTTP, or smuggles (Content-Length with Transfer-Encoding), gets a status and no more. */
function refuseMalformed(error: Error, socket: Socket): void {
  if (errorCode(error) === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_OF_PARSER[errorCode(error) ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const STATUS_OF_PARSER: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function close(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(CLOSE_GRACE_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
