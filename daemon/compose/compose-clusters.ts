/** Constructs the cluster services for `compose`: the local service, its gateway, and clients of remote services. */

import { join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { type ClusterClient, openClusterClient } from '../../src/cluster/client/cluster-client.ts';
import type { ClusterService } from '../../src/cluster/cluster-service.ts';
import { openClusterEngine } from '../../src/cluster/engine/cluster-engine.ts';
import { openClusterGateway } from '../../src/cluster/gateway/cluster-gateway.ts';
import type { Durations } from '../../src/cluster/rules/records.ts';
import { readCaFile } from '../../src/config/ca-file.ts';
import type { ClustersConfig, ClusterServiceConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Credentials } from '../../src/config/credentials.ts';
import type { Home } from '../../src/config/home.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { GatewayError, type Listener } from '../../src/http/listener.ts';
import type { Identity } from '../../src/identity/identity.ts';
import type { Dialects } from '../../src/protocol/header-families.ts';
import type { ClusterRooms } from '../services/rooms.ts';
import { dialectOf } from '../services/target-dialects.ts';
import type { TargetKeys } from '../services/target-keys.ts';

/** The name of the local cluster service. */
const LOCAL_SERVICE = 'local';

export interface ComposeClustersOptions {
  readonly config: ClustersConfig;
  readonly home: Home;
  readonly region: string;
  readonly dialects: Dialects;
  readonly identity: Identity;
  /** The user that the command line acts for. */
  readonly principal: UserPrincipal;
  readonly keys: Pick<TargetKeys, 'get'>;
  /** Called when a cluster service rejects its access key. */
  readonly onKeyRefused: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the cluster services. Throws ConfigError for a port that cannot be used. */
export async function composeClusters(options: ComposeClustersOptions): Promise<ClusterRooms> {
  const { config, home, region, principal, clock, keys } = options;
  const path = join(home.dataDir, 'clusters.sqlite');
  const engine = openClusterEngine({ path, region, durations: durationsOf(config), clock });
  const clients = new Map<string, ClusterClient>();
  const local = engine.as(principal);
  const clientOf = (service: ClusterServiceConfig) => {
    const credentials = keys.get(service);
    const ca = service.caFile && readCaFile(service.caFile);
    const key = JSON.stringify([service, credentials, ca]);
    const known = clients.get(key);
    if (known) return known;
    const client = connect(service, { ...options, credentials, ...defined({ ca }) });
    clients.set(key, client);
    return client;
  };
  const find = (name: string) => {
    const found = config.services.find((each) => each.name === name);
    if (found) return found;
    const names = [LOCAL_SERVICE, ...config.services.map((each) => each.name)].join(', ');
    const message = `unknown cluster service "${name}"`;
    const hint = `services: ${names}; to add one, edit clusters.services in config.yaml`;
    throw new ControlError('NotFound', message, { hint });
  };
  const isLocal = (name: string) => name === LOCAL_SERVICE;
  const missingAt = (name: string) => {
    try {
      return [...clientOf(find(name)).missing];
    } catch (error) {
      // The list contains services whose access key cannot be read. Such a service was not called yet, so its missing
      // operations are unknown.
      if (error instanceof ConfigError) return [];
      throw error;
    }
  };
  const listener = await listen(options, (caller) => engine.as(caller)).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  return {
    service: (name = LOCAL_SERVICE) => (isLocal(name) ? local : clientOf(find(name))),
    names: () => [
      { name: LOCAL_SERVICE, url: listener?.url ?? 'this machine' },
      ...config.services.map(({ name, url }) => ({ name, url })),
    ],
    missing: (name) => (isLocal(name) ? [] : missingAt(name)),
    listeners: listener ? [listenedAt(listener)] : [],
    async close() {
      await listener?.close();
      for (const client of clients.values()) await client.close();
      engine.close();
    },
  };
}

function listenedAt({ host, port, url }: Listener) {
  return { name: 'clusters', host, port, url };
}

function durationsOf({ seconds }: ClustersConfig): Durations {
  return {
    createClusterMs: seconds.createCluster * 1000,
    deleteClusterMs: seconds.deleteCluster * 1000,
    createNodegroupMs: seconds.createNodegroup * 1000,
    deleteNodegroupMs: seconds.deleteNodegroup * 1000,
    batchMs: seconds.batch * 1000,
  };
}

async function listen(
  { config, home, dialects, identity, region, clock, logger }: ComposeClustersOptions,
  service: (caller: UserPrincipal) => ClusterService,
): Promise<Listener | undefined> {
  const { host, port, serviceCode } = config;
  if (port === undefined) return undefined;
  try {
    return await openClusterGateway({
      service,
      identity,
      dialects: withService(dialects, serviceCode),
      region,
      host,
      port,
      clock,
      logger,
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const problem = { path: 'clusters', message: error.message };
    throw new ConfigError(home.configFile, [problem], { verb: 'cannot use', cause: error });
  }
}

function withService({ svc, amz }: Dialects, service: string): Dialects {
  return { svc: { ...svc, service }, amz: { ...amz, service } };
}

/** Creates the client of a remote service. Throws ConfigError for a proxy that cannot be used. */
function connect(
  { name, url, region, protocol, serviceCode, proxy }: ClusterServiceConfig,
  {
    home,
    dialects,
    clock,
    onKeyRefused,
    credentials,
    ca,
  }: ComposeClustersOptions & { readonly credentials: Credentials; readonly ca?: string },
): ClusterClient {
  try {
    return openClusterClient({
      url,
      region,
      dialect: { ...dialectOf(protocol, dialects), service: serviceCode },
      credentials,
      environment: process.env,
      onKeyRefused,
      clock,
      ...defined({ ca, proxy }),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const problem = { path: `clusters.services.${name}`, message: error.message };
    throw new ConfigError(home.configFile, [problem], { verb: 'cannot use', cause: error });
  }
}
