/** Opens connections to a service, directly or through a proxy, with the certificates that are trusted for it. */

import { Agent, buildConnector } from 'undici';

import type { Clock } from '../base/clock.ts';
import { KEEP_ALIVE_MS, MAX_CONNECTIONS } from './limits.ts';
import type { Proxy } from './proxy.ts';
import { openTunnel } from './proxy-tunnel.ts';

export interface Dialing {
  /** Trusted CA certificates in PEM, instead of Node's default certificate authorities. */
  readonly ca?: string;
  readonly proxy?: Proxy;
  /**
   * Whether the proxy opens a tunnel, as for an https endpoint, or forwards each request, as for an
   * http endpoint.
   */
  readonly tunnels: boolean;
  readonly connectMs: number;
  readonly clock: Clock;
}

export function openConnections(dialing: Dialing): Agent {
  return new Agent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    // HTTP/2 would send all requests over one connection, where they wait for each other's bodies.
    allowH2: false,
    connect: connector(dialing),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The exchange has its own timeouts, whose errors name what did not arrive.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function connector({ ca, proxy, tunnels, connectMs, clock }: Dialing): buildConnector.connector {
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect.
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
