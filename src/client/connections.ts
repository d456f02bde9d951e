/** Opens connections to a service, directly or through a proxy, and configures the certificates to trust. */

import { Agent, buildConnector } from 'undici';

import type { Clock } from '../base/clock.ts';
import { KEEP_ALIVE_MS, MAX_CONNECTIONS } from './limits.ts';
import type { Proxy } from './proxy.ts';
import { openTunnel } from './proxy-tunnel.ts';

export interface Dialing {
  /** The CA certificates to trust, in PEM. They replace Node's default certificate authorities. */
  readonly ca?: string;
  readonly proxy?: Proxy;
  /**
   * Whether requests go through a tunnel that the proxy opens (for an https endpoint), or the proxy forwards each
   * request (for an http endpoint).
   */
  readonly tunnels: boolean;
  readonly connectMs: number;
  readonly clock: Clock;
}

export function openConnections(dialing: Dialing): Agent {
  return new Agent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    // HTTP/2 would send all requests over a single connection, where they would block each other.
    allowH2: false,
    connect: connector(dialing),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `Exchange` has its own timeouts, and its errors say what did not arrive.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function connector({ ca, proxy, tunnels, connectMs, clock }: Dialing): buildConnector.connector {
  // `rejectUnauthorized` is set explicitly so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  const common = { timeout: connectMs, allowH2: false, rejectUnauthorized: true };
  const usual = buildConnector(common);
  // The certificate of the proxy itself is verified with Node's default certificate authorities.
  if (proxy !== undefined && !tunnels) return usual;
  const dial = ca === undefined ? usual : buildConnector({ ...common, ca });
  if (proxy === undefined) return dial;
  return (options, callback) => {
    const host = options.host ?? options.hostname;
    const to = /:\d+$/.test(host) ? host : `${host}:443`;
    openTunnel({ proxy, to, timeoutMs: connectMs, clock }, (outcome) => {
      if (outcome instanceof Error) callback(outcome, null);
      else dial({ ...options, httpSocket: outcome }, callback);
    });
  };
}
