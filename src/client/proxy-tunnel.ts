/** A connection through a proxy, which sees the name of the service and nothing of what is said (RFC 9110, CONNECT). */

import type { Socket } from 'node:net';

import type { Clock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { Proxy } from './proxy.ts';
import { WaitedTooLong } from './watch.ts';
import { request as httpRequest } from 'node:http';

/** The proxy was reached, and did not connect us. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused';
}

export interface Tunnel {
  readonly proxy: Proxy;
  /** `host:port` */
  readonly to: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Gives the socket behind the proxy, with nothing said on it yet; or ProxyRefused, or how the connection failed. */
export function openTunnel(
  { proxy, to, timeoutMs, clock }: Tunnel,
  done: (outcome: Socket | Error) => void,
): void {
  const { protocol, hostname, port, origin } = proxy.url;
  // To a proxy by TLS, which is rare; loading what it takes is slow.
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

/** What a proxy asks for with its credentials, if it has any. */
export function authorization({ credentials }: Proxy): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** As the connection failed; but what is wrong with the proxy's TLS is not said of the service's certificate. */
function ofProxy(origin: string, error: Error): Error {
  const message = `through the proxy ${origin}: ${errorMessage(error)}`;
  const code = errorCode(error) ?? '';
  const isOfSocket = /^E[A-Z]+$/.test(code) && code !== 'EPROTO';
  return isOfSocket ? Object.assign(new Error(message), { code }) : new ProxyRefused(message);
}

function refused(origin: string, status: number | undefined): ProxyRefused {
  const hint =
    status === 407
      ? 'it wants a user and a password, which belong into the proxy URL of the environment'
      : `it answered ${status}`;
  return new ProxyRefused(`the proxy ${origin} did not connect: ${hint}`);
}
