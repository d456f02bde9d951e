/** Listens on one port, with or without TLS. Accepts connections and refuses invalid HTTP requests. */

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import { createServer } from 'node:http';
import { Connections } from './connections.ts';
import { LATE_REQUESTS } from './late-requests.ts';
import {
  CLOSE_GRACE_MS,
  HEADERS_CHECK_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
} from './listener-limits.ts';
import { inOrder, type Serve } from './pipeline.ts';
import { sendText } from './respond.ts';
import { endStalled } from './stalled.ts';

/**
 * A certificate and its private key, both in PEM format. In `cert`, intermediate certificates follow the certificate.
 */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Address {
  readonly host: string;
  /** The port number; 0 chooses a free port. */
  readonly port: number;
}

export interface ListenerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Serves a request. Called for one request of a connection at a time. `expecting` is true if the client waits for
   * `100 Continue`.
   */
  readonly serve: Serve;
  /** Returns whether a response on this connection has begun but not ended. */
  readonly isAnswering: (socket: Socket) => boolean;
  /**
   * Called when the client closes its sending side of the connection before the end of a request body. Returns whether
   * the client still receives a response.
   */
  readonly cutOff: (socket: Socket) => boolean;
  /** Returns the headers of every response, including responses to invalid requests. */
  readonly commonHeaders: () => WireHeaders;
}

export interface Listener {
  readonly host: string;
  /** The port on which the listener accepts connections. */
  readonly port: number;
  readonly url: string;
  /**
   * Stops accepting connections and closes idle connections at once. Closes all other connections after CLOSE_GRACE_MS
   * at the latest.
   */
  close(): Promise<void>;
}

export interface TlsListener extends Listener {
  /** Replaces the certificate. Existing connections keep the previous one. */
  setCertificate(certificate: Certificate): void;
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

const SERVER: ServerOptions = {
  ...LATE_REQUESTS,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: HEADERS_CHECK_MS,
  // Set no limit for the total time of a request, because uploads can take long. Another limit applies to the progress
  // of a body.
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  insecureHTTPParser: false,
  // `refusedStatus` checks the host instead. With this option, Node would respond to thousands of pipelined requests
  // without a host in one turn of the event loop.
  requireHostHeader: false,
};

/** Opens an HTTP listener. Throws GatewayError; its message contains the host and the port. */
export function openListener(address: Address, options: ListenerOptions): Promise<Listener> {
  return open(createServer(SERVER), 'http', address, options);
}

/**
 * Opens an HTTPS listener for TLS 1.2 or later. Throws GatewayError, or Node's error if the certificate is unusable.
 */
export async function openTlsListener(
  address: Address,
  certificate: Certificate,
  options: ListenerOptions,
): Promise<TlsListener> {
  const secure = { minVersion: 'TLSv1.2', ...certificate } as const;
  // Load the module only when it is needed, because loading it takes as long as loading all other modules of a gateway.
  const { createServer: createTlsServer } = await import('node:https');
  const server = createTlsServer({ ...SERVER, ...secure, handshakeTimeout: HEADERS_TIMEOUT_MS });
  // Set `allowHalfOpen` only after the handshake. With the option set earlier, the server would wait for a client that
  // disconnects during the handshake.
  server.on('secureConnection', (socket) => (socket.allowHalfOpen = true));
  const listener = await open(server, 'https', address, options);
  return {
    ...listener,
    setCertificate: (renewed) => server.setSecureContext({ ...secure, ...renewed }),
  };
}

/** Returns whether a connection uses TLS. Does not load the TLS module, because most gateways do not use TLS. */
export function isSecure(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}

async function open(
  server: Server | TlsServer,
  scheme: 'http' | 'https',
  { host, port: wanted }: Address,
  { clock, logger, serve, isAnswering, cutOff, commonHeaders }: ListenerOptions,
): Promise<Listener> {
  const sockets = socketsOf(server);
  const connections = new Connections(server, MAX_CONNECTIONS);
  // Do not let Node limit the number of headers. Node 22 drops the headers beyond its limit without an error, and one
  // of the dropped headers could be X-Forwarded-For.
  server.maxHeadersCount = 0;
  // A client that closes its sending side after its request must still receive the response. Node supports this option,
  // but its types do not include it.
  Object.assign(server, { httpAllowHalfOpen: true });
  await listen(server, { host, port: wanted });
  const { port } = server.address() as AddressInfo;
  const serveInOrder = inOrder(async (request, response, expecting) => {
    const status = refusedStatus(request);
    if (status === undefined) return serve(request, response, expecting);
    response.sendDate = false;
    const headers = [...commonHeaders(), ['connection', 'close'] as const];
    await sendText(response, { status, headers, body: '' });
  });
  const take = (expecting: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    connections.begin(request, response);
    void serveInOrder(request, response, expecting);
  };
  server.on('request', take(false));
  server.on('checkContinue', take(true));
  // Handle all other values of the `Expect` header. Without a listener, Node would respond with 417, without a body and
  // without the common headers.
  server.on('checkExpectation', take(false));
  server.on('clientError', (error: Error, socket: Socket) => {
    // If a response has begun, do not send an error: the client would read its status line as bytes of the object.
    if (isAnswering(socket)) socket.destroy();
    else if (!isCutOff(error) || !cutOff(socket)) refuseMalformed(error, socket, commonHeaders());
  });
  server.on('error', (error) => logger.error({ error: errorMessage(error) }, 'gateway failed'));
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const stopLooking = endStalled(sockets, clock);
  return { host, port, url, close: () => (stopLooking(), close(server, sockets, clock)) };
}

function listen(server: Server, { host, port }: Address): Promise<void> {
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
      return new GatewayError('PortInUse', `listen on ${address}: the port is in use`, { cause });
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

/**
 * Returns the status of the response to a request that has too many headers, or that lacks the host that HTTP/1.1
 * requires (RFC 9112 §3.2). Returns undefined for any other request.
 */
function refusedStatus({ rawHeaders, headers, httpVersion }: IncomingMessage): number | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return 431;
  return headers.host === undefined && httpVersion === '1.1' ? 400 : undefined;
}

function isCutOff(error: Error): boolean {
  return errorCode(error) === 'HPE_INVALID_EOF_STATE';
}

/**
 * Responds to invalid HTTP, such as request smuggling (Content-Length with Transfer-Encoding), with a status and the
 * common headers, and closes the connection. Sends nothing after a failed TLS handshake.
 */
function refuseMalformed(error: Error, socket: Socket, headers: WireHeaders): void {
  const code = errorCode(error) ?? '';
  const isHandshake = code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
  if (code === 'ECONNRESET' || isHandshake || !socket.writable) return void socket.destroy();
  const status = STATUS_OF_PARSER[code] ?? '400 Bad Request';
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n${lines}\r\n`);
}

const STATUS_OF_PARSER: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Returns the set of all open sockets, which is updated continuously. For TLS, it contains both the TLS socket and the
 * TCP socket, also during the handshake, when the server does not count the connection yet.
 */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', add).on('secureConnection', add);
  return sockets;
}

function close(server: Server, sockets: ReadonlySet<Socket>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(CLOSE_GRACE_MS, () => {
      for (const socket of sockets) socket.destroy();
    });
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
