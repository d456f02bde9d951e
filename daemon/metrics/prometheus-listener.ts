/**
 * Serves `GET /metrics` and `GET /health` on a loopback address, for Prometheus and other monitoring on this machine.
 * Responses contain numbers and names, but no secrets.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { portHolder } from '../../src/config/port-holder.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Listener } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Health } from './health.ts';
import type { Home } from '../../src/config/home.ts';
import { createServer } from 'node:http';
import { Connections } from '../../src/http/connections.ts';
import { HEADERS_CHECK_MS, HEADERS_TIMEOUT_MS } from '../../src/http/listener-limits.ts';
import { LATE_REQUESTS } from '../../src/http/late-requests.ts';
import { inOrder } from '../../src/http/pipeline.ts';

/** The maximum number of connections. It is enough for a few scrapers. */
const MAX_CONNECTIONS = 16;
const LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: HEADERS_CHECK_MS,
  maxHeaderSize: 8 * 1024,
  // `isOfThisMachine` checks the Host header. Node does not check it, because Node would respond to all pipelined
  // requests without a Host header in one turn of the event loop.
  requireHostHeader: false,
  ...LATE_REQUESTS,
};

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface PrometheusListener {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export interface PrometheusListenerOptions extends Listener {
  readonly text: () => Promise<string>;
  readonly health: () => Health;
  readonly home: Home;
  readonly logger: Logger;
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Starts the listener. Throws ConfigError if its address cannot be used. */
export async function servePrometheus(
  options: PrometheusListenerOptions,
): Promise<PrometheusListener> {
  const { host, logger, home } = options;
  const serve = inOrder((request, response) =>
    answer(request, response, options).catch((error: unknown) => {
      logger.error({ reason: errorMessage(error) }, 'metrics: request failed');
      end(response, 500);
    }),
  );
  const server = createServer(LIMITS, (request, response) => {
    if (request.socket.destroyed) return;
    connections.begin(request, response);
    void serve(request, response, false);
  });
  const connections = new Connections(server, MAX_CONNECTIONS);
  const port = await listening(server, options).catch((cause: unknown) => {
    const holder = errorCode(cause) === 'EADDRINUSE' ? portHolder(options.port) : undefined;
    const by = holder === undefined ? '' : `: ${holder} uses the port`;
    const problem = { path: 'metrics.http', message: `${errorMessage(cause)}${by}` };
    throw new ConfigError(home.configFile, [problem], { verb: 'cannot use', cause });
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
  return { host, port, url, close: () => closed(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: PrometheusListenerOptions,
): Promise<void> {
  // Protects against DNS rebinding: a website whose name resolves to this address must not be able to read the
  // metrics.
  if (!isOfThisMachine(request.headers.host ?? '')) return end(response, 403);
  const [path = ''] = (request.url ?? '').split('?');
  const page = pageAt(path, options);
  if (page === undefined) return end(response, 404);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return end(response, 405);
  }
  if (hasBody(request)) return end(response, 400);
  const { status, contentType, body } = await page();
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function pageAt(
  path: string,
  { text, health }: PrometheusListenerOptions,
): (() => Promise<Page>) | undefined {
  if (path === '/metrics')
    return async () => ({ status: 200, contentType: CONTENT_TYPE, body: await text() });
  if (path !== '/health') return undefined;
  return async () => {
    const current = health();
    const status = current.status === 'failing' ? 503 : 200;
    return { status, contentType: 'application/json', body: `${JSON.stringify(current)}\n` };
  };
}

function isOfThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function end(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  // The connection is closed, because the rest of the request is not read.
  response.writeHead(status, { 'content-length': 0, connection: 'close' });
  response.end();
}

function listening(server: Server, { host, port }: Listener): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
