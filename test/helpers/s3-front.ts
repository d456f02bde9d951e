/**
 * Proxy that imitates a service without `svc` signatures. It refuses every signature except
 * AWS4-HMAC-SHA256 with the error that AWS returns.
 */

import { once } from 'node:events';
import { createServer, request as requestOf } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

const S3_SIGNATURE = /^AWS4-HMAC-SHA256 /;

const REFUSAL =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InvalidArgument</Code>' +
  '<Message>Unsupported Authorization Type</Message><ArgumentName>Authorization</ArgumentName></Error>';

const DENIAL =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>' +
  '<Message>Access Denied</Message></Error>';

export interface S3Front {
  readonly url: string;
  /** First word of the `Authorization` header of each request, in order. */
  readonly signatures: readonly string[];
}

/**
 * Starts the proxy. It forwards the Host header unchanged, because the signature covers that
 * header. With `deniesLists`, it refuses ListBuckets, as AWS does for an access key that is limited
 * to one bucket.
 */
export async function openS3Front(
  store: string,
  port = 0,
  { deniesLists = false } = {},
): Promise<S3Front> {
  const signatures: string[] = [];
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? '';
    signatures.push(authorization.split(' ')[0] ?? '');
    if (!S3_SIGNATURE.test(authorization)) refuse(request, response, 400, REFUSAL);
    else if (deniesLists && request.url === '/') refuse(request, response, 403, DENIAL);
    else forward(store, request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, signatures };
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  document: string,
): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml' }).end(document);
}

function forward(store: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, rawHeaders: headers } = request;
  const { hostname, port } = new URL(store);
  const passed = requestOf({ hostname, port, method, path, headers, setHost: false });
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  // If the client or the store disconnects, the proxy closes the other connection.
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
