/** How connections to a service are made and kept: straight or through its proxy, with the certificates it is trusted by. */

import { Agent, buildConnector } from 'undici';

import type { Clock } from '../base/clock.ts';
import { KEEP_ALIVE_MS, MAX_CONNECTIONS } from './limits.ts';
import type { Proxy } from './proxy.ts';
import { openTunnel } from './proxy-tunnel.ts';

export interface Dialing {
  /** Trusted instead of the usual authorities: certificates in PEM. */
  readonly ca?: string;
  readonly proxy?: Proxy;
  /** A proxy is asked for a tunnel to an https endpoint, and for each single request of an http one. */
  readonly tunnels: boolean;
  readonly connectMs: number;
  readonly clock: Clock;
}

export function openConnections(dialing: Dialing): Agent {
  return new Agent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    // HTTP/2 would put all requests on one connection, behind each other's bodies.
    allowH2: false,
    connect: connector(dialing),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The exchange watches the time itself, and says what it waited for.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function connector({ ca, proxy, tunnels, connectMs, clock }: Dialing): buildConnector.connector {
  // Said, so that no NODE_TLS_REJECT_UNAUTHORIZED of the environment says otherwise.
  const common = { timeout: connectMs, allowH2: false, rejectUnauthorized: true };
  const usual = buildConnector(common);
  // A proxy's own certificate is a matter of the usual authorities.
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
