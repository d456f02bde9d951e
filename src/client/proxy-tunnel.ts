/**
 * Opens a tunnel through a proxy with CONNECT (RFC 9110). The proxy sees only the host and port of
 * the service.
 */

import type { Socket } from 'node:net';

import type { Clock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { Proxy } from './proxy.ts';
import { WaitedTooLong } from './watch.ts';
import { request as httpRequest } from 'node:http';

/**
 * Thrown if the proxy refuses to open a tunnel, its certificate is not trusted, or its response is
 * not valid HTTP.
 */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused';
}

export interface Tunnel {
  readonly proxy: Proxy;
  /** The host and port of the service, `host:port`. */
  readonly to: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Opens a tunnel and calls `done` with its socket. On failure, calls `done` with ProxyRefused, with
 * WaitedTooLong after `timeoutMs`, or with the error of the connection to the proxy.
 */
export function openTunnel(
  { proxy, to, timeoutMs, clock }: Tunnel,
  done: (outcome: Socket | Error) => void,
): void {
  const { protocol, hostname, port, origin } = proxy.url;
  // `node:https` is loaded on demand, because it loads slowly and TLS to a proxy is rare.
  const open = protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest;
  const request = open({
    method: 'CONNECT',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port }),
    path: to,
    headers: { host: to, ...authorization(proxy) },
    agent: false,
    rejectUnauthorized: true,
  });
  const cancel = clock.after(timeoutMs, () =>
    request.destroy(new WaitedTooLong(`tunnel through the proxy ${origin}`, timeoutMs)),
  );
  request.on('connect', (response, socket, first) => {
    cancel();
    if (response.statusCode !== 200) {
      socket.destroy();
      return done(refused(origin, response.statusCode));
    }
    if (first.length > 0) socket.unshift(first);
    done(socket);
  });
  request.on('error', (error) => {
    cancel();
    done(error instanceof WaitedTooLong ? error : ofProxy(origin, error));
  });
  request.end();
}

/** Returns the `proxy-authorization` header, or no header if the proxy needs no credentials. */
export function authorization({ credentials }: Proxy): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/**
 * Returns an error that names the proxy. The error keeps the code of a connection error. It omits the code of a TLS
 * error, because that code would look like an error of the service.
 */
function ofProxy(origin: string, error: Error): Error {
  const message = `through the proxy ${origin}: ${errorMessage(error)}`;
  const code = errorCode(error) ?? '';
  const isOfSocket = /^E[A-Z]+$/.test(code) && code !== 'EPROTO';
  return isOfSocket ? Object.assign(new Error(message), { code }) : new ProxyRefused(message);
}

function refused(origin: string, status: number | undefined): ProxyRefused {
  const hint =
    status === 407
      ? 'it requires a user and a password; add them to the proxy URL in the environment'
      : `it answered ${status}`;
  return new ProxyRefused(`the proxy ${origin} did not connect: ${hint}`);
}
